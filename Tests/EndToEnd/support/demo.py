"""What a person learns from the demo: the brand's names from the shop page, the logins from the server's output."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import requests

from support.server import PATIENCE, Server


@dataclass(frozen=True)
class Login:
    email: str
    password: str


@dataclass(frozen=True)
class Demo:
    account: str
    app: str
    agent: Login
    # A person with the built-in profile "administrator", who may do everything.
    manager: Login


def discover(server: Server, url: str | None = None, authority: Path | None = None) -> Demo:
    """Reads the shop page at `url` (a proxy's address, with a certificate of this authority), else at the server's."""
    verify = str(authority) if authority else True
    page = requests.get(f"{url or server.url}/demo/", timeout=PATIENCE, verify=verify).text
    line = re.search(r'src="/embed/([a-z0-9-]+)/([a-z0-9-]+)\.js"', page)
    assert line, f"the demo shop page names no account and app:\n{page[:2000]}"
    return Demo(line[1], line[2], login("agent", server), login("administrator", server))


def login(role: str, server: Server) -> Login:
    """The first login of a role, of those that the demo keeps and prints at every start."""
    known = json.loads((server.data / "demo-logins.json").read_text())
    entry = next(entry for entry in known if entry["role"] == role)
    assert (
        entry["email"] in server.log() and entry["password"] in server.log()
    ), f"the demo printed no {role} login:\n{server.log_tail()}"
    return Login(entry["email"], entry["password"])


def one_click_links(printed: str) -> dict[str, str]:
    """The links in what the demo, or `earshot demo-links`, printed: the address by the name of who is signed in."""
    links = re.findall(r"^ +(\w+), [a-z]+ +(http\S+/workspace/#/enter/\S+)$", printed, re.M)
    assert links, f"no one-click link was printed:\n{printed}"
    return dict(links)
