"""Clock jumps change no order of messages, and no expired credential is accepted."""

import asyncio
import time

import pytest
import requests

from websockets.exceptions import ConnectionClosedError

from support import api, wire
from support.demo import discover
from support.log_audit import EMPTY, audit
from support.server import bar
from support.server_clock import DAY, HOUR, Clock

SESSION, TOKEN, TICKET = 12 * HOUR, 400 * DAY, 60
SESSION_ENDED = 4401
# The server looks at every socket once a second.
CLOSED_WITHIN = 2.5
# At +400 d the tokens are over, which is a test of its own.
JUMPS = {"+1 h": HOUR, "back": 0, "-1 h": -HOUR, "forth": 0, "+399 d": 399 * DAY, "back from there": 0}


@pytest.fixture(scope="module")
def clock(tmp_path_factory) -> Clock:
    return Clock(tmp_path_factory.mktemp("clock"))


@pytest.fixture(scope="module")
def server(new_server, clock):
    server = new_server(clock.settings).start()
    yield server
    clock.set(0)
    server.stop()


@pytest.fixture
def fresh(clock):
    clock.set(0)
    yield clock
    clock.set(0)


def test_the_clock_is_really_set(server, fresh):
    """The premise of everything below."""
    consumer = api.new_consumer(server.url, discover(server))
    for offset in (HOUR, -60, 399 * DAY):
        fresh.set(offset)
        answer = wire.run(say_once(server, consumer.token, f"at{offset}"))
        assert abs(answer["at"] / 1000 - time.time() - offset) < 60


async def say_once(server, token: str, key: str) -> dict:
    link = await wire.Link.open(server.socket_url, {"token": token})
    await link.until("ready")
    await link.send({"send": key, "text": key})
    answer = await link.until("ok")
    await link.close()
    return answer


async def talk(client: wire.Client, jumps: list[int], each: int, jumped: asyncio.Barrier) -> None:
    """Says so much between any two jumps, and is in the middle of it when the clock jumps."""
    await client.connect()
    for place in range(len(jumps) + 1):
        for _ in range(each):
            await client.say(f"{client.name}-{len(client.said)}", f"{client.name} {len(client.said)}")
            while len(client.outbox) >= client.window:
                await client.pump()
        if place < len(jumps):
            await jumped.wait()
    await client.settle()
    await client.link.close()


async def jump_among(server, clock, clients: list[wire.Client], jumps: list[int], each: int) -> None:
    jumped = asyncio.Barrier(len(clients) + 1)
    talking = [asyncio.create_task(talk(client, jumps, each, jumped)) for client in clients]
    for offset in jumps:
        await jumped.wait()
        clock.set(offset)
    await asyncio.gather(*talking)


def verdict_on(server, clients: list[wire.Client], logs: list[list[dict]]):
    verdict = EMPTY
    for client, log in zip(clients, logs):
        verdict += audit(
            list(client.said.values()), {client.said[key]: number for key, number in client.acknowledged.items()}, log
        )
    return verdict


def test_messages_keep_their_order_when_the_clock_jumps(server, fresh, nightly, figure):
    demo = discover(server)
    each = 500 if nightly else 60
    consumers = [api.new_consumer(server.url, demo) for _ in range(4)]
    clients = [
        wire.Client(server.socket_url, consumer.token, f"c{place}", window=8)
        for place, consumer in enumerate(consumers)
    ]
    agent = api.Agent(server.url, demo.account, demo.agent)

    async def story():
        watcher = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()})
        ready = (await watcher.until("ready"))["ready"]
        position, epoch = ready["position"], ready["epoch"]
        await jump_among(server, fresh, clients, list(JUMPS.values()), each)
        logs = [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers]
        last = {consumer.conversation: log[-1]["n"] for consumer, log in zip(consumers, logs)}
        backwards = 0
        while any(last.values()):
            try:
                frame = await watcher.until("rows")
            except ConnectionClosedError as closed:
                assert closed.rcvd is not None and closed.rcvd.code == SESSION_ENDED, closed
                # The agent's session ended while the clock was 399 days ahead. The agent signs in and resumes.
                ticket = api.Agent(server.url, demo.account, demo.agent).ticket()
                watcher = await wire.Link.open(
                    server.socket_url, {"ticket": ticket, "position": position, "epoch": epoch}
                )
                frame = (await watcher.until("ready"))["ready"]
            backwards += frame["position"] < position
            position = frame["position"]
            for row in frame["rows"]:
                if row["c"] in last and row["n"] == last[row["c"]]:
                    last[row["c"]] = 0
        await watcher.close()
        return logs, backwards

    logs, backwards = wire.run(story())
    verdict = verdict_on(server, clients, logs)
    stamps = [event["at"] for log in logs for event in log]
    steps_back = sum(later["at"] < earlier["at"] for log in logs for earlier, later in zip(log, log[1:]))
    figure(
        "14",
        f"{len(JUMPS)} jumps ({', '.join(JUMPS)}) under 4 senders: {verdict.acknowledged} acknowledged, {verdict.lost} "
        f"lost, {verdict.doubled} doubled, "
        f"{verdict.reordered} reordered, {backwards} feed positions stepped back; times span "
        f"{(max(stamps) - min(stamps)) / DAY / 1000:.0f} d and "
        f"step back {steps_back} times",
    )
    assert verdict.is_clean, verdict
    assert backwards == 0
    assert steps_back >= 8, "the clock was not seen to jump: the test shows nothing"


def test_an_expired_session_or_ticket_is_refused(server, fresh, figure):
    demo = discover(server)
    agent = api.Agent(server.url, demo.account, demo.manager)

    def ask() -> int:
        return agent.session.get(f"{server.url}/v1/session", timeout=10).status_code

    async def hello(ticket: str) -> bool:
        link = await wire.Link.open(server.socket_url, {"ticket": ticket})
        try:
            await link.until("ready")
            return True
        except wire.LOST:
            assert link.socket.close_code == 4401
            return False

    taken = {}
    for name, offset in {
        "now": 0,
        "59 s later": 50,
        "61 s later": TICKET + 1,
        "an hour earlier": -HOUR,
        "400 d later": TOKEN,
    }.items():
        ticket = agent.ticket()
        fresh.set(offset)
        taken[name] = wire.run(hello(ticket))
        fresh.set(0)
    assert taken == {
        "now": True,
        "59 s later": True,
        "61 s later": False,
        "an hour earlier": False,
        "400 d later": False,
    }
    sessions = {}
    for name, offset in {
        "11:59 h": SESSION - 120,
        "12:01 h": SESSION + 60,
        "an hour earlier": -HOUR,
        "400 d": 400 * DAY,
    }.items():
        fresh.set(offset)
        sessions[name] = ask()
        fresh.set(0)
    assert sessions == {"11:59 h": 200, "12:01 h": 401, "an hour earlier": 401, "400 d": 401}
    assert ask() == 200, "set right again, the clock lets in who is signed in"
    figure("14", f"tickets: taken {taken}; a session: {sessions}")


@pytest.mark.parametrize("who, lifetime", [("agent", SESSION), ("consumer", TOKEN)])
def test_a_socket_ends_when_its_session_or_token_expires(server, fresh, figure, who, lifetime):
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    hello = (
        {"token": consumer.token}
        if who == "consumer"
        else {"ticket": api.Agent(server.url, demo.account, demo.agent).ticket()}
    )

    async def story() -> tuple[int, float]:
        if who == "consumer":
            await say_once(server, consumer.token, "before")
        link = await wire.Link.open(server.socket_url, hello)
        await link.until("ready")
        fresh.set(lifetime - 120)
        await link.send({"page": None, "before": 1} if who == "consumer" else {"page": api.new_id(), "before": 1})
        assert "bye" not in await link.receive()
        fresh.set(lifetime + 1)
        began = time.monotonic()
        try:
            while True:
                await link.receive()
        except wire.LOST:
            return link.socket.close_code, time.monotonic() - began

    code, seconds = wire.run(story())
    figure(
        "14",
        f"the clock passes the end of {'a session' if who == 'agent' else 'a token'}: its socket is closed with {code} "
        f"after {seconds:.2f} s",
    )
    # 1001 means: connect again. The server knows that its clock jumped, so the consumer keeps the token.
    assert code == (SESSION_ENDED if who == "agent" else 1001) and seconds <= bar(CLOSED_WITHIN)
    if who == "consumer":
        answer = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10)
        assert (answer.status_code, api.code_of(answer)) == (503, "not_yet_valid")
        fresh.set(0)
        wire.run(say_once(server, consumer.token, "right-again"))
        events = wire.run(wire.read_whole(server.socket_url, consumer.token))
        # After 30 days without an answer the server closed the conversation; the second text resumed it.
        assert [event["n"] for event in events] == list(range(1, len(events) + 1))
        assert [event["text"] for event in events if "text" in event] == ["before", "right-again"]


def test_a_consumer_gets_no_token_while_the_clock_is_wrong_and_loses_none(server, fresh):
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    wire.run(say_once(server, consumer.token, "before-the-jump"))

    def come_back() -> requests.Response:
        return requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10)

    def begin() -> requests.Response:
        body = {"account": demo.account, "app": demo.app}
        return requests.post(f"{server.url}/v1/consumers", json=body, timeout=10)

    for jump in (TOKEN + DAY, 2 * DAY, -2 * DAY):
        fresh.set(jump)
        assert api.code_of(begin()) == "not_yet_valid", jump
        back = come_back()
        # Two days on, the token is good by either clock.
        assert back.status_code == 200 if jump == 2 * DAY else api.code_of(back) == "not_yet_valid", jump
    fresh.set(0)
    assert come_back().status_code == 200 and begin().ok
    wire.run(say_once(server, consumer.token, "after-it"))


def test_a_token_from_the_future_waits_for_its_time_and_is_not_lost(server, fresh):
    demo = discover(server)
    fresh.set(HOUR)
    consumer = api.new_consumer(server.url, demo)
    fresh.set(0)
    early = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10)
    assert (early.status_code, api.code_of(early)) == (503, "not_yet_valid"), early.text
    assert int(early.headers["Retry-After"]) > 0

    async def refused() -> tuple[str, int | None]:
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        bye = (await link.until("bye"))["bye"]
        try:
            await link.receive()
        except wire.LOST:
            pass
        return bye["code"], link.socket.close_code

    # 1001 means: connect again. 4401 would mean: the identity is lost.
    assert wire.run(refused()) == ("not_yet_valid", 1001)
    fresh.set(HOUR)
    assert (
        requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10).status_code == 200
    )


def test_a_machine_that_was_suspended_keeps_the_order(new_server, tmp_path, figure):
    """Both clocks stand still while people talk, and then make up for it at once: no timer of the server fires in
    between."""
    clock = Clock(tmp_path, monotonic_too=True)
    server = new_server(clock.settings).start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(4)]
    clients = [
        wire.Client(server.socket_url, consumer.token, f"f{place}", window=8)
        for place, consumer in enumerate(consumers)
    ]

    async def story():
        for client in clients:
            await client.connect()
        clock.freeze(time.strftime("%Y-%m-%d %H:%M:%S"))
        for number in range(100):
            for client in clients:
                await client.say(f"{client.name}-{number}", f"{client.name} {number}")
        for client in clients:
            await client.settle()
        frozen = await say_once(server, consumers[0].token, "frozen")
        clients[0].said["frozen"] = "frozen"
        clients[0].acknowledged["frozen"] = frozen["n"]
        clock.set(30)
        for client in clients:
            await client.say(f"{client.name}-awake", f"{client.name} awake")
            await client.settle()
            await client.link.close()
        return [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers]

    logs = wire.run(story())
    verdict = verdict_on(server, clients, logs)
    moments = {event["at"] for log in logs for event in log if "text" in event and "awake" not in event["text"]}
    figure(
        "14",
        f"both clocks frozen under 4 senders, then 30 s on: {verdict.acknowledged} acknowledged, {verdict.lost} lost, "
        f"{verdict.doubled} doubled, "
        f"{verdict.reordered} reordered; {len(moments)} different moments while frozen",
    )
    assert verdict.is_clean, verdict
    assert len(moments) <= 3, "the clock did not stand still"
    server.stop()
