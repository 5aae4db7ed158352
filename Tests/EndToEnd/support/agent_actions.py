"""What an agent does in one conversation without a page: sends voice, reads who listened, downloads recordings."""

import requests

from support import api, contact_centre, wire
from support.server import Server


def stored(known: dict) -> api.Consumer:
    """The consumer of a widget, from what it keeps in its storage under a name that ends with `.me`."""
    return api.Consumer(known["token"], known["consumer"], known["conversation"], known["limits"])


def speak(server: Server, agent: api.Agent, conversation: str, recording: bytes) -> None:
    """The agent takes the conversation and says this in it."""
    media = contact_centre.upload_as(agent, conversation, recording)

    async def say():
        connection = await contact_centre.AgentConnection(agent).sit(server)
        for what in ({"take": {}}, {"audio": media}):
            answer = await connection.asks(conversation, **what)
            assert "ok" in answer, (what, answer)
        await connection.link.close()

    wire.run(say())


def await_said(server: Server, agent: api.Agent, conversation: str, text: str) -> None:
    """Until the agent gets this text."""
    async def wait():
        connection = await contact_centre.AgentConnection(agent).sit(server)
        await connection.link.send({"watch": conversation})
        events = (await connection.next("watching"))["events"]
        while text not in [event.get("text") for event in events]:
            events = (await connection.next("events"))["events"]
        await connection.link.close()

    wire.run(wait())


def await_listened(server: Server, agent: api.Agent, conversation: str) -> None:
    """Until the agent is told that somebody listened to the newest voice message."""
    async def wait():
        connection = await contact_centre.AgentConnection(agent).sit(server)
        await connection.link.send({"watch": conversation})
        frame = await connection.next("watching")
        newest = contact_centre.kinds(frame["events"], "audio")[-1]["n"]
        while not any(n == newest and listened for n, _, _, listened in frame.get("played", [])):
            frame = await connection.next("played")
        await connection.link.close()

    wire.run(wait())


def newest_sound(server: Server, consumer: api.Consumer) -> bytes:
    """The MP3 of what was said last in the consumer's conversation, as soon as something was said there."""
    async def wait():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        events = (await link.until("ready"))["ready"]["events"]
        while not (said := contact_centre.kinds(events, "audio")):
            events = (await link.until("events"))["events"]
        await link.close()
        return said[-1]["audio"]["media"]

    answer = requests.get(
        f"{server.url}/v1/media/{consumer.conversation}/{wire.run(wait())}.mp3", headers=consumer.headers, timeout=20
    )
    assert answer.status_code == 200, answer.text
    return answer.content
