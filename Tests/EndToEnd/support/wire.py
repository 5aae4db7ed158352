"""A client of the socket protocol for tests, which keeps its outbox and cursor over any number of connections."""

import asyncio
import json
import random
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

import websockets
from websockets.asyncio.client import connect

from support.server import PATIENCE

LOST = (OSError, EOFError, asyncio.TimeoutError, websockets.exceptions.WebSocketException)


def run(coroutine):
    """Runs a coroutine to its end in a thread of its own: Playwright's synchronous interface occupies the main
    thread's loop."""
    box = {}

    def body():
        try:
            box["value"] = asyncio.run(coroutine)
        except BaseException as problem:  # handed to the caller, whatever it is
            box["problem"] = problem

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if "problem" in box:
        raise box["problem"]
    return box["value"]


class Link:
    """One socket: frames out, frames in, as JSON objects."""

    def __init__(self, socket):
        self.socket = socket

    @classmethod
    async def open(cls, url: str, hello: dict, **options) -> "Link":
        socket = await connect(
            url, compression=None, max_size=None, open_timeout=PATIENCE, ping_interval=None, close_timeout=1, **options
        )
        link = cls(socket)
        await link.send({"hello": hello})
        return link

    async def send(self, frame: dict) -> None:
        await self.socket.send(json.dumps(frame, separators=(",", ":")))

    async def receive(self, within: float = PATIENCE) -> dict:
        return json.loads(await asyncio.wait_for(self.socket.recv(), within))

    async def until(self, *kinds: str, within: float = PATIENCE) -> dict:
        """The next frame of one of these kinds; what comes before it is dropped."""
        while True:
            frame = await self.receive(within)
            if next(iter(frame)) in kinds:
                return frame

    async def close(self) -> None:
        await self.socket.close()

    def drop(self) -> None:
        """Gone without a word, as when a phone leaves the network."""
        self.socket.transport.abort()


@dataclass
class Client:
    """A consumer's device. What it said waits in the outbox until it is acknowledged; what it received stands in
    `events` by number."""

    url: str
    token: str
    name: str = ""
    window: int = 16
    outbox: "OrderedDict[str, str]" = field(default_factory=OrderedDict)
    said: dict[str, str] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    events: dict[int, dict] = field(default_factory=dict)
    through: int = 0
    epoch: str | None = None
    refused: list[dict] = field(default_factory=list)
    shown_twice: int = 0
    answers_changed: int = 0
    connections: int = 0
    resume_seconds: list[float] = field(default_factory=list)
    link: Link | None = None
    # The loopback address to connect from; any if empty.
    address: str = ""

    def hello(self) -> dict:
        cursor = {"after": self.through, "epoch": self.epoch} if self.epoch else {}
        return {"token": self.token, **cursor}

    async def connect(self) -> None:
        began = asyncio.get_running_loop().time()
        options = {"local_addr": (self.address, 0)} if self.address else {}
        self.link = await Link.open(self.url, self.hello(), **options)
        ready = (await self.link.until("ready"))["ready"]
        if ready.get("fresh") or ready["epoch"] != self.epoch:
            self.events, self.through = {}, 0
        self.epoch = ready["epoch"]
        self.take(ready["events"], ready["through"])
        self.connections += 1
        self.resume_seconds.append(asyncio.get_running_loop().time() - began)
        for key, text in self.outbox.items():
            await self.link.send({"send": key, "text": text})

    def take(self, events: list[dict], through: int | None) -> None:
        for event in events:
            if event["n"] <= self.through:
                continue
            self.shown_twice += event["n"] in self.events
            self.events[event["n"]] = event
        last = max([self.through, *(event["n"] for event in events)]) if through is None else through
        self.through = max(self.through, last)

    def handle(self, frame: dict) -> None:
        kind = next(iter(frame))
        if kind == "ok":
            self.accept(frame["ok"], frame["n"], frame["at"])
        elif kind == "no":
            self.refused.append(frame)
            self.outbox.pop(frame["no"], None)
        elif kind == "events":
            self.take(frame["events"], frame.get("through"))

    def accept(self, key: str, number: int, at: int) -> None:
        self.answers_changed += self.acknowledged.get(key, number) != number
        self.acknowledged[key] = number
        text = self.outbox.pop(key, None)
        if number > self.through:
            self.events[number] = {"n": number, "at": at, "by": 1, "text": self.said[key] if text is None else text}
            self.through = number

    async def say(self, key: str, text: str) -> None:
        """Kept first, sent then: what the client has to do so that nothing is lost."""
        self.said[key] = text
        self.outbox[key] = text
        await self.link.send({"send": key, "text": text})

    async def pump(self) -> None:
        """Takes one frame."""
        self.handle(await self.link.receive())

    async def settle(self) -> None:
        """Until everything said is acknowledged."""
        while self.outbox:
            await self.pump()

    async def persist(self, work, back_off: float = 0.02) -> None:
        """Runs `work` and comes back as often as the connection dies."""
        while True:
            try:
                await self.connect()
                return await work()
            except LOST:
                if self.link:
                    self.link.drop()
                await asyncio.sleep(back_off * (0.5 + random.random()))


async def read_whole(url: str, token: str) -> list[dict]:
    """A conversation from its first event to its last, read by pages as a fresh device would."""
    link = await Link.open(url, {"token": token})
    ready = (await link.until("ready"))["ready"]
    events, more = ready["events"], ready["more"]
    while more:
        await link.send({"page": None, "before": events[0]["n"], "limit": 200})
        page = await link.until("page")
        events, more = page["events"] + events, page["more"]
    await link.close()
    return events
