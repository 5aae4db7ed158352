"""A loopback proxy that cuts connections at chosen bytes and counts what passed."""

import asyncio
import random


class CuttingProxy:
    """Passes bytes to the server; a connection dies, without a close frame, once its budget of bytes in either
    direction is used up.

    Without a random source nothing is cut and it only counts.
    """

    def __init__(self, port: int, rng: random.Random | None = None, budget: int = 2000):
        self.target = port
        self.rng = rng
        self.budget = budget
        self.cuts = 0
        self.up = 0
        self.down = 0
        self.open: set[asyncio.Task] = set()

    async def __aenter__(self) -> "CuttingProxy":
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_) -> None:
        self.server.close()
        for task in self.open:
            task.cancel()
        await asyncio.gather(*self.open, return_exceptions=True)

    async def accept(self, reader, writer) -> None:
        self.open.add(asyncio.current_task())
        up, down = (self.rng.randrange(1, self.budget) if self.rng else None for _ in range(2))
        try:
            backend = await asyncio.open_connection("127.0.0.1", self.target)
            ways = [
                asyncio.create_task(self.copy(reader, backend[1], up, "up")),
                asyncio.create_task(self.copy(backend[0], writer, down, "down")),
            ]
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            self.cuts += any(task.result() for task in done)
            for task in ways:
                task.cancel()
            for stream in (writer, backend[1]):
                stream.transport.abort()
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            self.open.discard(asyncio.current_task())

    async def copy(self, reader, writer, budget: int | None, way: str) -> bool:
        """True where the budget ended it, False where the peer did."""
        try:
            while data := await reader.read(65536):
                piece = data if budget is None else data[:budget]
                setattr(self, way, getattr(self, way) + len(piece))
                writer.write(piece)
                await writer.drain()
                if budget is not None:
                    budget -= len(piece)
                    if budget <= 0:
                        return True
        except OSError:
            pass
        return False
