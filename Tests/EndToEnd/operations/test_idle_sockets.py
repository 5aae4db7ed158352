"""Idle sockets use little memory and answer pings."""

import asyncio
import time

from support import api, wire

OPENING_AT_ONCE = 50


def test_idle_sockets_use_little_memory_and_answer_pings(server, demo, nightly, figure):
    count, hold = (10_000, 600) if nightly else (2_000, 2)
    consumers = [api.new_consumer(server.url, demo) for _ in range(40)]

    async def story():
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def open_one(place):
            async with gate:
                link = await wire.Link.open(
                    server.socket_url, {"token": consumers[place % len(consumers)].token}, max_queue=1
                )
                await link.until("ready")
                return link

        links = [await open_one(place) for place in range(100)]
        first = server.memory_kib()
        links += await asyncio.gather(*(open_one(place) for place in range(100, count)))
        opened = server.memory_kib()
        await asyncio.sleep(hold)
        held = server.memory_kib()
        began = time.monotonic()
        await asyncio.gather(*[await link.socket.ping() for link in links])
        answered = time.monotonic() - began
        for link in links:
            link.drop()
        return first, opened, held, answered

    first, opened, held, answered = wire.run(story())
    each = (max(opened, held) - first) / (count - 100)
    figure(
        "16",
        f"{count} idle signed-in sockets held {hold} s: {each:.1f} KiB of resident memory each, all pings answered in "
        f"{answered:.2f} s",
    )
    assert each <= 20
