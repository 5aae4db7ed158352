"""What one consumer and one agent do in a visit, through whatever stands in front of the server: page, consumer,
recording in chunks, ranges, socket, sign-in."""

import hashlib
import ssl
from dataclasses import dataclass
from pathlib import Path

import requests

from support import api, wire
from support.demo import Login

CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Place:
    """Where a brand is reached: the public address, the authority that signed its certificate, and its names."""

    url: str
    authority: Path | None
    account: str
    app: str

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/v1/socket"

    @property
    def tls(self) -> ssl.SSLContext | None:
        return ssl.create_default_context(cafile=self.authority) if self.authority else None

    def client(self) -> requests.Session:
        client = requests.Session()
        # Otherwise REQUESTS_CA_BUNDLE, which a machine may have, would replace this authority.
        client.trust_env = False
        client.verify = str(self.authority) if self.authority else True
        return client


def new_consumer(place: Place, **headers: str) -> requests.Response:
    return place.client().post(
        f"{place.url}/v1/consumers", json={"account": place.account, "app": place.app}, headers=headers, timeout=30
    )


def upload(place: Place, consumer: api.Consumer, recording: bytes, mime: str) -> str:
    """Uploads in chunks and finishes; the recording's media id."""
    client = place.client()
    client.headers.update(consumer.headers)
    begun = client.post(
        f"{place.url}/v1/uploads",
        json={"conversation": consumer.conversation, "draft": api.new_id(), "mime": mime},
        timeout=30,
    )
    assert begun.status_code == 201, begun.text
    address = f"{place.url}/v1/uploads/{begun.json()['upload']}"
    for offset in range(0, len(recording), CHUNK):
        taken = client.patch(
            f"{address}?offset={offset}", data=recording[offset:offset + CHUNK], timeout=60,
            headers={"Content-Type": "application/octet-stream"},
        )
        assert taken.status_code == 200, taken.text
    finished = client.post(f"{address}/finish", json={"bytes": len(recording)}, timeout=60)
    assert finished.status_code == 200, finished.text
    return finished.json()["media"]


def check_ranges(place: Place, consumer: api.Consumer, media: str) -> int:
    """Reads the recording whole, from the middle, from its end, beyond its end, and with a known tag; its bytes."""
    client = place.client()
    client.headers.update(consumer.headers)
    address = f"{place.url}/v1/media/{consumer.conversation}/{media}.mp3"
    whole = client.get(address, timeout=30)
    assert whole.status_code == 200, whole.text

    def part(wanted: str) -> requests.Response:
        return client.get(address, headers={"Range": f"bytes={wanted}"}, timeout=30)

    middle, tail, beyond = part("100-199"), part("-50"), part(f"{len(whole.content)}-")
    assert (middle.status_code, middle.content) == (206, whole.content[100:200])
    assert (tail.status_code, tail.content) == (206, whole.content[-50:])
    assert beyond.status_code == 416
    known = client.get(address, headers={"If-None-Match": whole.headers["ETag"]}, timeout=30)
    assert known.status_code == 304
    return len(whole.content)


async def say(link: wire.Link, message: dict) -> int:
    """Sends a text or a recording, and returns its number."""
    await link.send({"send": api.new_id(), **message})
    answer = await link.until("ok", "no")
    assert "ok" in answer, answer
    return answer["n"]


def visit(place: Place, login: Login, recording: bytes, mime: str = "audio/wav") -> api.Consumer:
    """A consumer opens the widget, writes and speaks; an agent signs in and has the conversation in the inbox."""
    client = place.client()
    for page in ("/loader.js", "/widget/", "/workspace/"):
        assert client.get(f"{place.url}{page}", timeout=30).status_code == 200, page
    made = new_consumer(place)
    assert made.status_code == 201, made.text
    consumer = api.identity(made.json())
    media = upload(place, consumer, recording, mime)
    check_ranges(place, consumer, media)

    async def talk() -> None:
        link = await wire.Link.open(place.socket_url, {"token": consumer.token}, ssl=place.tls, origin=place.url)
        await link.until("ready")
        first = await say(link, {"text": "hello"})
        assert await say(link, {"audio": media}) > first
        await link.close()

    wire.run(talk())
    assert consumer.conversation in inbox(place, login)
    return consumer


def kept(place: Place, consumer: api.Consumer) -> dict:
    """A short conversation as a fresh device gets it, with the SHA-256 of what it plays of each recording."""

    async def read() -> list[dict]:
        link = await wire.Link.open(place.socket_url, {"token": consumer.token}, ssl=place.tls, origin=place.url)
        ready = (await link.until("ready"))["ready"]
        await link.close()
        assert not ready["more"]
        return ready["events"]

    client = place.client()
    client.headers.update(consumer.headers)
    events, recordings = wire.run(read()), {}
    for media in (event["audio"]["media"] for event in events if "audio" in event):
        played = client.get(f"{place.url}/v1/media/{consumer.conversation}/{media}.mp3", timeout=30)
        assert played.status_code == 200, played.text
        recordings[media] = hashlib.sha256(played.content).hexdigest()
    return {"events": events, "recordings": recordings}


def inbox(place: Place, login: Login) -> str:
    """What a fresh agent socket says first, as text."""
    client = place.client()
    signed_in = client.post(
        f"{place.url}/v1/login",
        json={"account": place.account, "email": login.email, "password": login.password},
        headers={"Origin": place.url},
        timeout=60,
    )
    assert signed_in.status_code == 200, signed_in.text
    if place.authority:
        assert signed_in.headers["Set-Cookie"].startswith("__Host-earshot="), signed_in.headers["Set-Cookie"]
    ticket = client.post(
        f"{place.url}/v1/tickets", timeout=30,
        headers={"X-Earshot-CSRF": signed_in.json()["csrf"], "Origin": place.url},
    )
    assert ticket.status_code == 200, ticket.text

    async def open_inbox() -> str:
        link = await wire.Link.open(
            place.socket_url, {"ticket": ticket.json()["ticket"]}, ssl=place.tls, origin=place.url
        )
        ready = await link.until("ready")
        await link.close()
        return str(ready)

    return wire.run(open_inbox())
