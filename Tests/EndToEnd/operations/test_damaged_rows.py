"""One row of the database cannot be read: the server starts, and serves everyone who does not need that row."""

import json
import sqlite3

import pytest

from support import api, wire
from support.command import earshot
from support.demo import discover


async def talk(server, consumer, key: str) -> dict:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    frame = await link.until("ready", "bye")
    if "bye" in frame:
        return frame
    await link.send({"send": key, "text": key})
    answer = await link.until("ok", "no")
    await link.close()
    return answer


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE conversation SET people = x'5b' WHERE id = :conversation",
        "UPDATE conversation SET unanswered = x'ff' WHERE id = :conversation",
        "UPDATE conversation SET status = 'nonsense' WHERE id = :conversation",
        "UPDATE conversation SET routing = '{' WHERE id = :conversation",
    ],
)
def test_a_damaged_conversation_is_refused_and_everyone_else_is_served(new_server, damage):
    server = new_server().start()
    demo = discover(server)
    damaged, sound = (api.new_consumer(server.url, demo) for _ in range(2))
    for consumer in (damaged, sound):
        assert "ok" in wire.run(talk(server, consumer, "hello"))
    server.stop()
    spoil(server, damage, conversation=damaged.conversation)
    server.start()
    assert "ok" in wire.run(talk(server, sound, "again"))
    refused = wire.run(talk(server, damaged, "again"))
    assert "damaged" in json.dumps(refused), refused
    agent = api.Agent(server.url, demo.account, demo.agent)

    async def inbox() -> set[str]:
        link = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()})
        rows = (await link.until("ready"))["ready"]["rows"]
        await link.close()
        return {row["c"] for row in rows}

    shown = wire.run(inbox())
    assert sound.conversation in shown and damaged.conversation not in shown
    assert "cannot be read" in server.log() and damaged.conversation in server.log()
    told = earshot("doctor", **server.environment())
    assert f"row {damaged.conversation} of the table conversation cannot be read" in told.stdout, told.stdout
    assert "restore a backup" in told.stdout
    server.stop()


def test_a_damaged_event_never_breaks_a_frame(new_server):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    assert "ok" in wire.run(talk(server, consumer, "hello"))
    server.stop()
    spoil(
        server,
        "UPDATE event SET body = x'7b226e223a' WHERE sequence = 2 AND conversation = "
        "(SELECT pk FROM conversation WHERE id = :conversation)",
        conversation=consumer.conversation,
    )
    server.start()
    events = wire.run(wire.read_whole(server.socket_url, consumer.token))
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert "text" not in events[1], "the damaged one is counted and says nothing"
    assert "ok" in wire.run(talk(server, consumer, "again")), "the conversation goes on"
    server.stop()


def spoil(server, sql: str, **values: str) -> None:
    with sqlite3.connect(server.data / "earshot.sqlite") as database:
        assert database.execute(sql, values).rowcount == 1
