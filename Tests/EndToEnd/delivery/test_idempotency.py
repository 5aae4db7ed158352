"""One idempotency key stores one message and gets one answer, however often it is sent."""

import asyncio

from support import api, wire
from support.demo import discover
from support.log_audit import audit


async def answers(link: wire.Link, count: int) -> list[dict]:
    return [await link.until("ok", "no") for _ in range(count)]


def test_a_message_sent_ten_times_with_one_key_is_stored_once(server, consumer, figure):
    async def story():
        links = [await wire.Link.open(server.socket_url, {"token": consumer.token}) for _ in range(2)]
        for link in links:
            await link.until("ready")
        await asyncio.gather(*(link.send({"send": "the-key", "text": "once"}) for link in links for _ in range(5)))
        told = [answer for link in links for answer in await answers(link, 5)]
        await links[0].send({"send": "the-key", "text": "changed"})
        changed = await links[0].until("ok", "no")
        for link in links:
            await link.close()
        return told, changed, await wire.read_whole(server.socket_url, consumer.token)

    told, changed, events = wire.run(story())
    assert {(answer.get("n"), answer.get("at")) for answer in told} == {(2, events[1]["at"])}, told
    assert changed["no"] == "the-key" and changed["code"] == "key_reused"
    assert audit(["once"], {"once": 2}, events).is_clean
    figure("6", "10 sends of one key over 2 sockets: 1 stored, 10 equal answers; with a changed body: key_reused")


def test_the_answer_is_the_same_after_the_token_was_renewed_and_the_server_restarted(new_server, figure):
    server = new_server().start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)

    async def say(token: str) -> dict:
        link = await wire.Link.open(server.socket_url, {"token": token})
        await link.until("ready")
        await link.send({"send": "k", "text": "once"})
        answer = await link.until("ok", "no")
        await link.close()
        return answer

    first = wire.run(say(consumer.token))
    back = api.come_back(server.url, consumer)
    second = wire.run(say(back.token))
    server.kill()
    server.start()
    third = wire.run(say(back.token))
    assert first == second == third and first["n"] == 2
    server.stop()


def test_the_same_key_from_another_author_is_another_message(server, consumer, agent):
    async def story():
        said = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await said.until("ready")
        await said.send({"send": "shared", "text": "of the consumer"})
        first = await said.until("ok", "no")
        answering = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()})
        await answering.until("ready")
        await answering.send({"send": "shared", "c": consumer.conversation, "text": "of the agent"})
        second = await answering.until("ok", "no")
        return first, second, await wire.read_whole(server.socket_url, consumer.token)

    first, second, events = wire.run(story())
    assert "ok" in first and "ok" in second and second["n"] > first["n"]
    assert [event["text"] for event in events if "text" in event] == ["of the consumer", "of the agent"]
