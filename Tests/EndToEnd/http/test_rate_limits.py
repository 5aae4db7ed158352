"""Requests beyond a rate limit get 429 and Retry-After, with the default limits."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from support import api, wire
from support.demo import discover

# Everything of the test server is unhurried but here.
AS_SHIPPED = {"EARSHOT_SEND_BURST": "60", "EARSHOT_SENDS_PER_SECOND": "1"}


@pytest.fixture(scope="module")
def server(new_server):
    server = new_server(AS_SHIPPED).start()
    yield server
    server.stop()


class Count:
    """Tries, and what the rule allows in the time that they took."""

    def __init__(self, burst: int, every: float):
        self.burst, self.every = burst, every
        self.began = time.monotonic()
        self.allowed, self.refused = 0, 0

    def add(self, is_allowed: bool) -> None:
        self.allowed += is_allowed
        self.refused += not is_allowed

    def check(self, figure, what: str) -> None:
        elapsed = time.monotonic() - self.began
        figure(
            "22",
            f"{what}: {self.allowed} allowed, {self.refused} refused in {elapsed:.1f} s ({self.burst} at once, then "
            f"one every {self.every:g} s)",
        )
        assert self.burst <= self.allowed <= self.burst + elapsed / self.every + 1
        assert self.refused > 0


def is_allowed(answer: requests.Response, allowed: int, every: float) -> bool:
    if answer.status_code == allowed:
        return True
    assert (answer.status_code, api.code_of(answer)) == (429, "rate_limited"), answer.text
    assert 1 <= int(answer.headers["Retry-After"]) <= every and answer.json()["error"]["retryAfter"] == int(
        answer.headers["Retry-After"]
    )
    return False


def test_messages_are_limited_per_person_over_all_sockets(server, figure):
    consumer = api.new_consumer(server.url, discover(server))
    count = Count(60, 1)

    async def say(texts: range) -> None:
        links = [await wire.Link.open(server.socket_url, {"token": consumer.token}) for _ in range(2)]
        for link in links:
            await link.until("ready")
        for place in texts:
            await links[place % 2].send({"send": f"k-{place}", "text": f"{place}"})
        for place in texts:
            answer = await links[place % 2].until("ok", "no")
            count.add("ok" in answer)
            if "no" in answer:
                assert answer["code"] == "rate_limited" and answer["after"] >= 1000, answer
        for link in links:
            await link.close()

    async def story() -> None:
        await say(range(80))
        await say(range(80, 90))

    wire.run(story())
    count.check(figure, "sends of one person over 4 sockets")


def test_uploads_are_limited_per_person(server, figure):
    consumer = api.new_consumer(server.url, discover(server))
    count = Count(20, 3)
    for _ in range(24):
        answer = requests.post(
            f"{server.url}/v1/uploads",
            json={"conversation": consumer.conversation, "draft": api.new_id()},
            headers=consumer.headers,
            timeout=20,
        )
        count.add(is_allowed(answer, 201, 3))
        if answer.status_code == 201:  # how many are open at a time is limited too
            gone = requests.delete(
                f"{server.url}/v1/uploads/{answer.json()['upload']}", headers=consumer.headers, timeout=20
            )
            assert gone.status_code == 204
    count.check(figure, "uploads of one person")


def test_sign_ins_are_limited_per_person_over_all_addresses(server, figure):
    demo = discover(server)
    count = Count(5, 6)

    def guess(place: int) -> requests.Response:
        return requests.post(
            f"{server.url}/v1/login",
            json={"account": demo.account, "email": demo.agent.email, "password": "not the password"},
            headers={"X-Forwarded-For": f"198.51.100.{place}", "Forwarded": f"for=198.51.100.{place}"},
            timeout=60,
        )

    # All at once: a guess takes a debug build seconds of scrypt.
    with ThreadPoolExecutor(8) as guessers:
        for answer in guessers.map(guess, range(8)):
            count.add(is_allowed(answer, 401, 6))
    count.check(figure, "guesses at one password")


def test_new_consumers_are_limited_per_address(server, figure):
    demo = discover(server)
    count = Count(5, 30)
    here = api.fresh_client()
    for place in range(8):
        answer = here.post(
            f"{server.url}/v1/consumers",
            json={"account": demo.account, "app": demo.app},
            headers={"X-Forwarded-For": f"198.51.100.{place}"},
            timeout=20,
        )
        count.add(is_allowed(answer, 201, 30))
    count.check(figure, "new consumers from one address")
    assert api.new_consumer(server.url, demo), "somebody from another address is not refused"
