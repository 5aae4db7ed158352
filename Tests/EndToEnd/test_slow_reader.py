"""Bar 17: a socket that does not read costs the server little, is closed with a code that says so, and comes back by its cursor."""

import asyncio
import json
import socket
import statistics
import struct
import time

from support import api, wire
from support.raw import frame, read_frame, upgrade

# The longest text in the widest characters: 8 KB of UTF-8 a message.
WIDE = "\U0001F399" * 2000


def silent_socket(server, agent, conversation):
    """An agent's raw socket with the smallest receive buffer; it watches the conversation and then reads no more."""
    raw = upgrade(server.port)
    assert raw.head().startswith(b"HTTP/1.1 101")
    raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.send(frame(1, json.dumps({"hello": {"ticket": agent.ticket()}}).encode()))
    assert b'"ready"' in read_frame(raw)[1]
    raw.send(frame(1, json.dumps({"watch": conversation}).encode()))
    while b'"watching"' not in read_frame(raw)[1]:
        pass
    return raw


def close_code(raw) -> int | None:
    """Reads what was still in the buffers, to the close."""
    while got := read_frame(raw):
        if got[0] == 8:
            return struct.unpack(">H", got[1][:2])[0]
    return None


def test_a_reader_that_stalls_is_closed_and_costs_little(server, demo, agent, nightly, figure):
    addressed = (400 if nightly else 40) << 20
    consumer, bystander = (api.new_consumer(server.url, demo) for _ in range(2))
    count = addressed // len(WIDE.encode())

    async def latency(client, stop) -> list[float]:
        times = []
        while not stop.is_set():
            began = time.monotonic()
            await client.say(f"b-{len(times)}", f"bystander {len(times)}")
            await client.settle()
            times.append(time.monotonic() - began)
            await asyncio.sleep(0.005)
        return times

    async def story():
        writer = wire.Client(server.socket_url, consumer.token, "writer", window=32)
        other = wire.Client(server.socket_url, bystander.token, "bystander")
        await writer.connect()
        await other.connect()
        await writer.say("first", "first")
        await writer.settle()
        raw = await asyncio.to_thread(silent_socket, server, agent, consumer.conversation)
        before, peak = server.memory_kib(), 0
        stop = asyncio.Event()
        measuring = asyncio.create_task(latency(other, stop))
        for number in range(count):
            await writer.say(f"w-{number}", WIDE)
            while len(writer.outbox) >= writer.window:
                await writer.pump()
            if number % 50 == 0:
                peak = max(peak, server.memory_kib())
        await writer.settle()
        stop.set()
        times = await measuring
        return raw, max(peak, server.memory_kib()) - before, times, writer

    raw, grown, times, writer = wire.run(story())
    code = close_code(raw)
    figure("17", f"{count * len(WIDE.encode()) >> 20} MB addressed to a socket that does not read: closed with {code}, server +{grown / 1024:.1f} MB; "
                 f"a bystander's message p50 {statistics.median(times) * 1000:.1f} ms, p99 {statistics.quantiles(times, n=100)[-1] * 1000:.1f} ms")
    assert code in {4410, None}, code
    assert raw.is_closed()
    assert len(writer.acknowledged) == count + 1


def test_asking_for_pages_and_not_reading_them_costs_little(server, demo, figure):
    """The amplifying way: a small frame asks for 200 events of 8 KB."""
    consumer = api.new_consumer(server.url, demo)

    async def fill():
        writer = wire.Client(server.socket_url, consumer.token, "writer")
        await writer.connect()
        for number in range(200):
            await writer.say(f"w-{number}", WIDE)
            while len(writer.outbox) >= writer.window:
                await writer.pump()
        await writer.settle()
        await writer.link.close()

    wire.run(fill())
    raw = upgrade(server.port)
    assert raw.head().startswith(b"HTTP/1.1 101")
    raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.send(frame(1, json.dumps({"hello": {"token": consumer.token}}).encode()))
    assert b'"ready"' in read_frame(raw)[1]
    before, peak = server.memory_kib(), 0
    raw.socket.settimeout(0.2)
    for number in range(250):
        raw.send(frame(1, b'{"page":null,"before":%d,"limit":200}' % (201 - number % 3)))
        peak = max(peak, server.memory_kib())
    grown = (max(peak, server.memory_kib()) - before) / 1024
    raw.socket.settimeout(15)
    figure("17", f"400 MB of pages asked for and not read: server +{grown:.1f} MB")
    assert grown <= 64, "the answers pile up in the server"
