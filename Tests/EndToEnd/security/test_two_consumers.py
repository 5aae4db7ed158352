"""Two consumers never see each other's conversation, tried with each other's ids and tokens on every route and
frame."""

import pytest
import requests

from support import api, wire
from support.voice import speech


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


@pytest.fixture(scope="module")
def ana(server, demo, recording):
    """A consumer with a text, a voice message and an upload that is not finished."""
    consumer = api.new_consumer(server.url, demo)
    finished = api.upload(server.url, consumer, recording)
    assert finished.status_code == 200, finished.text

    async def talk():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": "a-1", "text": "Ana's secret"})
        await link.until("ok")
        await link.send({"send": "a-2", "audio": finished.json()["media"]})
        await link.until("ok")
        await link.close()

    wire.run(talk())
    consumer.media = finished.json()["media"]
    consumer.pending = api.begin_upload(server.url, consumer)
    return consumer


@pytest.fixture
def ben(server, demo):
    return api.new_consumer(server.url, demo)


def test_the_owner_gets_her_own_conversation(server, ana):
    """The premise: everything that is refused below is there, and given to the right one."""
    media = requests.get(f"{server.url}/v1/media/{ana.conversation}/{ana.media}.mp3", headers=ana.headers, timeout=10)
    status = requests.get(f"{server.url}/v1/uploads/{ana.pending}", headers=ana.headers, timeout=10)
    assert media.status_code == 200 and len(media.content) > 1000
    assert status.json()["received"] == 0


def test_another_consumer_gets_not_found_on_every_route(server, ana, ben):
    base = server.url
    tries = [
        requests.get(f"{base}/v1/media/{ana.conversation}/{ana.media}.mp3", headers=ben.headers, timeout=10),
        requests.get(f"{base}/v1/media/{ben.conversation}/{ana.media}.mp3", headers=ben.headers, timeout=10),
        requests.get(f"{base}/v1/uploads/{ana.pending}", headers=ben.headers, timeout=10),
        requests.patch(
            f"{base}/v1/uploads/{ana.pending}?offset=0",
            data=b"x",
            timeout=10,
            headers={**ben.headers, "Content-Type": "application/octet-stream"},
        ),
        requests.post(f"{base}/v1/uploads/{ana.pending}/finish", json={"bytes": 1}, headers=ben.headers, timeout=10),
        requests.delete(f"{base}/v1/uploads/{ana.pending}", headers=ben.headers, timeout=10),
        requests.post(
            f"{base}/v1/uploads",
            json={"conversation": ana.conversation, "draft": api.new_id()},
            headers=ben.headers,
            timeout=10,
        ),
    ]
    unknown = requests.get(f"{base}/v1/uploads/{api.new_id()}", headers=ben.headers, timeout=10)
    for answer in tries:
        assert (answer.status_code, api.code_of(answer)) == (404, "not_found"), (
            answer.request.method,
            answer.url,
            answer.text,
        )
        assert (
            answer.json()["error"]["text"] == unknown.json()["error"]["text"]
        ), "the answer tells that there is something"
    assert requests.get(f"{base}/v1/uploads/{ana.pending}", headers=ana.headers, timeout=10).json()["received"] == 0


def test_a_token_spliced_from_two_opens_nothing(server, ana, ben):
    mine, hers = ben.token.split("."), ana.token.split(".")
    mixed = {
        ".".join(hers[place] if place in swapped else part for place, part in enumerate(mine))
        for swapped in ({3}, {4}, {3, 4}, {6}, {2, 3, 4, 5})
    }
    for token in mixed - {ana.token, ben.token}:
        answer = requests.post(
            f"{server.url}/v1/consumers/me", headers={"Authorization": f"Bearer {token}"}, timeout=10
        )
        assert answer.status_code == 401, token

        async def hello(token=token):
            link = await wire.Link.open(server.socket_url, {"token": token})
            try:
                return await link.until("ready")
            except wire.LOST:
                return link.socket.close_code

        assert wire.run(hello()) == 4401, token


FRAMES = [
    lambda c, m: {"send": "b-1", "c": c, "text": "into hers"},
    lambda c, m: {"send": "b-2", "c": c, "audio": m},
    lambda c, m: {"send": "b-3", "audio": m},
    lambda c, m: {"watch": c},
    lambda c, m: {"page": c, "before": 99},
    lambda c, m: {"take": "b-4", "c": c},
    lambda c, m: {"close": "b-5", "c": c},
    lambda c, m: {"typing": True, "c": c},
    lambda c, m: {"got": 1, "c": c},
    lambda c, m: {"read": 1, "c": c},
    lambda c, m: {"unwatch": c},
]


@pytest.mark.parametrize("make", FRAMES, ids=lambda make: next(iter(make("c", "m"))) + str(FRAMES.index(make)))
def test_no_frame_reaches_another_conversation(server, ana, ben, make):
    async def story():
        before = await wire.read_whole(server.socket_url, ana.token)
        hers = await wire.Link.open(server.socket_url, {"token": ana.token})
        await hers.until("ready")
        his = await wire.Link.open(server.socket_url, {"token": ben.token})
        await his.until("ready")
        await his.send(make(ana.conversation, ana.media))
        # A frame that is answered for certain comes after it: what the refused one did is known by then.
        await his.send({"send": "after", "text": "after"})
        got = []
        while not got or "ok" not in got[-1] or got[-1]["ok"] != "after":
            got.append(await his.receive())
        await hers.send({"send": f"mark-{api.new_id()}", "text": "still mine"})
        seen = []
        while not seen or "ok" not in seen[-1]:
            seen.append(await hers.receive())
        after = await wire.read_whole(server.socket_url, ana.token)
        return before, got, seen, after

    before, got, seen, after = wire.run(story())
    assert after[: len(before)] == before and len(after) == len(before) + 1
    assert not any("secret" in str(frame) for frame in got)
    assert not any(frame.get("ok", "").startswith("b-") for frame in got), got
    assert not any(name in frame for frame in got for name in ("watching", "page"))
    # That nobody of the brand is there is said to the person who writes.
    assert all("ok" in frame or "expect" in frame for frame in seen), f"she noticed something of him: {seen}"
