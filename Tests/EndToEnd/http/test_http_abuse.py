"""HTTP requests that are malformed, too slow or too large are refused."""

import asyncio
import json
import statistics
import subprocess
import sys
import time

import pytest
import requests

from support import api
from support.network.raw_socket import RawSocket, request
from support.wire import run

JSON = "Content-Type: application/json"
BODY = b'{"account":"a","app":"b"}'


def post(
    *headers: str, body: bytes = BODY, line: str = "POST /v1/consumers HTTP/1.1", host: str = "Host: localhost"
) -> bytes:
    return "\r\n".join([line, *([host] if host else []), JSON, *headers, "", ""]).encode() + body


LENGTH = f"Content-Length: {len(BODY)}"
CHUNKED = "Transfer-Encoding: chunked"
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)

# What is sent, and the statuses that refuse it. 0: closed without an answer.
PROBES = {
    "both lengths": (post(LENGTH, CHUNKED, body=CHUNKS), {400}),
    "two different lengths": (post(LENGTH, "Content-Length: 5"), {400}),
    "an unknown transfer encoding": (post("Transfer-Encoding: cow", body=CHUNKS), {400, 501}),
    "chunked that is not last": (post("Transfer-Encoding: chunked, gzip", body=CHUNKS), {400, 501}),
    "a space before the colon of a length": (post(f"Content-Length : {len(BODY)}"), {400}),
    "a length with a plus": (post(f"Content-Length: +{len(BODY)}"), {400}),
    "a negative length": (post("Content-Length: -1"), {400}),
    "a length that is no number": (post("Content-Length: abc"), {400}),
    "a length over 64 bits": (post("Content-Length: 99999999999999999999999"), {400, 413}),
    "a chunk size that is no number": (post(CHUNKED, body=b"zz\r\n" + BODY), {400}),
    "a chunk size over 64 bits": (post(CHUNKED, body=b"ffffffffffffffffff\r\n" + BODY), {400, 413}),
    "a header with a NUL": (post(LENGTH, "X-A: a\0b"), {400}),
    "a folded header": (post(LENGTH, "X-A: a\r\n b"), {400}),
    "a header over 100 KB": (post(LENGTH, "X-A: " + "a" * 100_000), {400, 431, 0}),
    "a thousand headers": (post(LENGTH, *(f"X-{place}: {'a' * 60}" for place in range(1000))), {400, 431, 0}),
    "no Host": (post(LENGTH, host=""), {400}),
    "two Hosts": (post(LENGTH, "Host: other"), {400}),
    "TRACE": (request("TRACE / HTTP/1.1"), {400, 404, 405, 501}),
    "a bare line feed in the head": (b"GET /v1/ready HTTP/1.1\nHost: localhost\nX: a\rb\n\n", {400}),
    "no HTTP at all": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", {400, 0}),
    "a method of 10 KB": (request("A" * 10_000 + " / HTTP/1.1"), {400, 404, 405, 431, 501, 0}),
}


HELD: list[str] = []


@pytest.mark.parametrize("name", PROBES)
def test_a_malformed_request_is_refused(server, name):
    sent, statuses = PROBES[name]
    raw = RawSocket(server.port).send(sent)
    status = raw.status()
    assert status in statuses
    if status in {0, 400}:
        assert (
            raw.is_closed()
        ), "after a framing error the connection must end: what follows could be a smuggled request"
    HELD.append(name)


def test_a_smuggled_request_is_not_answered(server):
    """The classic: a second request in what one parser calls body and another calls the next request."""
    smuggled = b"0\r\n\r\nGET /v1/ready HTTP/1.1\r\nHost: localhost\r\n\r\n"
    raw = RawSocket(server.port).send(post(f"Content-Length: {len(smuggled)}", CHUNKED, body=smuggled))
    answer = raw.read(100_000)
    assert b'"status":"ok"' not in answer.replace(b" ", b"")


def test_the_table_of_probes_is_complete(figure):
    assert len(PROBES) >= 18
    figure("24", f"{len(HELD)} of {len(PROBES)} malformed HTTP requests refused as the table says")


# Bar 20. Every route of docs/protocol.md that takes a body, with its limit.
def limited_routes(consumer) -> dict[str, tuple[str, str, int]]:
    small = 16 * 1024
    return {
        "consumers": ("POST", "/v1/consumers", small),
        "me": ("POST", "/v1/consumers/me", small),
        "login": ("POST", "/v1/login", small),
        "logout": ("POST", "/v1/logout", small),
        "tickets": ("POST", "/v1/tickets", small),
        "uploads": ("POST", "/v1/uploads", small),
        "chunk": ("PATCH", "/v1/uploads/{upload}?offset=0", 1024 * 1024),
        "finish": ("POST", "/v1/uploads/{upload}/finish", small),
    }


@pytest.mark.parametrize("route", ["consumers", "me", "login", "logout", "tickets", "uploads", "chunk", "finish"])
def test_an_oversized_body_is_refused(server, consumer, agent, route, figure):
    method, path, limit = limited_routes(consumer)[route]
    if "{upload}" in path:
        path = path.format(upload=api.begin_upload(server.url, consumer))
    credentials = (
        [f"Cookie: {agent.cookie}", f"X-Earshot-CSRF: {agent.headers['X-Earshot-CSRF']}"]
        if route in {"logout", "tickets"}
        else [f"Authorization: Bearer {consumer.token}"]
    )
    kind = "Content-Type: application/octet-stream" if route == "chunk" else JSON
    head = lambda *more: request(f"{method} {path} HTTP/1.1", kind, *credentials, *more)  # noqa: E731

    declared = RawSocket(server.port).send(head(f"Content-Length: {limit + 1}") + b" " * (limit + 1))
    assert declared.status() == 413

    before = server.memory_kib()
    taken = pour(server.port, head(CHUNKED), 1 << 30)
    grown = server.memory_kib() - before
    assert taken <= limit + SOCKET_BUFFERS, f"{taken} bytes were taken"
    assert grown <= 16 * 1024
    figure(
        "20",
        f"{method} {path.split('?')[0][:14]}…: limit {limit} bytes, 1 GB cut after {taken} bytes incl. socket buffers, "
        f"memory +{max(grown, 0)} KiB",
    )


# What the kernel of both sides may hold beside what the server read.
SOCKET_BUFFERS = 7 * 1024 * 1024


def pour(port: int, head: bytes, size: int) -> int:
    """Sends a chunked body without end and says how much went out until the server cut it."""
    raw = RawSocket(port)
    raw.socket.settimeout(10)
    piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
    sent = 0
    try:
        raw.socket.sendall(head)
        while sent < size:
            raw.socket.sendall(piece)
            sent += 65536
    except OSError:
        pass
    raw.close()
    return sent


# Bar 19. The connections of each kind; so many of each arrive a second.
ARRIVALS = 250


class Slow:
    """One slow connection: says `begin`, then a byte of `drip` every other second; counts how long the server bore
    it."""

    def __init__(self, port: int, begin: bytes, drip: bytes, after: float):
        self.port, self.begin, self.drip, self.after = port, begin, drip, after
        self.seconds: float | None = None

    async def live(self, limit: float) -> None:
        await asyncio.sleep(self.after)
        began = time.monotonic()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1024)
            writer.write(self.begin)
            await asyncio.wait_for(self.until_closed(reader, writer), limit)
            self.seconds = time.monotonic() - began
        except (ConnectionError, BrokenPipeError):
            self.seconds = time.monotonic() - began
        except TimeoutError:
            pass
        finally:
            writer.transport.abort()

    async def until_closed(self, reader, writer) -> None:
        ended = asyncio.create_task(reader.read())
        place = 0
        while not ended.done():
            await asyncio.wait([ended], timeout=2)
            if not ended.done():
                writer.write(self.drip[place % len(self.drip)].to_bytes())
                place += 1
                await writer.drain()


# A process of its own, so that what it measures is the server and not this program's event loop.
VISITOR = """
import http.client, sys, time
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=120)
    connection.request("GET", "/v1/ready", headers={"Host": "localhost"})
    assert connection.getresponse().status == 200
    connection.close()
    print(time.monotonic() - began)
    time.sleep(0.05)
"""


def visitor(port: int, seconds: float) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", VISITOR, str(port), str(seconds)], stdout=subprocess.PIPE, text=True)


def test_slow_connections_are_closed_and_do_not_disturb_others(server, nightly, figure):
    each = 1000
    kinds = {
        "headers": (b"POST /v1/consumers HTTP/1.1\r\nHost: localhost\r\nX-A: ", b"a"),
        "body": (request("POST /v1/consumers HTTP/1.1", JSON, "Content-Length: 4000") + b"{", b" "),
    }
    # Far beyond the bar of 30 s: the figures say how long it took, the test only that it ends.
    limit = 120

    async def story():
        slow = {
            name: [Slow(server.port, begin, drip, place / ARRIVALS) for place in range(each)]
            for name, (begin, drip) in kinds.items()
        }
        slow["to say anything"] = [Idle(server.port, b"", b"", place / ARRIVALS) for place in range(each)]
        await asyncio.gather(*(one.live(limit) for ones in slow.values() for one in ones))
        return slow

    checks = visitor(server.port, 20)
    slow = run(story())
    told, _ = checks.communicate()
    assert checks.returncode == 0, "a good request failed"
    times = [float(line) for line in told.split()]
    p99 = statistics.quantiles(times, n=100)[-1]
    for name, ones in slow.items():
        lasted = [one.seconds for one in ones if one.seconds is not None]
        figure("19", f"slow {name}: {len(lasted)} of {each} closed, the last after {max(lasted, default=0):.1f} s")
        assert len(lasted) == each, f"{each - len(lasted)} still open after {limit} s"
    figure(
        "19",
        f"a good request meanwhile: p50 {statistics.median(times) * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms over "
        f"{len(times)}",
    )


class Idle(Slow):
    """Connects and says nothing at all."""

    async def until_closed(self, reader, writer) -> None:
        await reader.read()


def test_errors_have_one_shape(server):
    answer = requests.get(f"{server.url}/v1/nothing", timeout=10)
    assert answer.status_code == 404
    error = json.loads(answer.text)["error"]
    assert set(error) >= {"code", "text", "request"} and error["code"] == "not_found"
