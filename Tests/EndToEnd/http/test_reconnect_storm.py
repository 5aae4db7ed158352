"""Thousands of clients whose connections break at once all come back, and each gets exactly what it missed."""

import asyncio
import random
import time
from pathlib import Path

from support import api, metrics, wire
from support.demo import discover
from support.server import bar

SPREAD = 5.0
OPENING_AT_ONCE = 50
PERSONS = 50


def listen_drops() -> int:
    """Connections that the kernel dropped because no queue had room."""
    names, values = [
        line.split() for line in Path("/proc/net/netstat").read_text().splitlines() if line.startswith("TcpExt:")
    ]
    return int(values[names.index("ListenDrops")])


def test_clients_that_lose_their_connection_at_once_come_back_and_get_what_they_missed(new_server, nightly, figure):
    count = 5_000 if nightly else 1_000
    server = new_server(metrics.settings()).start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(PERSONS)]

    async def open_one(place: int, cursor: dict) -> tuple[wire.Link, dict, float]:
        began = time.monotonic()
        token = consumers[place % PERSONS].token
        link = await wire.Link.open(server.socket_url, {"token": token, **cursor}, max_queue=1)
        ready = (await link.until("ready"))["ready"]
        return link, ready, time.monotonic() - began

    async def come_back(place: int, cursor: dict) -> tuple[wire.Link, dict, float]:
        # Full jitter, as the client library does.
        await asyncio.sleep(random.uniform(0, SPREAD))
        return await open_one(place, cursor)

    async def say(person: int, text: str) -> int:
        """Something is said in the conversation. - Returns: its number."""
        link = (await open_one(person, {}))[0]
        await link.send({"send": api.new_id(), "text": text})
        number = (await link.until("ok"))["n"]
        await link.close()
        return number

    async def story():
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def first(place: int) -> tuple[wire.Link, dict]:
            async with gate:
                return (await open_one(place, {}))[:2]

        for person in range(PERSONS):
            await say(person, "Hello")
        links = await asyncio.gather(*(first(place) for place in range(count)))
        dropped_before = listen_drops()
        for link, _ in links:
            link.drop()
        said = [await say(person, f"You were away, {person}") for person in range(PERSONS)]
        began = time.monotonic()
        back = await asyncio.gather(*(
            come_back(place, {"after": ready["through"], "epoch": ready["epoch"]})
            for place, (_, ready) in enumerate(links)))
        seconds = time.monotonic() - began
        dropped = listen_drops() - dropped_before
        open_sockets = await asyncio.to_thread(
            lambda: metrics.scrape(server).value("earshot_sockets", role="consumer"))
        for link, _, _ in back:
            link.drop()
        return [ready for _, ready in links], said, back, seconds, dropped, open_sockets

    cursors, said, back, seconds, dropped, open_sockets = wire.run(story())
    took = sorted(time for _, _, time in back)
    figure(
        "18",
        f"{count} clients dropped at once: all back after {seconds:.1f} s (jitter {SPREAD:.0f} s), sign-in p50 "
        f"{took[count // 2] * 1000:.0f} ms, p99 {took[count * 99 // 100] * 1000:.0f} ms, "
        f"{dropped} dropped by the kernel",
    )
    for place, (_, ready, _) in enumerate(back):
        before = cursors[place]["through"]
        assert not ready.get("fresh") and ready["through"] >= said[place % PERSONS] > before > 0, ready
        missed = [event["n"] for event in ready["events"]]
        assert missed == list(range(before + 1, ready["through"] + 1)), "what was missed, once, and nothing else"
        assert [event["text"] for event in ready["events"] if "text" in event] == [f"You were away, {place % PERSONS}"]
    # The server may not have noticed yet that some of the dropped sockets are gone.
    assert open_sockets >= count
    assert dropped == 0
    assert seconds <= bar(SPREAD + 5)
    server.stop()
