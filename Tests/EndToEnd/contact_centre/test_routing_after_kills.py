"""The server is killed during a shift: queue, offers, timers and callbacks continue, and nothing happens twice."""

import asyncio
import random
import time
from datetime import datetime, timedelta, timezone

import pytest

from support import api, contact_centre, wire
from support.demo import discover
from support.server_clock import HOUR, Clock

QUEUED_AFTER = 15
RING = 5
PROMISE = 900
# How late something may come that fell due while nobody was there, beside the time that the server took to come back.
SLACK_MS = 4_000
SOON, LATER = HOUR, 3 * HOUR
OPEN_FOR = 2 * HOUR


def set_up(server, staff) -> None:
    mira = staff["mira"]
    contact_centre.put(
        mira,
        "skills",
        [
            contact_centre.skill("queue", default=True),
            contact_centre.skill("offer", offerSeconds=RING),
            contact_centre.skill("callback", accept="auto"),
        ],
    )
    contact_centre.put(
        mira,
        "people",
        [
            {"agent": staff["dana"].id, "skills": ["offer"], "capacity": 20},
            {"agent": staff["omar"].id, "skills": ["callback"], "capacity": 20},
            {"agent": mira.id, "skills": [], "capacity": 0},
        ],
    )
    contact_centre.put(mira, "rules", [contact_centre.rule(name) for name in ("offer", "callback")])
    contact_centre.put(
        mira,
        "automatic",
        [
            {"id": "hi", "on": "firstWelcome", "enabled": True, "text": "Welcome"},
            {
                "id": "wait",
                "on": "queued",
                "enabled": True,
                "text": "Still {queuePosition}. in line",
                "afterSeconds": QUEUED_AFTER,
            },
            {"id": "here", "on": "connected", "enabled": True, "text": "{agentNickname} is here"},
        ],
    )


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


async def connect_staff(server, staff) -> list[contact_centre.AgentConnection]:
    return [
        await contact_centre.AgentConnection(staff[name]).sit(server) for name in ("dana", "omar", "mira")
    ]


@pytest.mark.parametrize("seed", [20261122])
def test_queue_offers_timers_and_callbacks_continue_over_kills(new_server, nightly, figure, seed):
    size, kills, rng = (40, 20, random.Random(seed)) if nightly else (5, 5, random.Random(seed))
    server = new_server().start()
    demo = discover(server)
    staff = contact_centre.people(server, demo)
    set_up(server, staff)
    groups = {
        name: [contact_centre.arriving(server, demo, name) for _ in range(size)]
        for name in ("queue", "offer", "callback")
    }
    down: list[float] = []

    async def shift():
        dana, omar, mira = await connect_staff(server, staff)
        await dana.be("online")
        await omar.be("online")
        for group in groups.values():
            for consumer in group:
                await hello(server, consumer)
        for consumer in groups["callback"]:
            await omar.until_row(consumer.conversation, lambda row: row.get("to") == staff["omar"].id)
            assert "ok" in await omar.asks(consumer.conversation, callback=PROMISE)
        for consumer in groups["offer"]:
            await dana.until_row(consumer.conversation, lambda row: "offer" in row.get("routing", {}))
        before = [await position(server, consumer) for consumer in groups["queue"]]
        promised = {
            c: omar.rows[c].get("routing", {}).get("callback")
            for c in [consumer.conversation for consumer in groups["callback"]]
        }
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0.5, 3.5))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            down.append(server.ready_seconds)
            dana, omar, mira = await connect_staff(server, staff)
        for group in ("queue", "offer"):
            for consumer in groups[group]:
                while not any(
                    event["automatic"]["on"] == "queued"
                    for event in contact_centre.kinds(await mira.log(consumer.conversation), "automatic")
                ):
                    await mira.next("rows")
        after = [await position(server, consumer) for consumer in groups["queue"]]
        logs = {name: [await mira.log(consumer.conversation) for consumer in group] for name, group in groups.items()}
        rows = dict(mira.rows)
        return before, after, promised, logs, rows

    before, after, promised, logs, rows = wire.run(shift())
    assert before == after == list(range(1, size + 1)), (before, after)
    everything = [events for group in logs.values() for events in group]
    said = {
        name: [
            len([e for e in contact_centre.kinds(events, "automatic") if e["automatic"]["on"] == name])
            for events in everything
        ]
        for name in ("firstWelcome", "queued", "connected")
    }
    assert said["firstWelcome"] == [1] * (3 * size), said
    assert said["queued"] == [1] * (2 * size) + [0] * size, said
    assert said["connected"] == [0] * (2 * size) + [1] * size, said
    late = [waited(events) - QUEUED_AFTER * 1000 for group in ("queue", "offer") for events in logs[group]]
    slack = SLACK_MS + max(down) * 1000
    assert all(0 <= ms <= slack for ms in late), late
    rings = [ring for events in logs["offer"] for ring in whole_rings(events)]
    assert len(rings) >= size and all(0 <= ms <= slack for ms in rings), rings
    for consumer in groups["callback"]:
        row = rows[consumer.conversation]
        assert row["status"] == "open" and row["to"] == staff["omar"].id, row
        assert row["routing"]["callback"] == promised[consumer.conversation] or promised[consumer.conversation] is None
    figure(
        "shift",
        f"{kills} kills with {3 * size} conversations (seed {seed}): places kept {size} of {size}, "
        f"{sum(map(sum, said.values()))} automatic messages said, 0 twice; "
        f"{len(rings)} rings ended, at most {max(rings)} ms after their time; waiting notices at most {max(late)} ms "
        f"late; promises kept {size} of {size}",
    )
    server.stop()


def waited(events: list[dict]) -> int:
    """Milliseconds from the begin of waiting to the notice."""
    said = next(
        event["at"] for event in contact_centre.kinds(events, "automatic") if event["automatic"]["on"] == "queued"
    )
    return said - contact_centre.kinds(events, "started")[0]["at"]


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


class Clocked:
    """A server that is killed, and comes back at a moment that the test says."""

    def __init__(self, new_server, folder):
        # Noon of tomorrow: the wall's counts begin at zero at midnight, whenever the tests run.
        noon = (datetime.now(timezone.utc) + timedelta(days=1)).replace(hour=12, minute=0, second=0)
        self.noon = round(noon.timestamp() - time.time())
        self.clock = Clock(folder)
        self.clock.set(self.noon)
        self.server = new_server(self.clock.settings).start()
        self.demo = discover(self.server)
        self.staff = contact_centre.people(self.server, self.demo)

    async def back(self, after: int = 0) -> tuple[contact_centre.AgentConnection, int]:
        """Killed, and there again so long after noon: the manager at her page, and the moment at which the start
        began, in milliseconds."""
        await asyncio.to_thread(self.server.kill)
        self.clock.set(self.noon + after)
        began = round((time.time() + self.noon + after) * 1000)
        await asyncio.to_thread(self.server.start)
        return await contact_centre.AgentConnection(self.staff["mira"]).sit(self.server), began

    async def answered(self, group: list[api.Consumer]) -> contact_centre.AgentConnection:
        """Everyone of them has written, and Omar has answered."""
        omar = await (await contact_centre.AgentConnection(self.staff["omar"]).sit(self.server)).be("online")
        for consumer in group:
            await hello(self.server, consumer)
            await omar.until_row(consumer.conversation, lambda row: row.get("to") == omar.agent.id)
            assert "ok" in await omar.asks(consumer.conversation, text="Here you are")
        return omar

    async def until_wall(self, **counts: int) -> None:
        """Waits until the wall counts so many in all skills: who comes while routing still reads the log is told
        again."""
        connection = await contact_centre.AgentConnection(self.staff["mira"]).sit(self.server)
        await connection.link.send({"wall": True})
        shown = {}
        while shown != counts:
            lines = (await connection.next("wall"))["wall"]["skills"]
            shown = {name: sum(line[name] for line in lines) for name in counts}
        await connection.link.close()


@pytest.fixture
def clocked(new_server, tmp_path_factory):
    made = Clocked(new_server, tmp_path_factory.mktemp("clock"))
    mira, everything = made.staff["mira"], {"accept": "auto", "survey": True}
    contact_centre.put(
        mira,
        "skills",
        [
            contact_centre.skill("soon", default=True, autoCloseSeconds=SOON, **everything),
            contact_centre.skill("later", autoCloseSeconds=LATER, **everything),
        ],
    )
    contact_centre.put(
        mira,
        "people",
        [
            {"agent": agent.id, "skills": ["soon", "later"] if name == "omar" else [], "capacity": 20}
            for name, agent in made.staff.items()
        ],
    )
    contact_centre.put(mira, "rules", [contact_centre.rule("later")])
    contact_centre.put(mira, "automatic", [])
    contact_centre.put(
        mira,
        "survey",
        {"on": True, "csat": True, "nps": False, "words": True, "question": "How was it?", "openSeconds": OPEN_FOR},
    )
    yield made
    made.clock.set(0)
    made.server.stop()


def idle_ends(events: list[dict]) -> list[dict]:
    ends = contact_centre.kinds(events, "closed")
    assert all(end["closed"] == {"why": "idle"} and end["by"] == 0 for end in ends), ends
    return ends


def test_conversations_due_to_close_while_the_server_was_down_close_once(clocked, figure):
    soon, later = (
        [contact_centre.arriving(clocked.server, clocked.demo, name) for _ in range(3)] for name in ("soon", "later")
    )

    async def ends(manager: contact_centre.AgentConnection, group: list[api.Consumer]) -> list[list[dict]]:
        return [idle_ends(await manager.log(consumer.conversation)) for consumer in group]

    async def shift() -> list[int]:
        omar = await clocked.answered(soon + later)
        said = {
            c.conversation: contact_centre.kinds(await omar.log(c.conversation), "text")[-1]["at"] for c in soon + later
        }
        late = []
        for after, due, group, others in (
            (SOON + HOUR // 2, SOON, soon, later),
            (LATER + HOUR // 2, LATER, later, soon),
        ):
            manager, began = await clocked.back(after)
            for consumer in group:
                await manager.until_row(consumer.conversation, lambda row: row["status"] == "closed")
            for consumer, closed in zip(group, await ends(manager, group)):
                assert (
                    len(closed) == 1 and said[consumer.conversation] + due * 1000 < began
                ), "the premise: it was due while nobody was there"
                late.append(closed[0]["at"] - began)
            assert [len(closed) for closed in await ends(manager, others)] == [1 if others is soon else 0] * len(others)
            # Once more at the same moment: what is done is done.
            manager, _ = await clocked.back(after)
            assert [len(closed) for closed in await ends(manager, group)] == [1] * len(group)
        for consumer in soon + later:
            assert not contact_centre.kinds(
                await manager.log(consumer.conversation), "surveyed"
            ), "who idled is asked nothing"
        return late

    late = wire.run(shift())
    slack = SLACK_MS + clocked.server.ready_seconds * 1000
    assert all(0 <= ms <= slack for ms in late), late
    figure(
        "shift",
        f"{len(late)} conversations due to close while the server was dead: closed once each, at most {max(late)} ms "
        "after its start began",
    )


def test_a_survey_survives_a_kill_and_is_answered_once(clocked):
    group = [contact_centre.arriving(clocked.server, clocked.demo, "soon") for _ in range(4)]
    key = api.new_id()

    async def rate(key: str, csat: int) -> dict:
        """The first of them answers, from a page that was just opened."""
        link = await wire.Link.open(clocked.server.socket_url, {"token": group[0].token})
        ready = (await link.until("ready"))["ready"]
        assert [
            event for event in ready["events"] if "surveyed" in event
        ], "the survey is there for the consumer who returns"
        await link.send({"ask": key, "rate": {"csat": csat}})
        answer = await link.until("ok", "no")
        await link.close()
        return answer

    async def whole(manager: contact_centre.AgentConnection, kind: str) -> list[int]:
        return [len(contact_centre.kinds(await manager.log(consumer.conversation), kind)) for consumer in group]

    async def shift():
        omar = await clocked.answered(group)
        for consumer in group:
            assert "ok" in await omar.asks(consumer.conversation, close={})
        # Some of them may not have been asked yet: then they are after the start.
        manager, _ = await clocked.back()
        for consumer in group:
            while not contact_centre.kinds(events := await manager.log(consumer.conversation), "surveyed"):
                await manager.next("rows")
        # What was counted before the kill counts.
        await clocked.until_wall(answered=4, kept=4, closed=4, rated=0, satisfied=0)
        manager, _ = await clocked.back(HOUR)
        first = await rate(key, 5)
        assert "ok" in first, first
        manager, _ = await clocked.back(HOUR)
        again = await rate(key, 5)
        assert again["n"] == first["n"] and again["at"] == first["at"], (first, again)
        assert (await rate(key, 1)).get("code") == "key_reused"
        assert await whole(manager, "surveyed") == [1] * 4
        assert await whole(manager, "rated") == [1, 0, 0, 0]
        await clocked.until_wall(answered=4, kept=4, closed=4, rated=1, satisfied=1)
        asked = contact_centre.kinds(await manager.log(group[0].conversation), "surveyed")[0]
        # Looked at twice, a moment apart: when it is to be asked, and when it is.
        assert 0 <= asked["at"] + OPEN_FOR * 1000 - asked["surveyed"]["until"] < SLACK_MS, asked
        manager, _ = await clocked.back(OPEN_FOR + 60)
        assert (await rate(api.new_id(), 1)).get("code") == "survey_closed"
        assert await whole(manager, "surveyed") == [1] * 4 and await whole(manager, "rated") == [1, 0, 0, 0]

    wire.run(shift())
