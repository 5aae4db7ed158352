"""What was acknowledged is on disk after a power cut, and the test detects the loss without fsync."""

import asyncio
import os

from support import api, wire
from support.demo import discover
from support.log_audit import EMPTY, audit
from support.mounted_disk import Disk
from support.server import Server


def test_the_test_disk_loses_unsynced_data_and_keeps_synced_data(disk):
    """The premise of the others."""
    for name, sync in (("synced", True), ("written", False)):
        with open(disk.mountpoint / name, "wb") as file:
            file.write(b"a" * 1000)
            file.flush()
            if sync:
                os.fsync(file.fileno())
    assert (disk.mountpoint / "written").stat().st_size == 1000
    disk.cut_power()
    assert (disk.behind / "synced").stat().st_size == 1000
    assert (disk.behind / "written").stat().st_size == 0


def lose_power(server, disk: Disk, rounds: int, texts: int):
    """Says texts, cuts the power in the middle, comes back over what the disk kept; the audit of everything
    acknowledged."""
    server.start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(4)]
    clients = [
        wire.Client(server.socket_url, consumer.token, f"p{place}", window=8)
        for place, consumer in enumerate(consumers)
    ]

    async def talk(client, until):
        async def work():
            while len(client.acknowledged) < until:
                while len(client.outbox) < client.window:
                    await client.say(f"{client.name}-{len(client.said)}", f"{client.name} says {len(client.said)}")
                await client.pump()
        await client.persist(work)

    async def burst(until):
        await asyncio.gather(*(talk(client, until) for client in clients))

    for place in range(rounds):
        wire.run(burst(texts * (place + 1)))
        server.kill()
        disk.cut_power()
        disk.mount()
        server.start()
    logs = wire.run(read_all(server, consumers))
    server.kill()
    told = [{client.said[key]: number for key, number in client.acknowledged.items()} for client in clients]
    return sum(
        (audit(list(client.said.values()), answers, events) for client, answers, events in zip(clients, told, logs)),
        EMPTY,
    )


async def read_all(server, consumers):
    return [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers]


def test_no_acknowledged_message_is_lost_in_a_power_cut(new_server, disk, nightly, figure):
    rounds = 50 if nightly else 5
    verdict = lose_power(new_server(data=disk.mountpoint / "data"), disk, rounds, texts=50)
    figure(
        "3",
        f"{rounds} power cuts, {verdict.acknowledged} acknowledged: {verdict.lost} lost, {verdict.doubled} doubled, "
        f"{verdict.reordered} reordered",
    )
    assert verdict.acknowledged >= rounds * 4 * 50
    assert verdict.is_clean, verdict


def test_a_power_cut_right_after_the_first_start_does_no_harm(disk, tmp_path):
    """What the first start makes (database, secrets, the demo's logins) is whole, or is made again."""
    server = Server(tmp_path / "first", data=disk.mountpoint / "data").start()
    server.kill()
    disk.cut_power()
    disk.mount()
    try:
        server.start()
        api.Agent(server.url, "demo", discover(server).agent)
    finally:
        server.kill()


def test_the_power_cut_test_detects_loss_when_commits_are_not_synced(new_server, disk, figure):
    """With synchronous=NORMAL a commit is not on the disk when it is acknowledged."""
    server = new_server({"EARSHOT_TEST_SYNCHRONOUS": "NORMAL"}, disk.mountpoint / "data")
    server.start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    client = wire.Client(server.socket_url, consumer.token, "n")

    async def say(count):
        await client.connect()
        for number in range(count):
            await client.say(f"n-{number}", f"n says {number}")
            await client.settle()

    wire.run(say(50))
    server.kill()
    disk.cut_power()
    assert len(client.acknowledged) == 50
    kept = sum(file.read_bytes().count(b"n says ") for file in disk.behind.rglob("*") if file.is_file())
    figure(
        "5",
        f"the same cut with synchronous=NORMAL: {50 - min(kept, 50)} of 50 acknowledged texts are nowhere on the disk",
    )
    assert kept < 50
