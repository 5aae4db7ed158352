"""People who are signed out, changed, disabled or suspended lose every socket and every route at once."""

import asyncio
import subprocess
import time

import pytest
import requests

from support import api, wire
from support.contact_centre import logins
from support.demo import Login
from support.server import bar, build_folder

WITHIN = 1.0
SEEN: dict[str, float] = {}


def is_refused(agent: api.Agent) -> bool:
    """Whether the session is gone, on reading and on changing."""
    asked = agent.session.get(f"{agent.base}/v1/session", timeout=10)
    changed = agent.session.post(f"{agent.base}/v1/tickets", headers=agent.headers, timeout=10)
    return (asked.status_code, changed.status_code) == (401, 401)


def change(manager: api.Agent, person: str, **what) -> requests.Response:
    return manager.session.patch(f"{manager.base}/v1/agents/{person}", json=what, headers=manager.headers, timeout=20)


async def open_socket(server, hello: dict) -> wire.Link:
    link = await wire.Link.open(server.socket_url, hello)
    await link.until("ready")
    return link


async def end_of(link: wire.Link) -> tuple[int, float]:
    """The code of the close, and when it came."""
    try:
        while True:
            await link.receive()
    except wire.LOST:
        return link.socket.close_code, time.time()


async def out(server, hellos: list[dict], stay: list[dict], act) -> tuple[list[int], float]:
    """Opens sockets, lets `act` run, and waits until the first ones are closed; the others have to answer after it.
    The close codes, and the longest time from `act`'s own moment (or from its end) to a close."""
    links = [await open_socket(server, hello) for hello in hellos]
    others = [await open_socket(server, hello) for hello in stay]
    ends = [asyncio.create_task(end_of(link)) for link in links]
    moment = await asyncio.to_thread(act)
    ended = await asyncio.gather(*ends)
    for other in others:
        await other.send({"watch": api.new_id()})
        assert "problem" in await other.until("problem")
        await other.close()
    return [code for code, _ in ended], max(when for _, when in ended) - moment


def told(what: str, seconds: float) -> None:
    SEEN[what] = max(0.0, seconds)
    assert seconds <= bar(WITHIN), what


@pytest.fixture(scope="module")
def manager(server, demo) -> api.Agent:
    return api.Agent(server.url, demo.account, demo.manager)


@pytest.fixture(scope="module")
def omar(server) -> Login:
    """Another agent: how often one person signs in is limited."""
    return next(
        Login(entry["email"], entry["password"]) for entry in logins(server) if entry["name"].startswith("Omar")
    )


def tickets(agent: api.Agent, count: int) -> list[dict]:
    return [{"ticket": agent.ticket()} for _ in range(count)]


def test_logout_ends_the_sockets_of_its_session_only(server, demo, omar):
    office, home = (api.Agent(server.url, demo.account, omar) for _ in range(2))

    def sign_out() -> float:
        assert office.session.post(f"{server.url}/v1/logout", headers=office.headers, timeout=20).status_code == 204
        return time.time()

    cookie = office.cookie
    codes, seconds = wire.run(out(server, tickets(office, 3), tickets(home, 1), sign_out))
    assert codes == [4401] * 3
    assert requests.get(f"{server.url}/v1/session", headers={"Cookie": cookie}, timeout=10).status_code == 401
    assert home.session.get(f"{server.url}/v1/session", timeout=10).status_code == 200
    told("logout", seconds)


@pytest.mark.parametrize(
    "what, sessions", [({"role": "manager"}, 2), ({"role": "agent"}, 1), ({"disabled": True}, 1)], ids=str
)
def test_a_changed_person_is_signed_out_everywhere(server, demo, manager, what, sessions):
    agents = [api.Agent(server.url, demo.account, demo.agent) for _ in range(sessions)]

    def alter() -> float:
        assert change(manager, agents[0].id, **what).status_code == 200
        return time.time()

    unused = agents[0].ticket()
    codes, seconds = wire.run(
        out(server, [ticket for agent in agents for ticket in tickets(agent, 2)], tickets(manager, 1), alter)
    )
    assert codes == [4401] * 2 * sessions
    assert all(is_refused(agent) for agent in agents)
    assert wire.run(first_close(server, {"ticket": unused})) == 4401
    if what == {"disabled": True}:
        login = {"account": demo.account, "email": demo.agent.email, "password": demo.agent.password}
        assert requests.post(f"{server.url}/v1/login", json=login, timeout=20).status_code == 401
        assert change(manager, agents[0].id, disabled=False).status_code == 200
    told(" ".join(f"{name}={value}" for name, value in what.items()), seconds)


async def first_close(server, hello: dict) -> int:
    link = await wire.Link.open(server.socket_url, hello)
    return (await end_of(link))[0]


def test_managers_change_people_and_the_last_administrator_stays(server, demo, manager, omar):
    agent = api.Agent(server.url, demo.account, omar)
    assert change(agent, agent.id, role="manager").status_code == 403
    refused = change(manager, manager.id, disabled=True)
    assert (refused.status_code, api.code_of(refused)) == (409, "last_administrator")
    assert change(manager, api.new_id(), name="Nobody").status_code == 404
    entries = manager.session.get(f"{server.url}/v1/audit", timeout=20).json()["entries"]
    assert {entry["detail"].split(" ", 1)[1] for entry in entries if entry["what"] == "person.changed"} >= {
        "role=manager",
        "disabled=true",
        "disabled=false",
    }


def test_a_suspended_brand_is_signed_out_and_its_consumers_keep_their_conversations(server, demo, manager, consumer):
    def earshot(verb: str) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [str(build_folder() / "earshot"), verb, "brand", demo.account],
            env=server.environment(),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done

    def suspend() -> float:
        earshot("suspend")
        return 0.0

    codes, ended = wire.run(out(server, tickets(manager, 2) + [{"token": consumer.token}] * 3, [], suspend))
    assert codes == [4401] * 2 + [4403] * 3
    assert is_refused(manager)
    back = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10)
    begun = api.fresh_client().post(
        f"{server.url}/v1/consumers", json={"account": demo.account, "app": demo.app}, timeout=10
    )
    assert [(answer.status_code, api.code_of(answer)) for answer in (back, begun)] == [(403, "suspended")] * 2
    earshot("resume")

    async def returned() -> str:
        while True:
            try:
                link = await open_socket(server, {"token": consumer.token})
                await link.close()
                return api.come_back(server.url, consumer).conversation
            except wire.LOST:
                await asyncio.sleep(0.05)  # the server looks four times a second

    assert wire.run(returned()) == consumer.conversation
    entries = manager.session.get(f"{server.url}/v1/audit", timeout=20).json()["entries"]
    suspended = next(entry for entry in entries if entry["what"] == "brand.suspended")
    assert suspended["by"] == "operator" and entries[0]["what"] == "brand.resumed"
    told("brand suspended", ended - suspended["at"] / 1000)


def test_the_figures(figure):
    figure(
        "46",
        "from the change to the last socket's close: "
        + ", ".join(f"{what} {seconds * 1000:.0f} ms" for what, seconds in SEEN.items())
        + "; API 401 at once",
    )
