"""The database's disk fails, is read-only, hangs or is full: nothing acknowledged is lost, and operators are told."""

import sqlite3
import time

import pytest
import requests

from support import api, wire
from support.demo import discover
from support.log_audit import audit
from support.server import PATIENCE, bar

DISK_FAILED = 74
# The deadline of the server is 5 s; it looks four times a second. The rest is for a busy machine.
DEADLINE = 5
ALLOWANCE = 3


def health(server) -> int:
    return requests.get(f"{server.url}/v1/ready", timeout=20).status_code


def until_health(server, status: int, within: float) -> float:
    """Asks (there is no signal to wait for) until the health has this status, and returns how long that took."""
    began = time.monotonic()
    while health(server) != status:
        assert time.monotonic() - began < bar(within), f"not {status} within {bar(within)} s"
    return time.monotonic() - began


async def say(link: wire.Link, key: str, text: str | None = None, within: float = PATIENCE) -> dict:
    await link.send({"send": key, "text": text or key})
    return await link.until("ok", "no", within=within)


async def talk(link: wire.Link, keys: list[str]) -> dict[str, int]:
    return {key: (await say(link, key))["n"] for key in keys}


async def open_link(server, consumer) -> wire.Link:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    return link


@pytest.mark.parametrize("fault", ["fsync EIO", "write EROFS"])
def test_a_failed_disk_ends_the_server_which_loses_nothing(new_server, disk, figure, fault):
    server = new_server(data=disk.mountpoint / "data").start()
    consumer = api.new_consumer(server.url, discover(server))
    seen = {}

    async def story() -> tuple[dict, dict, dict]:
        link = await open_link(server, consumer)
        acknowledged = await talk(link, [f"before-{number}" for number in range(5)])
        disk.fail(fault)
        refused = await say(link, "during")
        seen["health"] = health(server)
        later = await say(link, "later")
        seen["reads"] = requests.post(
            f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10
        ).status_code
        try:
            bye = (await link.until("bye"))["bye"]
        except wire.LOST:
            bye = {}
        return acknowledged, {"during": refused, "later": later}, bye

    acknowledged, refused, bye = wire.run(story())
    assert {frame["code"] for frame in refused.values()} == {"unavailable"}
    assert seen["health"] == 503, "a client that is refused finds the server not ready"
    assert seen["reads"] == 200, "reading goes on"
    assert bye.get("code") == "unavailable", "clients are told to come back"
    assert server.end() == DISK_FAILED
    assert "The disk of" in server.log() and "Fatal" not in server.log()
    assert server.start_and_fail() == DISK_FAILED, "the disk is still bad"
    last = server.log().strip().splitlines()[-1]
    assert last.startswith("Error: ") and str(server.data) in last and "SQLite: " not in last, last
    disk.heal()
    server.start()

    async def again() -> tuple[dict, list[dict]]:
        link = await open_link(server, consumer)
        answers = {key: (await say(link, key))["n"] for key in [*acknowledged, "during", "later"]}
        await link.close()
        return answers, await wire.read_whole(server.socket_url, consumer.token)

    answers, log = wire.run(again())
    verdict = audit([*acknowledged, "during", "later"], acknowledged, log)
    assert verdict.is_clean, verdict
    assert {key: answers[key] for key in acknowledged} == acknowledged, "the same key gets the first answer"
    figure(
        "10",
        f"{fault} on the database: refused with 'unavailable', health 503 from the first refusal on, ended with "
        f"{DISK_FAILED}; {verdict.acknowledged} acknowledged, {verdict.lost} lost, {verdict.doubled} doubled",
    )
    server.stop()
    assert whole(server)


def test_a_disk_that_hangs_fails_requests_at_their_deadline_and_nothing_else(new_server, disk, figure):
    server = new_server(data=disk.mountpoint / "data").start()
    demo = discover(server)
    consumer, other = (api.new_consumer(server.url, demo) for _ in range(2))
    before = server.memory_kib()

    async def story():
        link, idle = await open_link(server, consumer), await open_link(server, other)
        acknowledged = await talk(link, ["before"])
        disk.fail("hang")
        began = time.monotonic()
        for number in range(50):
            await link.send({"send": f"hung-{number}", "text": f"hung-{number}"})
        refused = [await link.until("no", within=bar(DEADLINE + ALLOWANCE)) for _ in range(50)]
        texts = time.monotonic() - began
        began = time.monotonic()
        page = requests.post(f"{server.url}/v1/consumers", json={"account": demo.account, "app": demo.app}, timeout=30)
        http = time.monotonic() - began
        until_health(server, 503, within=ALLOWANCE)
        disk.heal()
        began = time.monotonic()
        until_health(server, 200, within=10)
        answers = {}
        for number in range(50):
            answers[f"hung-{number}"] = (await say(link, f"hung-{number}"))["n"]
        drained = time.monotonic() - began
        assert "ok" in await say(idle, "still-here"), "the socket stayed up"
        await link.close()
        await idle.close()
        log = await wire.read_whole(server.socket_url, consumer.token)
        return acknowledged | answers, refused, page, texts, http, drained, log

    answers, refused, page, texts, http, drained, log = wire.run(story())
    assert {frame["code"] for frame in refused} == {"unavailable"}
    assert (page.status_code, api.code_of(page)) == (503, "unavailable") and "Retry-After" in page.headers
    assert max(texts, http) <= bar(DEADLINE + ALLOWANCE)
    verdict = audit(list(answers), answers, log)
    assert verdict.is_clean, verdict
    grown = server.memory_kib() - before
    figure(
        "11",
        f"the database's disk hangs: texts refused after {texts:.1f} s, HTTP after {http:.1f} s, sockets stay up; "
        f"healed, all stored within {drained:.1f} s; {verdict.lost} lost, {verdict.doubled} doubled; memory grew "
        f"{grown / 1024:.0f} MiB",
    )
    assert grown <= 64 * 1024
    server.stop()


def test_a_full_disk_takes_texts_from_its_reserve_then_refuses_them_and_recovers(new_server, small_disk, figure):
    server = new_server(data=small_disk.mountpoint / "data").start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    text = "\N{SPEAKING HEAD IN SILHOUETTE}" * 2_000

    async def story():
        link = await open_link(server, consumer)
        acknowledged = await talk(link, ["before"])
        small_disk.fill()
        refused = {}
        for number in range(20_000):
            answer = await say(link, f"full-{number}", text)
            if "no" in answer:
                refused = answer
                break
            acknowledged[f"full-{number}"] = answer["n"]
        unhealthy = health(server)
        kept = len(acknowledged)
        read = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=10)
        await link.close()
        return acknowledged, refused, unhealthy, kept, read.status_code

    acknowledged, refused, unhealthy, kept, read = wire.run(story())
    assert refused.get("code") == "storage_full" and refused["after"] > 0, refused
    assert unhealthy == 503, "a client that is refused finds the server not ready"
    assert kept > 100, "the reserve was not used"
    assert read == 200
    server.kill()
    code = start_or_code(server)
    small_disk.make_room()
    if code is not None:
        assert code == DISK_FAILED and "full" in server.log(), server.log_tail()
        server.start()
    recovered = until_health(server, 200, within=10)

    async def again():
        link = await open_link(server, consumer)
        acknowledged[refused["no"]] = (await say(link, refused["no"], text))["n"]
        await link.close()
        return await wire.read_whole(server.socket_url, consumer.token)

    log = wire.run(again())
    numbers = [event["n"] for event in log if "text" in event]
    assert sorted(acknowledged.values()) == numbers, "each acknowledged text once, and nothing else"
    figure(
        "10",
        f"a full disk: {kept - 1} texts of 8 KB from the reserve, then 'storage_full', health 503 from the "
        f"first refusal on, reads go on; with room again healthy after {recovered:.1f} s; 0 lost, 0 doubled",
    )
    server.stop()
    assert whole(server)
    assert (server.data / "earshot.sqlite-reserve").stat().st_size == 4 * 1024 * 1024


def start_or_code(server) -> int | None:
    """Starts it. - Returns: its exit code, if it did not start."""
    try:
        server.start()
    except AssertionError:
        return server.end()
    return None


def whole(server) -> bool:
    with sqlite3.connect(server.data / "earshot.sqlite") as database:
        return database.execute("PRAGMA quick_check").fetchone() == ("ok",)
