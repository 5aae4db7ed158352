"""The master key: what is written can be read with it only, and `earshot keys rotate` replaces it."""

import os
import re
import shutil
import signal
import stat
import subprocess

import pytest

from support import api, wire
from support.command import earshot, fail, succeed
from support.demo import discover
from support.server import ROOT, build_folder, clean_environment

UNUSABLE = 65
UNPROTECTED = 77
CONSUMERS = 40


def put(key, content: str, mode: int = 0o600) -> None:
    key.write_text(content)
    key.chmod(mode)


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
    for content, said in [("A" * 43 + "\n", "master key"), ("half a key\n", "damaged"), ("", "is empty")]:
        put(key, content)
        assert server.start_and_fail() == UNUSABLE
        assert said in server.log_tail() and "from a backup" not in server.log_tail()
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


def test_the_doctor_says_what_is_wrong_with_the_master_key(new_server, tmp_path):
    server = new_server()

    def told(is_good: bool) -> str:
        done = earshot("doctor", "--data", str(server.data), "--port", "0", EARSHOT_WEB=str(ROOT / "Web/dist"))
        (line,) = [line for line in done.stdout.splitlines() if line[7:].startswith("key ")]
        assert line.startswith("[ok]" if is_good else "[BAD]"), done.stdout
        assert is_good or done.returncode == 1, "a broken key is no success"
        return done.stdout

    server.start()
    wire.run(say(server, api.new_consumer(server.url, discover(server)), "encrypted"))
    server.stop()
    key = server.data / "master-key"
    mine = key.read_text()
    assert str(key) in told(True)
    key.unlink()
    assert f"{key} is missing" in told(False)
    for content, said in [("", "is empty"), ("half a key\n", "is damaged"), ("A" * 43 + "\n", "is not the master key")]:
        put(key, content)
        assert said in told(False)
    put(key, mine, 0o640)
    assert "mode 640" in told(False) and f"chmod 600 {key}" in told(False)
    put(key, mine)
    told(True)
    assert "first start makes" in succeed_in_part("doctor", "--data", str(tmp_path / "new"), "--port", "0")


def succeed_in_part(*arguments: str) -> str:
    """The output of a command that may find other problems on this machine."""
    return earshot(*arguments, EARSHOT_WEB=str(ROOT / "Web/dist")).stdout


@pytest.mark.parametrize("mode", [0o604, 0o620, 0o640, 0o666])
def test_a_master_key_that_others_may_use_is_refused(new_server, tmp_path, mode):
    server = new_server()
    key = server.data / "master-key"
    key.chmod(mode)
    assert server.start_and_fail() == UNPROTECTED
    assert f"mode {mode:o}" in server.log_tail() and f"chmod 600 {key}" in server.log_tail()
    shutil.copy2(key, tmp_path / "elsewhere")
    server.settings["EARSHOT_MASTER_KEY_FILE"] = str(tmp_path / "elsewhere")
    assert server.start_and_fail() == UNPROTECTED, "wherever it is"
    assert f"chmod 600 {tmp_path / 'elsewhere'}" in fail(
        "list", "brands", "--data", str(server.data), EARSHOT_MASTER_KEY_FILE=str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").chmod(0o400)
    server.start()
    server.stop()


def test_a_backup_says_which_master_key_it_needs_and_fails_where_it_is_not_there(new_server, tmp_path):
    server = new_server().start()
    wire.run(say(server, api.new_consumer(server.url, discover(server)), "encrypted"))
    key = server.data / "master-key"
    mine = key.read_text()
    place = tmp_path / "backups"
    told = succeed("backup", str(place), "--data", str(server.data))
    (needed,) = re.findall(r"master key, which is not in it: ([0-9a-f]{16})", told)
    for content in (None, "", "A" * 43 + "\n"):
        key.unlink(missing_ok=True)
        if content is not None:
            put(key, content)
        done = earshot("backup", str(place), "--data", str(server.data))
        assert done.returncode == 1 and str(key) in done.stdout, done.stdout + done.stderr
        assert "Made " in done.stdout, "the backup is kept: the key may be found"
    assert needed in succeed("backup", "--check", str(place), "--data", str(tmp_path / "elsewhere"))

    told = succeed("restore", str(place), "--data", str(tmp_path / "restored"))
    assert needed in told and str(tmp_path / "restored/master-key") in told
    put(tmp_path / "restored/master-key", mine)
    told = succeed("restore", str(place), "--force", "--data", str(tmp_path / "restored"))
    assert "Next: earshot serve." in told, "the key is there"
    put(key, mine)
    server.stop()
