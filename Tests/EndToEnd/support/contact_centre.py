"""A contact centre for tests: its settings over HTTP, its people's sockets, and its conversations' events."""

import json

import requests

from support import api, wire
from support.demo import Demo, Login
from support.server import PATIENCE, Server


def logins(server: Server) -> list[dict]:
    return json.loads((server.data / "demo-logins.json").read_text())


def people(server: Server, demo: Demo, *names: str) -> dict[str, api.Agent]:
    """These people of the demo, signed in: two agents and a manager unless told otherwise. A sign-in takes seconds
    of scrypt in a debug build."""
    known = {entry["name"].split()[0].lower(): Login(entry["email"], entry["password"]) for entry in logins(server)}
    return {name: api.Agent(server.url, demo.account, known[name]) for name in names or ("dana", "omar", "mira")}


def put(agent: api.Agent, section: str, value) -> dict:
    seen = agent.session.get(f"{agent.base}/v1/centre", timeout=20).json()["v"]
    answer = agent.session.put(
        f"{agent.base}/v1/centre/{section}", json={"v": seen, "value": value}, headers=agent.headers, timeout=20
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def skill(name: str, **more) -> dict:
    return {
        "id": name,
        "name": name.capitalize(),
        "default": False,
        "accept": "offer",
        "offerSeconds": 5,
        "sla": {"usual": 900, "urgent": 300, "first": 600},
        "velocity": 100,
        "disposition": "off",
        "survey": False,
        **more,
    }


def rule(name: str) -> dict:
    """Pages that end with the skill's name go to the skill."""
    return {
        "id": name,
        "name": name,
        "on": True,
        "conditions": [{"of": "page", "test": "ends", "value": f"/{name}"}],
        "skill": name,
        "urgent": False,
    }


def arriving(server: Server, demo: Demo, page: str) -> api.Consumer:
    """A consumer who came by this page of the shop."""
    answer = api.fresh_client().post(
        f"{server.url}/v1/consumers",
        json={"account": demo.account, "app": demo.app, "page": f"https://shop.example/{page}"},
        timeout=20,
    )
    assert answer.status_code == 201, answer.text
    return api.identity(answer.json())


class AgentConnection:
    """One of the brand's people at a page: rows and answers as they come."""

    def __init__(self, agent: api.Agent):
        self.agent = agent
        self.rows: dict[str, dict] = {}
        self.link: wire.Link | None = None
        self.keys = 0

    async def sit(self, server: Server) -> "AgentConnection":
        self.link = await wire.Link.open(server.socket_url, {"ticket": self.agent.ticket()})
        self.take((await self.link.until("ready"))["ready"]["rows"])
        return self

    async def be(self, state: str) -> "AgentConnection":
        await self.link.send({"state": state})
        while (await self.next("me"))["me"]["presence"]["state"] != state:
            pass
        return self

    def take(self, rows: list[dict]) -> None:
        for row in rows:
            self.rows[row["c"]] = row

    async def next(self, *kinds: str, within: float = PATIENCE) -> dict:
        while True:
            frame = await self.link.receive(within)
            kind = next(iter(frame))
            if kind == "rows":
                self.take(frame["rows"])
            if kind in kinds:
                return frame

    async def until_row(self, conversation: str, fits, within: float = PATIENCE) -> dict:
        while not (conversation in self.rows and fits(self.rows[conversation])):
            await self.next("rows", within=within)
        return self.rows[conversation]

    async def asks(self, conversation: str, **what) -> dict:
        """One command, and its answer: `take={}`, `close={}`, `text="…"`, or a kind of ask."""
        self.keys += 1
        key, (kind, value) = f"{self.agent.id[:8]}-{api.new_id()[:12]}", next(iter(what.items()))
        if kind in ("take", "close"):
            await self.link.send({kind: key, "c": conversation})
        elif kind in ("text", "audio"):
            await self.link.send({"send": key, "c": conversation, kind: value})
        else:
            await self.link.send({"ask": key, "c": conversation, kind: value})
        while True:
            frame = await self.next("ok", "no")
            if frame.get("ok", frame.get("no")) == key:
                return frame

    async def log(self, conversation: str) -> list[dict]:
        """Everything that happened there, as the brand sees it."""
        await self.link.send({"watch": conversation})
        whole = await self.next("watching")
        await self.link.send({"unwatch": conversation})
        assert not whole["more"], "the log is longer than a snapshot"
        return whole["events"]


def kinds(events: list[dict], kind: str) -> list[dict]:
    return [event for event in events if kind in event]


def upload_as(agent: api.Agent, conversation: str, recording: bytes) -> str:
    """An agent's recording for this conversation, finished."""
    begun = agent.session.post(
        f"{agent.base}/v1/uploads",
        json={"conversation": conversation, "draft": api.new_id()},
        headers=agent.headers,
        timeout=20,
    )
    assert begun.status_code == 201, begun.text
    name = begun.json()["upload"]
    sent = agent.session.patch(
        f"{agent.base}/v1/uploads/{name}?offset=0",
        data=recording,
        headers={**agent.headers, "Content-Type": "application/octet-stream"},
        timeout=30,
    )
    assert sent.status_code == 200, sent.text
    done = agent.session.post(
        f"{agent.base}/v1/uploads/{name}/finish", json={"bytes": len(recording)}, headers=agent.headers, timeout=60
    )
    assert done.status_code == 200, done.text
    return done.json()["media"]


def says(response: requests.Response) -> str:
    """All that an answer tells: status, headers, body."""
    return f"{response.status_code} {dict(response.headers)} {response.content!r}"


def set_presence(server: Server, agent: api.Agent, state: str) -> None:
    """The state that a person chose last stays for a while after their page is gone."""

    async def choose() -> None:
        connection = await AgentConnection(agent).sit(server)
        await connection.be(state)
        await connection.link.close()

    wire.run(choose())
