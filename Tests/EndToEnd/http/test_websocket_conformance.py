"""Strict conformance to RFC 6455: each probe is bytes on a raw connection, with the answer that is required."""

import json
import re
import struct

import pytest

from support import api
from support.network.raw_socket import RawSocket, frame, read_frame, request, upgrade

TEXT, BINARY, CONTINUE, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
HELLO = b'{"hello":{"token":"%s"}}'


def close_with(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, struct.pack(">H", code) + reason)


def connected(port: int) -> RawSocket:
    raw = upgrade(port)
    head = raw.head()
    assert head.startswith(b"HTTP/1.1 101"), head
    return raw


def signed_in(server, consumer) -> RawSocket:
    raw = connected(server.port)
    raw.send(frame(TEXT, HELLO % consumer.token.encode()))
    opcode, payload = read_frame(raw)
    assert opcode == TEXT and payload.startswith(b'{"ready"'), payload
    return raw


def closing_code(raw: RawSocket) -> int | None:
    """The code of the close that the server sends; None where the connection ends without one. Everything before it
    is read over."""
    while True:
        got = read_frame(raw)
        if got is None:
            return None
        if got[0] == CLOSE:
            return struct.unpack(">H", got[1][:2])[0] if len(got[1]) >= 2 else 1005


def message(raw: RawSocket, beginning: bytes) -> bytes:
    """The next text message that begins so; other messages (the events before an answer) are read over."""
    while got := read_frame(raw):
        assert got[0] == TEXT, got
        if got[1].startswith(beginning):
            return got[1]
    raise AssertionError(f"the connection ended before {beginning!r}")


# What a server must refuse: the frames, and the close code that says so.
BROKEN = {
    "an unmasked text frame": (frame(TEXT, b"{}", masked=False), 1002),
    "an unmasked ping": (frame(PING, b"a", masked=False), 1002),
    "reserved bit 1": (frame(TEXT, b"{}", reserved=4), 1002),
    "reserved bit 2": (frame(TEXT, b"{}", reserved=2), 1002),
    "reserved bit 3": (frame(TEXT, b"{}", reserved=1), 1002),
    "a reserved bit on a control frame": (frame(PING, reserved=4), 1002),
    **{f"reserved opcode {opcode}": (frame(opcode, b"a"), 1002) for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "a fragmented ping": (frame(PING, b"a", final=False), 1002),
    "a fragmented close": (frame(CLOSE, b"\x03\xe8", final=False), 1002),
    "a ping of 126 bytes": (frame(PING, b"a" * 126), 1002),
    "a close of 126 bytes": (frame(CLOSE, b"\x03\xe8" + b"a" * 124), 1002),
    "a continuation of nothing": (frame(CONTINUE, b"a"), 1002),
    "a final continuation after the message ended": (frame(PONG) + frame(CONTINUE, b"a"), 1002),
    "a text inside a fragmented text": (frame(TEXT, b"{", final=False) + frame(TEXT, b"}"), 1002),
    "a close of one byte": (frame(CLOSE, b"\x03"), 1002),
    **{
        f"close code {code}": (close_with(code), 1002)
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)
    },
    "a close whose reason is no UTF-8": (close_with(1000, b"\xc3\x28"), 1007),
    "a text that is no UTF-8": (frame(TEXT, b'{"a":"\xc3\x28"}'), 1007),
    "a text cut inside a character": (frame(TEXT, b'"\xe2\x82'), 1007),
    "an overlong encoding": (frame(TEXT, b'"\xc0\xaf"'), 1007),
    "a surrogate": (frame(TEXT, b'"\xed\xa0\x80"'), 1007),
    "a scalar over U+10FFFF": (frame(TEXT, b'"\xf4\x90\x80\x80"'), 1007),
    "bad UTF-8 across fragments": (frame(TEXT, b'"\xe2\x82', final=False) + frame(CONTINUE, b"("), 1007),
    "a length of 16 bits that needs 7": (frame(TEXT, b"{}", length=b"\x7e\x00\x02"), 1002),
    "a length of 64 bits that needs 16": (frame(TEXT, b"a" * 200, length=b"\x7f" + struct.pack(">Q", 200)), 1002),
    "a length with the top bit set": (frame(TEXT, b"", length=b"\x7f" + struct.pack(">Q", 1 << 63)), 1002),
    "a frame over 64 KB": (frame(TEXT, b"a" * 65537), 1009),
    "a frame that says it is 4 GB": (frame(TEXT, b"", length=b"\x7f" + struct.pack(">Q", 1 << 32)), 1009),
    "fragments of more than 64 KB together": (
        frame(TEXT, b"a" * 40000, final=False) + frame(CONTINUE, b"a" * 40000),
        1009,
    ),
    "more than 100 fragments": (
        frame(TEXT, b'"', final=False) + b"".join(frame(CONTINUE, b"a", final=False) for _ in range(100)),
        1009,
    ),
    "a binary message": (frame(BINARY, b"{}"), 1003),
}
# 1002 says "protocol"; a limit or a kind of data may also be told as policy (1008).
ALSO = {1009: {1009, 1008}, 1003: {1003, 1008, 1007}, 1002: {1002}, 1007: {1007}}


HELD: list[str] = []


@pytest.mark.parametrize("name", BROKEN)
def test_a_protocol_violation_is_closed_with_its_code(server, consumer, name):
    bytes_sent, code = BROKEN[name]
    raw = signed_in(server, consumer).send(bytes_sent)
    assert closing_code(raw) in ALSO[code]
    assert raw.hang_up().is_closed()
    HELD.append(name)


def test_a_ping_is_answered_with_its_own_bytes(server, consumer):
    for payload in (b"", b"hello", bytes(range(125))):
        raw = signed_in(server, consumer).send(frame(PING, payload))
        assert read_frame(raw) == (PONG, payload)
        raw.close()


def test_a_ping_between_fragments_does_not_disturb_the_message(server, consumer):
    raw = signed_in(server, consumer)
    raw.send(frame(TEXT, b'{"send":"frag","te', final=False) + frame(PING, b"p") + frame(CONTINUE, b'xt":"in pieces"}'))
    assert read_frame(raw) == (PONG, b"p")
    assert message(raw, b'{"ok":"frag"')


def test_an_unsolicited_pong_is_ignored(server, consumer):
    raw = signed_in(server, consumer).send(frame(PONG, b"x") + frame(PING, b"y"))
    assert read_frame(raw) == (PONG, b"y")


def test_a_character_split_over_fragments_is_decoded(server, consumer):
    text = '{"send":"split","text":"€"}'.encode()
    cut = text.index("€".encode()) + 1
    raw = signed_in(server, consumer).send(
        frame(TEXT, text[:cut], final=False)
        + frame(CONTINUE, text[cut : cut + 1], final=False)
        + frame(CONTINUE, text[cut + 1 :])
    )
    assert message(raw, b'{"ok":"split"')


def test_one_byte_at_a_time_is_understood(server, consumer):
    raw = signed_in(server, consumer)
    for byte in frame(PING, b"slow"):
        raw.send(bytes([byte]))
    assert read_frame(raw) == (PONG, b"slow")


def test_exactly_100_fragments_are_accepted(server, consumer):
    text = b'{"send":"hundred","text":"a"}'
    pieces = [text[place:place + 1] for place in range(len(text))] + [b""] * (100 - len(text))
    data = (
        frame(TEXT, pieces[0], final=False)
        + b"".join(frame(CONTINUE, piece, final=False) for piece in pieces[1:-1])
        + frame(CONTINUE, pieces[-1])
    )
    raw = signed_in(server, consumer).send(data)
    assert message(raw, b'{"ok":"hundred"')


@pytest.mark.parametrize("code", [1000, 1001, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
def test_a_valid_close_is_answered_and_the_connection_ends(server, consumer, code):
    raw = signed_in(server, consumer).send(close_with(code, "tschüß".encode()))
    assert closing_code(raw) in {code, 1000}
    assert raw.is_closed()


def test_an_empty_close_is_answered(server, consumer):
    raw = signed_in(server, consumer).send(frame(CLOSE))
    assert closing_code(raw) in {1000, 1005}
    assert raw.is_closed()


def test_nothing_after_a_close_is_read(server, consumer):
    raw = signed_in(server, consumer).send(close_with(1000) + frame(TEXT, b'{"send":"late","text":"late"}'))
    assert closing_code(raw) == 1000
    assert raw.is_closed()


# The handshake: header lines that make it wrong, and what it gets.
HANDSHAKES = {
    "no key": (
        request("GET /v1/socket HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        {400},
    ),
    "a key that is too short": (
        request(
            "GET /v1/socket HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: c2hvcnQ=",
        ),
        {400},
    ),
    "version 8": (
        request(
            "GET /v1/socket HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 8",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ),
        {400, 426},
    ),
    "no version": (
        request(
            "GET /v1/socket HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ),
        {400, 426},
    ),
    "a POST": (
        request(
            "POST /v1/socket HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Content-Length: 0",
        ),
        {400, 404, 405},
    ),
    "another path": (
        request(
            "GET /v1/elsewhere HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ),
        {400, 401, 404},
    ),
    "no Connection: Upgrade": (
        request(
            "GET /v1/socket HTTP/1.1",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ),
        {400, 404, 426},
    ),
}


@pytest.mark.parametrize("name", HANDSHAKES)
def test_a_wrong_handshake_is_refused(server, name):
    sent, statuses = HANDSHAKES[name]
    assert RawSocket(server.port).send(sent).status() in statuses
    HELD.append(name)


HEALTH = request("GET /v1/ready HTTP/1.1")
HANDSHAKE = request(
    "GET /v1/socket HTTP/1.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)


def answer(raw: RawSocket) -> int:
    """The status of an answer with a body, which is read too."""
    head = raw.head()
    raw.read(int(re.search(rb"content-length: (\d+)", head.lower()).group(1)))
    return int(head.split(b" ", 2)[1])


@pytest.mark.parametrize("pipelined", [False, True])
def test_any_request_of_a_connection_may_become_a_socket(server, demo, pipelined):
    """A proxy that keeps connections to the server open sends the handshake on one that it has used before."""
    consumer = api.new_consumer(server.url, demo)
    raw = RawSocket(server.port)
    hello = frame(1, json.dumps({"hello": {"token": consumer.token}}).encode())
    if pipelined:
        raw.send(HEALTH + HEALTH + HANDSHAKE + hello)
        assert [answer(raw), answer(raw)] == [200, 200]
    else:
        for _ in range(2):
            assert answer(raw.send(HEALTH)) == 200
        raw.send(HANDSHAKE)
    assert raw.status() == 101
    if not pipelined:
        raw.send(hello)
    assert "ready" in json.loads(read_frame(raw)[1])
    for place in range(3):
        raw.send(frame(1, json.dumps({"send": f"key-{place}", "text": f"text {place}"}).encode()))
        while "ok" not in (received := json.loads(read_frame(raw)[1])):
            pass
        assert received["ok"] == f"key-{place}"
    raw.send(frame(9, b"ping"))
    while (received := read_frame(raw))[0] != 10:
        pass
    assert received[1] == b"ping"
    raw.send(frame(8, b"\x03\xe8"))
    while (received := read_frame(raw)) is not None and received[0] != 8:
        pass
    assert received == (8, b"\x03\xe8") and raw.is_closed()


def test_a_refused_handshake_on_a_used_connection_is_answered(server):
    raw = RawSocket(server.port).send(HEALTH)
    assert answer(raw) == 200
    assert answer(raw.send(request("GET /v1/socket HTTP/1.1"))) == 426
    assert raw.is_closed()


def test_a_request_that_offers_another_protocol_is_answered_and_ends_the_connection(server):
    """The parser reads nothing behind a request with Upgrade, so a second request would never be answered."""
    raw = RawSocket(server.port)
    raw.send(request("GET /v1/ready HTTP/1.1", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"))
    assert answer(raw) == 200 and raw.is_closed()


def test_the_handshake_answers_the_key_and_offers_no_extension(server):
    raw = upgrade(
        server.port,
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        "Sec-WebSocket-Protocol: chat",
        key="dGhlIHNhbXBsZSBub25jZQ==",
    )
    head = raw.head().decode().lower()
    assert head.startswith("http/1.1 101") and "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=" in head
    assert "extensions" not in head and "sec-websocket-protocol" not in head


def test_the_table_of_probes_is_complete(figure):
    assert len(BROKEN) + len(HANDSHAKES) >= 32
    figure(
        "25",
        f"{len(HELD)} of {len(BROKEN) + len(HANDSHAKES)} raw-socket RFC 6455 probes refused as the table says "
        f"({len(BROKEN)} broken frames, "
        f"{len(HANDSHAKES)} wrong handshakes), beside what has to work",
    )
