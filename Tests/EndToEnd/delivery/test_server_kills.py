"""The server is killed at random moments while eight clients send; acknowledged messages stay, once, in order."""

import asyncio
import random
import statistics

import pytest

from support import api, wire
from support.demo import discover
from support.log_audit import EMPTY, audit

SENDERS = 8


class Burst:
    """Eight consumers who say numbered texts until told to stop, over any number of deaths of the server."""

    def __init__(self, server, consumers):
        self.server = server
        self.consumers = consumers
        self.clients = [
            wire.Client(server.socket_url, consumer.token, f"s{place}") for place, consumer in enumerate(consumers)
        ]
        self.stopping = False
        self.progress = asyncio.Condition()

    @property
    def acknowledged(self) -> int:
        return sum(len(client.acknowledged) for client in self.clients)

    async def talk(self, client: wire.Client) -> None:
        async def work():
            while not (self.stopping and not client.outbox):
                while not self.stopping and len(client.outbox) < client.window:
                    number = len(client.said)
                    await client.say(f"{client.name}-{number}", f"{client.name} says {number}")
                await client.pump()
                async with self.progress:
                    self.progress.notify_all()

        await client.persist(work)

    async def until_acknowledged(self, count: int) -> None:
        async with self.progress:
            await self.progress.wait_for(lambda: self.acknowledged >= count)

    def audits(self, logs):
        for client, events in zip(self.clients, logs):
            told = {client.said[key]: number for key, number in client.acknowledged.items()}
            yield audit(list(client.said.values()), told, events)


async def kill_and_restart(server, burst, kills: int, acknowledged: int, rng: random.Random) -> list[float]:
    """The kills come after a random count of answers plus a random moment, so that they hit every phase of a commit."""
    recoveries = []
    for kill in range(kills):
        share = acknowledged * (kill + 1) // kills
        await burst.until_acknowledged(
            max(burst.acknowledged + 1, share - rng.randrange(acknowledged // kills // 2 + 1))
        )
        await asyncio.sleep(rng.random() * 0.01)
        await asyncio.to_thread(server.kill)
        before = burst.acknowledged
        await asyncio.to_thread(server.start)
        await burst.until_acknowledged(before + 1)
        recoveries.append(server.ready_seconds)
    await burst.until_acknowledged(acknowledged)
    return recoveries


@pytest.mark.parametrize("seed", [20261121])
def test_no_acknowledged_message_is_lost_duplicated_or_reordered_over_kills(new_server, nightly, figure, seed):
    kills, wanted = (200, 1_000_000) if nightly else (20, 20_000)
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(SENDERS)]

    async def story():
        burst = Burst(server, consumers)
        talkers = [asyncio.create_task(burst.talk(client)) for client in burst.clients]
        driver = asyncio.create_task(kill_and_restart(server, burst, kills, wanted, random.Random(seed)))
        done, _ = await asyncio.wait([driver, *talkers], return_when=asyncio.FIRST_COMPLETED)
        recoveries = await driver if driver in done else done.pop().result()
        burst.stopping = True
        await asyncio.gather(*talkers)
        logs = [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers]
        return burst, recoveries, logs

    burst, recoveries, logs = wire.run(story())
    verdict = sum(burst.audits(logs), EMPTY)
    p95 = statistics.quantiles(recoveries, n=20)[-1]
    figure(
        "1",
        f"{kills} kills, {verdict.acknowledged} acknowledged (seed {seed}): {verdict.lost} lost, {verdict.doubled} "
        f"doubled, {verdict.reordered} reordered; "
        f"ready again p50 {statistics.median(recoveries) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms",
    )
    assert verdict.acknowledged >= wanted
    assert verdict.is_clean, verdict
    assert not any(client.refused for client in burst.clients), [client.refused[:1] for client in burst.clients]
    assert not any(client.answers_changed for client in burst.clients)
    server.stop()
