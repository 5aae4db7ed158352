"""What a person learns from the demo: the brand's names from the shop page, the logins from what the server printed."""

import re
from dataclasses import dataclass

import requests

from support.server import Server


@dataclass(frozen=True)
class Login:
    email: str
    password: str


@dataclass(frozen=True)
class Demo:
    account: str
    app: str
    agent: Login
    manager: Login


def discover(server: Server) -> Demo:
    page = requests.get(f"{server.url}/demo/", timeout=10).text
    account, app = (re.search(rf'data-{name}="([a-z0-9-]+)"', page) for name in ("account", "app"))
    assert account and app, f"the demo shop page names no account and app:\n{page[:2000]}"
    logins = {name: login(name, server.log()) for name in ("agent", "manager")}
    return Demo(account.group(1), app.group(1), logins["agent"], logins["manager"])


def login(role: str, printed: str) -> Login:
    """The last login printed for a role: an address and a password on one line that says `agent` or `manager`."""
    found = re.findall(rf"(?im)^.*\b{role}\b.*?(\S+@[\w.-]+)\W+(?:password\W+)?(\S+)\s*$", printed)
    assert found, f"no {role} login was printed:\n{printed[-2000:]}"
    return Login(*found[-1])
