"""The master key: what is written can be read with it only, and `earshot keys rotate` replaces it."""

import shutil
import signal
import stat
import subprocess

from support import api, wire
from support.command import fail, succeed
from support.demo import discover
from support.server import build_folder, clean_environment

UNUSABLE = 65
CONSUMERS = 40


async def say(server, consumer, text: str) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": api.new_id(), "text": text})
    told = await link.until("ok", "no")
    assert "ok" in told, told
    await link.close()


def texts(server, consumer) -> list[str]:
    whole = wire.run(wire.read_whole(server.socket_url, consumer.token))
    return [event["text"] for event in whole if "text" in event]


def test_nothing_is_readable_without_the_master_key_and_no_new_one_is_made(new_server, tmp_path):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    wire.run(say(server, consumer, "before the loss"))
    server.stop()
    key = server.data / "master-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    shutil.move(key, tmp_path / "copy")
    assert server.start_and_fail() == UNUSABLE
    assert f"{key} is missing" in server.log_tail() and "EARSHOT_MASTER_KEY_FILE" in server.log_tail()
    assert not key.exists()
    key.write_text("A" * 43 + "\n")
    assert server.start_and_fail() == UNUSABLE
    assert "master key" in server.log_tail()
    key.write_text("half a key\n")
    assert server.start_and_fail() == UNUSABLE
    assert "damaged" in server.log_tail()
    key.unlink()

    # It may be anywhere that the configuration names.
    server.settings["EARSHOT_MASTER_KEY_FILE"] = str(tmp_path / "copy")
    server.start()
    assert texts(server, consumer) == ["before the loss"]
    server.stop()
    assert not key.exists()


def test_a_backup_needs_the_master_key_that_it_does_not_have(new_server, tmp_path):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    wire.run(say(server, consumer, "xylographic"))
    succeed("backup", str(tmp_path / "backups"), "--data", str(server.data))
    server.stop()
    (backup,) = (entry for entry in (tmp_path / "backups").iterdir() if not entry.name.startswith("."))
    assert not list(backup.rglob("master-key"))
    succeed("restore", str(tmp_path / "backups"), "--data", str(server.data), "--force")
    assert (server.data / "master-key").exists(), "a restore leaves the key where it is"
    (old,) = server.data.glob("before-restore-*")
    shutil.copy2(old / "demo-logins.json", server.data / "demo-logins.json")
    server.start()
    assert texts(server, consumer) == ["xylographic"]
    server.stop()


def test_the_master_key_is_replaced_whatever_interrupts_it(new_server, tmp_path):
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(CONSUMERS)]
    wire.run(say(server, consumers[0], "with the first key"))
    key = server.data / "master-key"
    first = key.read_text()
    assert "in use" in fail("keys", "rotate", "--data", str(server.data)), "a server knows the old key only"
    assert key.read_text() == first
    server.stop()

    # Killed where the file has both keys: everything is readable, and the next rotation goes on.
    rotating = subprocess.Popen(
        [build_folder() / "earshot", "keys", "rotate", "--data", str(server.data)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean_environment(EARSHOT_PORT="0"))
    while len(key.read_text().splitlines()) == 1 and rotating.poll() is None:
        pass
    rotating.send_signal(signal.SIGKILL)
    rotating.wait()
    server.start()
    assert texts(server, consumers[0]) == ["with the first key"]
    wire.run(say(server, consumers[1], "between"))
    server.stop()

    told = succeed("keys", "rotate", "--data", str(server.data))
    second = key.read_text()
    assert len(second.splitlines()) == 1 and second != first and str(key) in told
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    server.start()
    assert texts(server, consumers[0]) == ["with the first key"]
    assert texts(server, consumers[1]) == ["between"]
    server.stop()
    key.write_text(first)
    assert server.start_and_fail() == UNUSABLE
    assert "master key" in server.log_tail()
