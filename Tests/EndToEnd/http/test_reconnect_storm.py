"""Thousands of clients whose connections break at once all come back."""

import asyncio
import random
import time
from pathlib import Path

from support import api, wire
from support.demo import discover

SPREAD = 5.0
OPENING_AT_ONCE = 50
PERSONS = 50


def listen_drops() -> int:
    """Connections that the kernel dropped because no queue had room."""
    names, values = [
        line.split() for line in Path("/proc/net/netstat").read_text().splitlines() if line.startswith("TcpExt:")
    ]
    return int(values[names.index("ListenDrops")])


def test_clients_that_lose_their_connection_at_once_come_back(new_server, nightly, figure):
    count = 5_000 if nightly else 1_000
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(PERSONS)]

    async def open_one(place: int) -> tuple[wire.Link, float]:
        began = time.monotonic()
        link = await wire.Link.open(server.socket_url, {"token": consumers[place % PERSONS].token}, max_queue=1)
        await link.until("ready")
        return link, time.monotonic() - began

    async def come_back(place: int) -> tuple[wire.Link, float]:
        # Full jitter, as the client library does.
        await asyncio.sleep(random.uniform(0, SPREAD))
        return await open_one(place)

    async def story():
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def first(place: int) -> wire.Link:
            async with gate:
                return (await open_one(place))[0]

        links = await asyncio.gather(*(first(place) for place in range(count)))
        dropped_before = listen_drops()
        for link in links:
            link.drop()
        began = time.monotonic()
        back = await asyncio.gather(*(come_back(place) for place in range(count)))
        seconds = time.monotonic() - began
        for link, _ in back:
            link.drop()
        return seconds, sorted(took for _, took in back), listen_drops() - dropped_before

    seconds, took, dropped = wire.run(story())
    figure(
        "18",
        f"{count} clients dropped at once: all back after {seconds:.1f} s (jitter {SPREAD:.0f} s), sign-in p50 "
        f"{took[count // 2] * 1000:.0f} ms, p99 {took[count * 99 // 100] * 1000:.0f} ms, "
        f"{dropped} dropped by the kernel",
    )
    assert len(took) == count and dropped == 0
    server.stop()
