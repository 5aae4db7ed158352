"""Private notes and internal data appear in nothing that a consumer can get."""

import json

import pytest
import requests

from support import contact_centre, wire
from support.demo import discover
from support.voice import speech

SECRET = "xyzzy-private"


@pytest.fixture(scope="module")
def recording(microphone) -> bytes:
    return speech.run(
        "ffmpeg",
        "-v",
        "error",
        "-i",
        str(microphone),
        "-t",
        "2",
        "-c:a",
        "libopus",
        "-b:a",
        "24k",
        "-f",
        "webm",
        "pipe:1",
    )


class ConsumerConnection:
    """Every byte that a consumer's sockets bring."""

    def __init__(self, server, consumer):
        self.server, self.consumer, self.played = server, consumer, []

    async def open(self, **cursor) -> wire.Link:
        link = await wire.Link.open(self.server.socket_url, {"token": self.consumer.token, **cursor})
        receive = link.receive

        async def hear(within: float = 20) -> dict:
            frame = await receive(within)
            self.played.append(json.dumps(frame))
            return frame

        link.receive = hear
        return link


async def work(server, staff, consumer, media: list[str], recording: bytes) -> list[dict]:
    """Everything private that there is: notes by text and voice, mentions, hand-over notes, labels, an urgent mark,
    a ring, a declined one."""
    dana, omar, mira = [
        await contact_centre.AgentConnection(staff[name]).sit(server) for name in ("dana", "omar", "mira")
    ]
    for connection in (dana, omar):
        await connection.be("online")
    c = consumer.conversation
    await dana.until_row(c, lambda row: staff["dana"].id in row.get("routing", {}).get("offer", {}).get("to", []))
    media.append(contact_centre.upload_as(staff["dana"], c, recording))
    media.append(contact_centre.upload_as(staff["mira"], c, recording))
    media.append(contact_centre.upload_as(staff["dana"], c, recording))
    for connection, what in [
        (dana, {"decline": {}}),
        (mira, {"note": {"text": f"{SECRET} Mira thinks"}}),
        (mira, {"note": {"audio": media[1], "mentions": [staff["dana"].id]}}),
        (mira, {"tags": [f"{SECRET} tag"]}),
        (mira, {"attribute": {"name": f"{SECRET}-name", "value": f"{SECRET} value"}}),
        (mira, {"urgent": True}),
    ]:
        answer = await connection.asks(c, **what)
        assert "ok" in answer, (what, answer)
    await omar.until_row(c, lambda row: staff["omar"].id in row.get("routing", {}).get("offer", {}).get("to", []))
    for connection, what in [
        (omar, {"take": {}}),
        (omar, {"text": "Good morning"}),
        (omar, {"transfer": {"agent": staff["dana"].id, "note": f"{SECRET} over to you"}}),
        (dana, {"take": {}}),
        (dana, {"note": {"audio": media[0]}}),
        (dana, {"noticed": {}}),
        (dana, {"text": "Dana here"}),
        (dana, {"dispose": f"{SECRET}-done"}),
    ]:
        answer = await connection.asks(c, **what)
        assert "ok" in answer, (what, answer)
    # A manager who only wrote notes reads on and types: nobody learns of it.
    await mira.link.send({"watch": c})
    watching = await mira.next("watching")
    for frame in ({"typing": True, "c": c}, {"read": watching["through"], "c": c}):
        await mira.link.send(frame)
    assert "ok" in await dana.asks(c, text="The last word")
    events = await dana.log(c)
    for connection in (dana, omar, mira):
        await connection.link.close()
    return events


def test_no_private_content_is_in_anything_a_consumer_can_get(new_server, figure, recording):
    server = new_server().start()
    demo = discover(server)
    staff = contact_centre.people(server, demo)
    contact_centre.put(
        staff["mira"], "skills", [contact_centre.skill(f"{SECRET}-skill", default=True, offerSeconds=60)]
    )
    contact_centre.put(
        staff["mira"],
        "people",
        [{"agent": staff[name].id, "skills": [f"{SECRET}-skill"], "capacity": 5} for name in ("dana", "omar")],
    )
    contact_centre.put(
        staff["mira"],
        "wrapUp",
        {"dispositions": [{"id": f"{SECRET}-done", "name": f"{SECRET} done"}], "tags": [], "attributes": []},
    )
    consumer, media = contact_centre.arriving(server, demo, "x"), []
    listener = ConsumerConnection(server, consumer)

    async def story():
        # Dana alone is there first, so that it rings at her.
        live = await listener.open()
        await live.until("ready")
        await live.send({"send": "1", "text": "Hello?"})
        await live.until("ok")
        events = await work(server, staff, consumer, media, recording)
        last = events[-1]["n"]
        while not any(event.get("text") == "The last word" for event in (await live.until("events"))["events"]):
            pass
        await live.send({"page": None, "before": last + 1, "limit": 200})
        await live.until("page")
        await live.close()
        for cursor in ({}, {"after": 0}, {"after": 2}, {"after": last}):
            again = await listener.open(**cursor)
            ready = (await again.until("ready"))["ready"]
            again = await listener.open(**cursor, epoch=ready["epoch"])
            await again.until("ready")
            await again.close()
        return events

    events = wire.run(story())
    base, c = server.url, consumer.conversation
    tries = [
        requests.get(f"{base}/v1/media/{c}/{name}{form}", headers=consumer.headers, timeout=20)
        for name in media
        for form in (".mp3", ".ogg", ".m4a", ".mp3?download=1", ".ogg?download=1", ".m4a?download=1", "/original")
    ]
    tries += [requests.get(f"{base}/v1/uploads/{name}", headers=consumer.headers, timeout=20) for name in media]
    assert {answer.status_code for answer in tries} == {
        404
    }, "a recording among the brand's people does not exist for a consumer, sent or not"
    others = [
        requests.get(f"{base}{path}", headers=consumer.headers, timeout=20)
        for path in (
            "/v1/centre",
            "/v1/centre/history",
            "/v1/agents",
            f"/v1/search?q={SECRET}",
            f"/v1/search.csv?q={SECRET}",
            f"/v1/conversations/{c}/why",
            f"/v1/conversations/{c}/transcript?notes=1",
            f"/v1/conversations/{c}/evidence",
            "/v1/views",
            "/v1/settings",
            "/v1/second-factor",
            "/v1/second-factor/rule",
            "/v1/keys",
            "/v1/profiles",
            "/v1/groups",
            f"/v1/history/conversations?text={SECRET}",
            f"/v1/history/conversations/{c}",
            f"/v1/history/recordings/{media[0]}?format=original",
        )
    ]
    assert {answer.status_code for answer in others} == {401}
    me = requests.post(f"{base}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20)
    everything = "".join(listener.played) + "".join(contact_centre.says(answer) for answer in [*tries, *others, me])
    told = json.dumps(events)
    private = [
        SECRET,
        media[0],
        media[1],
        media[2],
        staff["mira"].id,
        staff["dana"].id,
        staff["omar"].id,
        "Mira",
        "urgent",
        "quiet",
        "mention",
        "offered",
        "declined",
        "queued",
    ]
    found = [word for word in private if word in everything]
    figure(
        "private",
        f"{len(private)} private things looked for in {len(everything) // 1024} KiB of {len(listener.played)} frames "
        f"and {len(tries) + len(others) + 1} answers: {len(found)} found",
    )
    missing = [word for word in private if word not in told and word != media[2]]
    assert not missing, f"the premise: the brand has all of it: {missing}"
    assert "The last word" in everything and "Omar" in everything, "the premise: the consumer has what is said to them"
    assert not found, found
    kept = staff["omar"].session.get(f"{base}/v1/media/{c}/{media[0]}.mp3", timeout=20)
    assert kept.status_code == 200 and len(kept.content) > 1000, "and the brand's people hear it"
    server.stop()
