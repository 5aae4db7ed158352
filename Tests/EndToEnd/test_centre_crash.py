"""The server is killed again and again in the middle of a shift: queue, rings, timers and promises go on, and nothing happens twice."""

import asyncio
import random

import pytest

from support import centre, wire
from support.demo import discover

QUEUED_AFTER = 15
RING = 5
PROMISE = 900
# How late something may come that fell due while nobody was there, beside the time that the server took to come back.
SLACK_MS = 4_000


def set_up(server, staff) -> None:
    mira = staff["mira"]
    centre.put(mira, "skills", [
        centre.skill("queue", default=True), centre.skill("ring", ringSeconds=RING), centre.skill("promise", accept="auto"),
    ])
    centre.put(mira, "people", [
        {"agent": staff["dana"].id, "skills": ["ring"], "capacity": 20}, {"agent": staff["omar"].id, "skills": ["promise"], "capacity": 20},
        {"agent": mira.id, "skills": [], "capacity": 0},
    ])
    centre.put(mira, "rules", [centre.rule(name) for name in ("ring", "promise")])
    centre.put(mira, "automatic", [
        {"id": "hi", "on": "firstWelcome", "enabled": True, "text": "Welcome"},
        {"id": "wait", "on": "queued", "enabled": True, "text": "Still {queuePosition}. in line", "afterSeconds": QUEUED_AFTER},
        {"id": "here", "on": "connected", "enabled": True, "text": "{agentNickname} is here"},
    ])


async def hello(server, consumer) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": "hello", "text": "Hello"})
    await link.until("ok")
    await link.close()


async def position(server, consumer) -> int | None:
    """What a consumer is told of their place, as they come."""
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    expect = (await link.until("expect"))["expect"]
    await link.close()
    return expect and expect.get("position")


async def sit(server, staff) -> list[centre.Seat]:
    return [await centre.Seat(staff[name]).sit(server) for name in ("dana", "omar", "mira")]


@pytest.mark.parametrize("seed", [20261122])
def test_queue_rings_timers_and_promises_go_on_over_kills_and_nothing_happens_twice(new_server, nightly, figure, seed):
    size, kills, rng = (40, 20, random.Random(seed)) if nightly else (5, 5, random.Random(seed))
    server = new_server().start()
    demo = discover(server)
    staff = centre.people(server, demo)
    set_up(server, staff)
    groups = {name: [centre.arriving(server, demo, name) for _ in range(size)] for name in ("queue", "ring", "promise")}
    down: list[float] = []

    async def shift():
        dana, omar, mira = await sit(server, staff)
        await dana.be("online")
        await omar.be("online")
        for group in groups.values():
            for consumer in group:
                await hello(server, consumer)
        for consumer in groups["promise"]:
            await omar.until_row(consumer.conversation, lambda row: row.get("to") == staff["omar"].id)
            assert "ok" in await omar.asks(consumer.conversation, promise=PROMISE)
        for consumer in groups["ring"]:
            await dana.until_row(consumer.conversation, lambda row: "ring" in row.get("desk", {}))
        before = [await position(server, consumer) for consumer in groups["queue"]]
        promised = {c: omar.rows[c]["desk"].get("promise") for c in [consumer.conversation for consumer in groups["promise"]]}
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0.5, 3.5))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            down.append(server.ready_seconds)
            dana, omar, mira = await sit(server, staff)
        for group in ("queue", "ring"):
            for consumer in groups[group]:
                while not any(event["automatic"]["on"] == "queued" for event in centre.kinds(await mira.log(consumer.conversation), "automatic")):
                    await mira.next("rows")
        after = [await position(server, consumer) for consumer in groups["queue"]]
        logs = {name: [await mira.log(consumer.conversation) for consumer in group] for name, group in groups.items()}
        rows = dict(mira.rows)
        return before, after, promised, logs, rows

    before, after, promised, logs, rows = wire.run(shift())
    assert before == after == list(range(1, size + 1)), (before, after)
    everything = [events for group in logs.values() for events in group]
    said = {name: [len([e for e in centre.kinds(events, "automatic") if e["automatic"]["on"] == name]) for events in everything]
            for name in ("firstWelcome", "queued", "connected")}
    assert said["firstWelcome"] == [1] * (3 * size), said
    assert said["queued"] == [1] * (2 * size) + [0] * size, said
    assert said["connected"] == [0] * (2 * size) + [1] * size, said
    late = [waited(events) - QUEUED_AFTER * 1000 for group in ("queue", "ring") for events in logs[group]]
    slack = SLACK_MS + max(down) * 1000
    assert all(0 <= ms <= slack for ms in late), late
    rings = [ring for events in logs["ring"] for ring in whole_rings(events)]
    assert len(rings) >= size and all(0 <= ms <= slack for ms in rings), rings
    for consumer in groups["promise"]:
        row = rows[consumer.conversation]
        assert row["status"] == "open" and row["to"] == staff["omar"].id, row
        assert row["desk"]["promise"] == promised[consumer.conversation] or promised[consumer.conversation] is None
    figure("shift", f"{kills} kills with {3 * size} conversations (seed {seed}): places kept {size} of {size}, {sum(map(sum, said.values()))} automatic messages said, 0 twice; "
                    f"{len(rings)} rings ended, at most {max(rings)} ms after their time; waiting notices at most {max(late)} ms late; promises kept {size} of {size}")
    server.stop()


def waited(events: list[dict]) -> int:
    """Milliseconds from the begin of waiting to the notice."""
    said = next(event["at"] for event in centre.kinds(events, "automatic") if event["automatic"]["on"] == "queued")
    return said - centre.kinds(events, "started")[0]["at"]


def whole_rings(events: list[dict]) -> list[int]:
    """For every ring that ended: milliseconds after its time. A ring begins only when none is there."""
    ended, ringing = [], None
    for event in events:
        if "offered" in event:
            assert ringing is None, "it rings where it rang already"
            ringing = event["offered"]
        elif "declined" in event and ringing:
            ended.append(event["at"] - ringing["until"])
            ringing = None
    return ended
