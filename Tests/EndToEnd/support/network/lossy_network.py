"""A slow network with delay and loss in front of a server, on loopback. (The test kernel has no netem.)"""

import asyncio
import random
import threading

SEGMENT = 1460


class LossyNetwork:
    """A proxy in a thread of its own. While `is_bad`, each direction passes `rate` bytes a second, each segment `delay`
    ± `jitter` seconds late; a lost one comes a round trip later, and holds up those behind it, as TCP does it. A
    connection dies without a word after `lifetime` bytes from the client.
    """

    def __init__(
        self, port: int, seed: int, rate=64 * 1024, delay=0.1, jitter=0.025, loss=0.1, lifetime: int | None = None
    ):
        self.target, self.chance = port, random.Random(seed)
        self.rate, self.delay, self.jitter, self.loss, self.lifetime = rate, delay, jitter, loss, lifetime
        self.is_bad, self.lost, self.segments, self.cuts, self.up = False, 0, 0, 0, 0
        self.ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True)

    def __enter__(self) -> "LossyNetwork":
        self.thread.start()
        self.ready.wait()
        return self

    def __exit__(self, *_) -> None:
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    async def serve(self) -> None:
        self.loop, self.over, self.ways = asyncio.get_running_loop(), asyncio.Event(), set()
        server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await self.over.wait()
        server.close()
        for task in self.ways:
            task.cancel()
        await asyncio.gather(*self.ways, return_exceptions=True)

    async def accept(self, reader, writer) -> None:
        self.ways.add(asyncio.current_task())
        try:
            back, forth = await asyncio.open_connection("127.0.0.1", self.target)
            ways = [
                asyncio.ensure_future(self.pass_on(reader, forth, True)),
                asyncio.ensure_future(self.pass_on(back, writer, False)),
            ]
            self.ways.update(ways)
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            forth.transport.abort()
        except (OSError, asyncio.CancelledError):
            pass
        writer.transport.abort()

    async def pass_on(self, reader, writer, is_up: bool) -> None:
        sent, arrived, passed = 0.0, 0.0, 0
        while data := await reader.read(SEGMENT):
            passed += len(data)
            self.up += len(data) if is_up else 0
            if self.is_bad:
                sent = max(sent, self.loop.time()) + len(data) / self.rate
                # Never two at the same moment: timers of one moment go off in any order.
                arrived = max(arrived + 1e-5, sent + self.lateness())
                self.loop.call_at(arrived, self.write, writer, data)
                # What is under way is not read ahead of its time: the sender feels the rate.
                await asyncio.sleep(max(0.0, sent - self.loop.time()))
                if is_up and self.lifetime is not None and passed >= self.lifetime:
                    self.cuts += 1
                    return
            else:
                self.write(writer, data)
        # The end comes behind the last byte.
        await asyncio.sleep(max(0.0, arrived - self.loop.time()) + 0.01)

    def lateness(self) -> float:
        self.segments += 1
        late = self.delay + self.chance.uniform(-self.jitter, self.jitter)
        while self.chance.random() < self.loss:
            self.lost += 1
            late += 2 * self.delay
        return late

    @staticmethod
    def write(writer, data: bytes) -> None:
        if not writer.transport.is_closing():
            writer.write(data)
