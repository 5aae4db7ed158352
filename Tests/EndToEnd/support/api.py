"""The HTTP half of docs/protocol.md, for tests."""

import base64
import random
import uuid
from dataclasses import dataclass

import requests

from support.demo import Demo, Login
from support.server import PATIENCE

CHUNK = 256 * 1024


class FromAddress(requests.adapters.HTTPAdapter):
    """Sends from its own loopback address: how many consumers begin from one address is limited, and real consumers
    come from many."""

    def init_poolmanager(self, *arguments, **options):
        address = f"127.{random.randrange(1, 255)}.{random.randrange(256)}.{random.randrange(1, 255)}"
        super().init_poolmanager(*arguments, source_address=(address, 0), **options)


def fresh_client() -> requests.Session:
    session = requests.Session()
    session.mount("http://", FromAddress())
    session.mount("https://", FromAddress())
    return session


@dataclass
class Consumer:
    """An anonymous consumer, as the server made it."""

    token: str
    id: str
    conversation: str
    limits: dict

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Agent:
    """A signed-in agent, as their browser speaks: session cookie, CSRF value and own origin."""

    def __init__(self, base: str, account: str, login: Login):
        self.base = base
        self.session = requests.Session()
        answer = self.session.post(
            f"{base}/v1/login", timeout=PATIENCE,
            json={"account": account, "email": login.email, "password": login.password},
        )
        assert answer.status_code == 200, answer.text
        self.body = answer.json()
        self.id = self.body["agent"]["id"]
        self.headers = {"X-Earshot-CSRF": self.body["csrf"], "Origin": base}

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.session.cookies)

    def ticket(self) -> str:
        answer = self.session.post(f"{self.base}/v1/tickets", headers=self.headers, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return answer.json()["ticket"]


def new_consumer(base: str, demo: Demo) -> Consumer:
    answer = fresh_client().post(
        f"{base}/v1/consumers", json={"account": demo.account, "app": demo.app}, timeout=PATIENCE
    )
    assert answer.status_code == 201, answer.text
    return identity(answer.json())


def come_back(base: str, consumer: Consumer) -> Consumer:
    """What a widget does on the next page."""
    answer = requests.post(f"{base}/v1/consumers/me", headers=consumer.headers, json={}, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return identity(answer.json())


def identity(body: dict) -> Consumer:
    consumer = body["consumer"]
    return Consumer(
        body["token"], consumer["id"] if isinstance(consumer, dict) else consumer, body["conversation"], body["limits"]
    )


def begin_upload(base: str, consumer: Consumer, mime: str = "audio/webm") -> str:
    answer = requests.post(
        f"{base}/v1/uploads",
        json={"conversation": consumer.conversation, "draft": new_id(), "mime": mime},
        headers=consumer.headers,
        timeout=PATIENCE,
    )
    assert answer.status_code == 201, answer.text
    return answer.json()["upload"]


def upload(base: str, consumer: Consumer, recording: bytes, mime: str = "audio/webm") -> requests.Response:
    """Uploads in chunks and finishes. The answer is the finish's, or the first refusal on the way."""
    name = begin_upload(base, consumer, mime)
    for offset in range(0, len(recording), CHUNK):
        answer = requests.patch(
            f"{base}/v1/uploads/{name}?offset={offset}", data=recording[offset:offset + CHUNK], timeout=PATIENCE,
            headers={**consumer.headers, "Content-Type": "application/octet-stream"})
        if answer.status_code != 200:
            return answer
    return requests.post(
        f"{base}/v1/uploads/{name}/finish", json={"bytes": len(recording)}, headers=consumer.headers, timeout=PATIENCE
    )


def key(manager: Agent, *scopes: str) -> str:
    """Makes an API key, and returns what a program sends."""
    body = {"name": "Warehouse", "scopes": list(scopes)}
    answer = manager.session.post(f"{manager.base}/v1/keys", json=body, headers=manager.headers, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return answer.json()["text"]


def code_of(answer: requests.Response) -> str:
    return answer.json()["error"]["code"]


def new_id() -> str:
    """22 characters of base64url, as a client makes ids."""
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
