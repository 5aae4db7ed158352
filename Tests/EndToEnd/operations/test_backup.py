"""Backups of a running server, and what clients see after one was restored."""

import asyncio
import hashlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from support import api, wire
from support.command import earshot, fail, succeed
from support.demo import discover
from support.server import Server
from support.voice import voice_messages

WRITERS = 4


def tables(database: Path, sql: str, *arguments) -> list[tuple]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(sql, arguments).fetchall()


def states(database: Path, up_to: dict[str, int] | None = None) -> dict[str, tuple[int, str]]:
    """Per conversation: the number of its last event, and a hash over its events up to there (or up to `up_to`)."""
    found: dict[str, tuple[int, str]] = {}
    for name, key in tables(database, "SELECT id, pk FROM conversation"):
        last = up_to[name] if up_to else 1 << 60
        events = tables(
            database, "SELECT sequence, at, body FROM event WHERE conversation = ? AND sequence <= ? ORDER BY sequence",
            key, last)
        if not up_to or name in up_to:
            found[name] = (len(events), hashlib.sha256(repr(events).encode()).hexdigest())
    return found


def backups(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))


def recorded(server, consumer, folder: Path) -> str:
    """Sends a voice message."""
    (media,) = voice_messages.say(server, consumer, voice_messages.tone(folder, 440, 2))
    return media


class Talkers:
    """Consumers that write until they are told to stop."""

    def __init__(self, server, consumers):
        self.clients = [
            wire.Client(server.socket_url, consumer.token, name=str(number))
            for number, consumer in enumerate(consumers)
        ]
        self.stopped = False

    async def talk(self, client) -> None:
        await client.connect()
        number = 0
        while not self.stopped:
            number += 1
            await client.say(api.new_id(), f"{client.name} says {number}")
            await client.settle()

    async def during(self, work):
        tasks = [asyncio.create_task(self.talk(client)) for client in self.clients]
        while sum(len(client.acknowledged) for client in self.clients) < 50:
            await asyncio.sleep(0)
        before = sum(len(client.acknowledged) for client in self.clients)
        result = await asyncio.to_thread(work)
        written = sum(len(client.acknowledged) for client in self.clients) - before
        self.stopped = True
        await asyncio.gather(*tasks)
        for client in self.clients:
            await client.link.close()
        return result, written


def test_a_backup_under_load_is_restored_and_no_client_misses_anything(new_server, tmp_path):
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(WRITERS)]
    media = recorded(server, consumers[0], tmp_path)
    talkers = Talkers(server, consumers)
    told, written = wire.run(
        talkers.during(lambda: succeed("backup", str(tmp_path / "backups"), "--data", str(server.data))))
    assert written > 0, "nobody wrote during the backup, so it shows nothing"
    (backup,) = backups(tmp_path / "backups")
    assert str(backup) in told

    # The backup is the state of one moment: every conversation is the beginning of what the server has.
    copied = states(backup / "earshot.sqlite")
    lengths = {name: last for name, (last, _) in copied.items()}
    assert states(server.data / "earshot.sqlite", lengths) == copied
    assert sum(lengths.values()) < sum(last for last, _ in states(server.data / "earshot.sqlite").values())

    # The server goes on after the backup; then it is lost, and the backup takes its place.
    server.stop()
    succeed("restore", str(tmp_path / "backups"), "--data", str(tmp_path / "restored"))
    assert states(tmp_path / "restored/earshot.sqlite") == copied
    assert not list(backup.rglob("master-key")), "a backup that has the master key is not encrypted"
    shutil.copy2(server.data / "master-key", tmp_path / "restored/master-key")
    again = Server(tmp_path / "again", data=tmp_path / "restored")
    shutil.copy2(server.data / "demo-logins.json", tmp_path / "restored/demo-logins.json")
    again.start()
    try:
        for client, consumer in zip(talkers.clients, consumers):
            whole = wire.run(wire.read_whole(again.socket_url, consumer.token))
            assert len(whole) == lengths[consumer.conversation]
            # The conversation grows beyond the old cursor again, with other words, before the old client returns.
            for number in range(len(client.events) - len(whole) + 5):
                wire.run(say_once(again, consumer, f"after the restore {number}"))
            old = client.epoch
            client.url = again.socket_url
            wire.run(come_back(client))
            assert client.epoch != old, "the restored log must have an epoch of its own"
            whole = wire.run(wire.read_whole(again.socket_url, consumer.token))
            newest = {event["n"]: event for event in whole if event["n"] in client.events}
            assert client.events == newest and client.through == len(whole)
            assert client.connections == 2
        answer = api.fresh_client().get(
            f"{again.url}/v1/media/{consumers[0].conversation}/{media}.mp3", headers=consumers[0].headers, timeout=20)
        assert answer.status_code in (200, 206), answer.text
    finally:
        again.stop()


async def say_once(server, consumer, text: str) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": api.new_id(), "text": text})
    told = await link.until("ok", "no")
    assert "ok" in told, told
    await link.close()


async def come_back(client) -> None:
    await client.connect()
    await client.link.close()


@pytest.fixture(scope="module")
def spoken(server, demo, tmp_path_factory):
    """A recording on the server of this file."""
    return recorded(server, api.new_consumer(server.url, demo), tmp_path_factory.mktemp("tone"))


def test_a_second_backup_copies_only_what_is_new(server, demo, spoken, tmp_path):
    place = str(tmp_path / "backups")
    succeed("backup", place, "--data", str(server.data))
    other = recorded(server, api.new_consumer(server.url, demo), tmp_path)
    succeed("backup", place, "--data", str(server.data))
    first, second = backups(tmp_path / "backups")
    old, new = (next(second.glob(f"media/media/*/*/{name}/original")) for name in (spoken, other))
    assert old.stat().st_ino == next(first.glob(f"media/media/*/*/{spoken}/original")).stat().st_ino
    assert not list(first.glob(f"media/media/*/*/{other}")) and new.exists()
    summaries = [json.loads((entry / "manifest.json").read_text())["files"] for entry in (first, second)]
    assert summaries[1]["files"] > summaries[0]["files"]
    assert summaries[1]["newFiles"] < summaries[1]["files"]
    assert "undamaged" in succeed("backup", "--check", place)


def test_a_backup_on_another_file_system_is_a_copy(server, spoken, tmp_path):
    place = Path("/dev/shm") / f"earshot-backup-{api.new_id()}"
    assert place.parent.stat().st_dev != server.data.stat().st_dev, "the test needs two file systems"
    try:
        succeed("backup", str(place), "--data", str(server.data))
        succeed("backup", str(place), "--data", str(server.data))
        first, second = (next(entry.glob(f"media/media/*/*/{spoken}/voice.mp3")) for entry in backups(place))
        live = next(server.data.glob(f"media/media/*/*/{spoken}/voice.mp3"))
        assert first.read_bytes() == live.read_bytes()
        assert first.stat().st_ino == second.stat().st_ino, "the second backup links to the first"
    finally:
        shutil.rmtree(place)


def test_damage_is_found_and_never_restored(server, spoken, tmp_path):
    place = tmp_path / "backups"
    succeed("backup", str(place), "--data", str(server.data))
    (backup,) = backups(place)
    sound = next(backup.glob(f"media/media/*/*/{spoken}/voice.mp3"))
    whole = sound.read_bytes()
    sound.unlink()
    sound.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    told = fail("backup", "--check", str(place))
    assert "voice.mp3" in told, told
    assert "voice.mp3" in fail("restore", str(place), "--data", str(tmp_path / "restored"))
    assert not (tmp_path / "restored/earshot.sqlite").exists()
    sound.write_bytes(whole)
    succeed("backup", "--check", str(place))
    (backup / "manifest.json").unlink()
    assert "no complete backup" in fail("restore", str(place), "--data", str(tmp_path / "restored"))


def test_a_lost_recording_is_named_and_the_rest_is_backed_up(new_server, tmp_path):
    server = new_server().start()
    demo = discover(server)
    lost, kept = (recorded(server, api.new_consumer(server.url, demo), tmp_path) for _ in range(2))
    shutil.rmtree(next(server.data.glob(f"media/media/*/*/{lost}")))
    told = earshot("backup", str(tmp_path / "backups"), "--data", str(server.data))
    assert told.returncode == 1 and lost in told.stdout, told.stdout + told.stderr
    (backup,) = backups(tmp_path / "backups")
    assert list(backup.glob(f"media/media/*/*/{kept}/original"))
    assert lost in json.loads((backup / "manifest.json").read_text())["missing"]
    server.stop()


def test_restoring_into_a_folder_in_use_is_refused_or_moves_the_old_contents(server, spoken, tmp_path):
    place = str(tmp_path / "backups")
    succeed("backup", place, "--data", str(server.data))
    target = tmp_path / "restored"
    target.mkdir()
    (target / "earshot.sqlite").write_text("what was there before")
    assert "not empty" in fail("restore", place, "--data", str(target))
    assert (target / "earshot.sqlite").read_text() == "what was there before"
    told = succeed("restore", place, "--force", "--data", str(target))
    (old,) = target.glob("before-restore-*")
    assert str(old) in told and (old / "earshot.sqlite").read_text() == "what was there before"
    assert tables(target / "earshot.sqlite", "SELECT count(*) FROM recording")


def test_a_backup_of_nothing_says_what_to_do(tmp_path):
    told = fail("backup", str(tmp_path / "backups"), "--data", str(tmp_path / "empty"))
    assert "has no database" in told and "--data" in told
