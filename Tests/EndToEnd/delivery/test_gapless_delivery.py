"""Every reader receives each conversation without gaps or repeats, over server restarts and cut connections."""

import asyncio
import random
import statistics

from support import api, wire
from support.demo import discover
from support.network.proxy import CuttingProxy


class Follower:
    """An agent who watches one conversation over any number of deaths of the connection, and writes down how it
    came."""

    def __init__(self, server, agent, conversation):
        self.server, self.agent, self.conversation = server, agent, conversation
        self.seen: list[int] = []
        self.through = 0
        self.target = None

    async def follow(self) -> None:
        while self.target is None or self.through < self.target:
            try:
                await self.session()
            except wire.LOST + (AssertionError, ConnectionError):
                await asyncio.sleep(0.02)

    async def session(self) -> None:
        ticket = await asyncio.to_thread(self.agent.ticket)
        link = await wire.Link.open(self.server.socket_url, {"ticket": ticket})
        await link.until("ready")
        await link.send({"watch": self.conversation, **({"after": self.through} if self.through else {})})
        self.take(await self.completed(link, await link.until("watching")))
        while self.target is None or self.through < self.target:
            frame = await link.receive(within=5)
            if "events" in frame and frame.get("c") == self.conversation:
                self.take(frame)
        await link.close()

    async def completed(self, link, frame: dict) -> dict:
        """A fresh start gives the newest events only: what lies between them and our cursor comes by pages."""
        events, delivered = frame["events"], []
        while frame.get("fresh") and events and events[0]["n"] > self.through + 1:
            await link.send({"page": self.conversation, "before": events[0]["n"], "limit": 200})
            # Deliveries go on meanwhile: they belong behind.
            while "page" not in (answer := await link.receive()):
                delivered += answer.get("events", [])
            events = answer["events"] + events
        events += delivered
        return {"events": [event for event in events if event["n"] > self.through] if frame.get("fresh") else events}

    def take(self, frame: dict) -> None:
        """Numbers in the order of arrival; a server that resends what it was told we have is a repeat."""
        self.seen += [event["n"] for event in frame["events"]]
        self.through = max(self.through, self.seen[-1] if self.seen else 0)


def faults(seen: list[int]) -> tuple[int, int]:
    """Gaps and repeats (a step back counts as a repeat)."""
    steps = [later - earlier for earlier, later in zip(seen, seen[1:])]
    return sum(step > 1 for step in steps), sum(step < 1 for step in steps)


def test_the_fault_counter_detects_gaps_and_repeats():
    assert (
        faults([1, 2, 3]) == (0, 0)
        and faults([1, 3]) == (1, 0)
        and faults([1, 1, 2]) == (0, 1)
        and faults([2, 1, 2]) == (0, 1)
    )


def test_every_device_receives_every_message_once_over_restarts(new_server, nightly, figure):
    wanted, restarts, writers = (100_000, 10, 8) if nightly else (8_000, 3, 8)
    server = new_server().start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    agents = [api.Agent(server.url, demo.account, login) for login in (demo.agent, demo.manager)]

    async def story():
        clients = [wire.Client(server.socket_url, consumer.token, f"w{place}", window=8) for place in range(writers)]

        async def write(client):
            async def work():
                while client.outbox or len(client.said) < wanted // writers:
                    while len(client.said) < wanted // writers and len(client.outbox) < client.window:
                        await client.say(f"{client.name}-{len(client.said)}", f"{client.name} {len(client.said)}")
                    await client.pump()
            await client.persist(work)

        # The conversation begins with its first message, so that there is something to watch.
        first = wire.Client(server.socket_url, consumer.token, "first")
        await first.connect()
        await first.say("first", "first")
        await first.settle()
        followers = [Follower(server, agent, consumer.conversation) for agent in agents]
        following = [asyncio.create_task(follower.follow()) for follower in followers]
        writing = [asyncio.create_task(write(client)) for client in clients]
        for restart in range(restarts):
            share = wanted * (restart + 1) // (restarts + 1)
            while sum(len(client.acknowledged) for client in clients) < share:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(server.kill if restart % 2 else server.stop)
            await asyncio.to_thread(server.start)
        await asyncio.gather(*writing)
        whole = await wire.read_whole(server.socket_url, consumer.token)
        for follower in followers:
            follower.target = whole[-1]["n"]
        await asyncio.wait_for(asyncio.gather(*following), 60)
        return followers, clients, whole

    followers, clients, whole = wire.run(story())
    numbers = list(range(1, len(whole) + 1))
    assert [event["n"] for event in whole] == numbers
    total = [faults(follower.seen) for follower in followers]
    assert all(follower.seen == numbers for follower in followers), total
    for client in clients:
        assert client.shown_twice == 0
        assert sorted(client.events) == list(range(min(client.events), client.through + 1))
    figure(
        "7",
        f"{writers} writers, {restarts} restarts, {len(clients)} writing devices and {len(followers)} watching agents, "
        f"{len(whole) * (len(clients) + len(followers))} "
        f"deliveries: {sum(gaps for gaps, _ in total)} gaps, {sum(repeats for _, repeats in total)} repeats",
    )
    server.stop()


def test_a_connection_cut_at_random_bytes_misses_and_repeats_nothing(server, demo, nightly, figure):
    cuts, seed = (10_000 if nightly else 1_000), 20261122
    consumer = api.new_consumer(server.url, demo)

    async def story():
        rng = random.Random(seed)
        async with CuttingProxy(server.port, rng, budget=6000) as proxy:
            device = wire.Client(f"ws://localhost:{proxy.port}/v1/socket", consumer.token, "cut", window=4)
            other = wire.Client(server.socket_url, consumer.token, "whole", window=4)
            finished = asyncio.Event()

            async def talk(client, pause):
                async def work():
                    while not (finished.is_set() and not client.outbox):
                        if not finished.is_set() and len(client.outbox) < client.window:
                            await client.say(f"{client.name}-{len(client.said)}", f"{client.name} {len(client.said)}")
                        if client.outbox:
                            await client.pump()
                        await asyncio.sleep(pause)
                await client.persist(work, back_off=0.001)

            talking = [asyncio.create_task(talk(device, 0)), asyncio.create_task(talk(other, 0.002))]
            while min(proxy.cuts, device.connections) < cuts:
                await asyncio.sleep(0.01)
                for task in talking:
                    assert not task.done() or task.result() is None
            finished.set()
            proxy.rng = None
            await asyncio.gather(*talking)
            whole = await wire.read_whole(server.socket_url, consumer.token)
            # The cut device gets the events in flight by its cursor.
            await device.connect()
            while device.through < whole[-1]["n"]:
                await device.pump()
            return device, proxy.cuts, whole

    device, happened, whole = wire.run(story())
    resumes = sorted(device.resume_seconds)
    p99 = resumes[int(len(resumes) * 0.99)]
    texts = {event["n"]: event.get("text") for event in whole}
    wrong = sum(device.events[number].get("text") != texts[number] for number in device.events)
    missed = sum(number not in device.events for number in range(min(device.events), len(whole) + 1))
    figure(
        "8",
        f"{happened} cuts at random bytes, {len(resumes)} resumes, {len(whole)} events: {missed} missed, "
        f"{device.shown_twice} shown twice; resume p50 "
        f"{statistics.median(resumes) * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms",
    )
    assert happened >= cuts
    assert missed == device.shown_twice == wrong == 0
