"""SIGTERM tells every client when to reconnect, finishes work in progress and loses nothing."""

import asyncio
import time

import requests

from support import api, wire
from support.demo import discover
from support.log_audit import EMPTY, audit
from support.server import bar


def test_a_shutdown_tells_every_client_and_loses_nothing(new_server, figure):
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(8)]
    told = []

    async def hear(client):
        frame = await client.link.receive()
        if "bye" in frame:
            told.append(frame["bye"])
        client.handle(frame)

    async def talk(client):
        await client.connect()
        try:
            while True:
                while len(client.outbox) < client.window:
                    await client.say(f"{client.name}-{len(client.said)}", f"{client.name} {len(client.said)}")
                await hear(client)
        except wire.LOST:
            await last_words(client)
        return client.link.socket.close_code

    async def last_words(client):
        """What had arrived before the connection ended is still to be read."""
        try:
            while True:
                await hear(client)
        except wire.LOST:
            pass

    async def story():
        clients = [
            wire.Client(server.socket_url, consumer.token, f"t{place}") for place, consumer in enumerate(consumers)
        ]
        talking = [asyncio.create_task(talk(client)) for client in clients]
        while sum(len(client.acknowledged) for client in clients) < 200:
            await asyncio.sleep(0.005)
        seconds = await asyncio.to_thread(server.stop)
        codes = await asyncio.gather(*talking)
        await asyncio.to_thread(server.start)
        logs = [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers]
        return clients, codes, seconds, logs

    clients, codes, seconds, logs = wire.run(story())
    answers = [{client.said[key]: number for key, number in client.acknowledged.items()} for client in clients]
    verdict = sum(
        (audit(list(client.said.values()), told_, events) for client, told_, events in zip(clients, answers, logs)),
        EMPTY,
    )
    figure(
        "12",
        f"SIGTERM under 8 senders: gone after {seconds:.2f} s, {len(told)} of 8 told, {verdict.acknowledged} "
        f"acknowledged, {verdict.lost} lost",
    )
    assert set(codes) == {1001}
    assert len(told) == len(consumers)
    assert verdict.is_clean, verdict
    server.stop()


OPENING_AT_ONCE = 50
SPREAD_MS = 5_000


class Returning:
    """A client that hears the farewell, waits as it was told, and comes back."""

    def __init__(self, server, consumer, name: str, gate: asyncio.Semaphore):
        self.client = wire.Client(server.socket_url, consumer.token, name, window=4)
        self.gate = gate
        self.bye: dict | None = None
        self.code: int | None = None
        self.back_after = 0.0
        self.refusals = 0

    async def connect(self) -> None:
        async with self.gate:
            await self.client.connect()

    async def live(self, says: bool, is_back: asyncio.Event, rest: float) -> None:
        """Talks (or only listens) until the server goes, comes back, and says what is left to say."""
        try:
            while True:
                while says and len(self.client.outbox) < self.client.window:
                    await self.client.say(
                        f"{self.client.name}-{len(self.client.said)}", f"{self.client.name} {len(self.client.said)}"
                    )
                await self.hear()
                if says:
                    await asyncio.sleep(rest)
        except wire.LOST:
            await self.last_words()
        self.code, went = self.client.link.socket.close_code, time.monotonic()
        await asyncio.sleep(((self.bye or {}).get("after") or 0) / 1000)
        while True:
            try:
                await self.connect()
                break
            except wire.LOST:
                self.refusals += 1
                await asyncio.sleep(0.1 * min(self.refusals, 10))
        self.back_after = time.monotonic() - went
        await self.client.settle()
        await is_back.wait()
        await self.client.link.close()

    async def hear(self) -> None:
        frame = await self.client.link.receive(60)
        self.bye = frame.get("bye", self.bye)
        self.client.handle(frame)

    async def last_words(self) -> None:
        try:
            while True:
                await self.hear()
        except wire.LOST:
            pass


def test_a_rolling_restart_under_load_loses_no_client_and_no_message(new_server, nightly, figure):
    count, talkers = (1_000, 100) if nightly else (300, 40)
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(count)]

    async def story():
        gate, all_back = asyncio.Semaphore(OPENING_AT_ONCE), asyncio.Event()
        everybody = [Returning(server, consumer, f"r{place}", gate) for place, consumer in enumerate(consumers)]
        await asyncio.gather(*(one.connect() for one in everybody))
        living = [
            asyncio.create_task(one.live(place < talkers, all_back, rest=0.05)) for place, one in enumerate(everybody)
        ]
        while sum(len(one.client.acknowledged) for one in everybody) < 5 * talkers:
            await asyncio.sleep(0.005)
        seconds = await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        while any(one.client.connections < 2 for one in everybody) and not any(task.done() for task in living):
            await asyncio.sleep(0.01)
        all_back.set()
        await asyncio.gather(*living)
        logs = [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers[:talkers]]
        return everybody, seconds, logs

    everybody, seconds, logs = wire.run(story())
    verdict = EMPTY
    for one, log in zip(everybody, logs):
        client = one.client
        verdict += audit(
            list(client.said.values()), {client.said[key]: number for key, number in client.acknowledged.items()}, log
        )
    afters = sorted(one.bye["after"] for one in everybody if one.bye)
    back = sorted(one.back_after for one in everybody)
    figure(
        "12",
        f"rolling restart with {count} live sockets, {talkers} of them sending: gone after {seconds:.2f} s, ready "
        f"again {server.ready_seconds * 1000:.0f} ms "
        f"later; {len(afters)} told to come back after {afters[0]} to {afters[-1]} ms (median "
        f"{afters[len(afters) // 2]}), all back within {back[-1]:.1f} s; "
        f"{verdict.acknowledged} acknowledged, {verdict.lost} lost, {verdict.doubled} doubled, {verdict.reordered} "
        "reordered",
    )
    assert seconds <= bar(10)
    assert {one.code for one in everybody} == {1001} and len(afters) == count
    # Drawn evenly: a tenth of the spread at either end would be missed by 300 once in 10^13 runs.
    assert (
        all(0 <= after <= SPREAD_MS for after in afters) and afters[0] < SPREAD_MS / 10 and afters[-1] > SPREAD_MS * 0.9
    )
    assert verdict.is_clean, verdict
    assert sum(one.client.shown_twice + one.client.answers_changed + len(one.client.refused) for one in everybody) == 0
    server.stop()


def test_a_port_in_use_is_reported_plainly(new_server):
    first = new_server().start()
    second = new_server()
    second.port = first.port
    try:
        second.start()
    except AssertionError:
        pass
    second.process.wait(20)
    assert second.process.returncode != 0
    assert str(first.port) in second.log()
    assert requests.get(f"{first.url}/v1/ready", timeout=5).status_code == 200
    first.stop()
