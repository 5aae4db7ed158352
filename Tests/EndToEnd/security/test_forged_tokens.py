"""A backup without the master key shows nothing: neither in its files nor through the running server."""

import json
import shutil

import requests

from support import api, forgery, wire
from support.command import succeed
from support.demo import discover
from support.identity_provider import IdentityProvider

WORDS = "quixotic zephyr"
KEY_FILES = ["token-keys.json", "sealing-key", "signing-key"]


async def say(server, token: str, text: str) -> None:
    link = await wire.Link.open(server.socket_url, {"token": token})
    await link.until("ready")
    await link.send({"send": api.new_id(), "text": text})
    told = await link.until("ok", "no")
    assert "ok" in told, told
    await link.close()


def texts(server, consumer) -> list[str]:
    whole = wire.run(wire.read_whole(server.socket_url, consumer.token))
    return [event["text"] for event in whole if "text" in event]


def backed_up(server, folder):
    succeed("backup", str(folder), "--data", str(server.data))
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))[-1]


def test_a_token_forged_from_a_backup_gets_no_events(new_server, tmp_path):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    wire.run(say(server, consumer.token, WORDS))
    backup = backed_up(server, tmp_path / "backups")
    assert consumer.conversation in {row[0] for row in forgery.rows(backup, "SELECT id FROM conversation")}
    assert wire.run(forgery.events(server.socket_url, consumer.token)), "the script reads what a token opens"
    assert forgery.stolen(backup, server.socket_url) == []
    server.stop()


def test_no_key_of_the_installation_is_in_the_clear(new_server, tmp_path):
    server = new_server().start()
    demo = discover(server)
    manager = api.Agent(server.url, demo.account, demo.manager)
    setting = IdentityProvider(tmp_path).setting(claims=[])
    answer = requests.put(
        f"{server.url}/v1/identity-provider", json=setting, headers=manager.headers, cookies=manager.session.cookies,
        timeout=20)
    assert answer.status_code == 200, answer.text
    backup = backed_up(server, tmp_path / "backups")
    for folder in (backup, server.data):
        for name in KEY_FILES:
            assert (folder / name).read_text().startswith("earshot-sealed.1."), name
    (body,) = forgery.rows(backup, "SELECT body FROM identity_provider")
    assert b"decryptionKey" not in bytes(body[0])
    server.stop()


def test_the_keys_of_an_earlier_version_are_sealed_at_the_start_and_the_same(new_server, tmp_path):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    wire.run(say(server, consumer.token, WORDS))
    server.stop()
    plain = {"token-keys.json": json.dumps([{"id": "1", "secret": list(range(32))}])}
    plain |= {name: forgery.encoded(bytes(range(32))) + "\n" for name in KEY_FILES[1:]}
    for name, content in plain.items():
        (server.data / name).write_text(content)
    shutil.copytree(server.data, tmp_path / "old")
    server.start()
    assert all((server.data / name).read_text().startswith("earshot-sealed.1.") for name in KEY_FILES)
    # The plain key still signs: what the earlier version would have issued is accepted.
    forged = forgery.tokens(tmp_path / "old")
    opened = [token for token in forged if wire.run(forgery.events(server.socket_url, token))]
    assert len(opened) == 1, "the tokens of the earlier version are valid after the upgrade"
    server.stop()
    succeed("keys", "rotate", "--data", str(server.data))
    server.start()
    assert wire.run(forgery.events(server.socket_url, opened[0])), "a new master key seals the same keys"
    server.stop()


def test_a_backup_that_an_earlier_version_made_is_restored(new_server, tmp_path):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    wire.run(say(server, consumer.token, WORDS))
    server.stop()
    # A folder as the earlier version left it: the keys in the clear.
    (server.data / "token-keys.json").write_text(json.dumps([{"id": "1", "secret": list(range(32))}]))
    backup = backed_up(server, tmp_path / "backups")
    assert (backup / "token-keys.json").read_text().startswith("["), "the backup has the keys in the clear"
    succeed("restore", str(backup), "--data", str(server.data), "--force")
    (old,) = server.data.glob("before-restore-*")
    shutil.copy2(old / "demo-logins.json", server.data / "demo-logins.json")
    server.start()
    assert (server.data / "token-keys.json").read_text().startswith("earshot-sealed.1.")
    assert [event["text"] for event in forgery.stolen(backup, server.socket_url) if "text" in event] == [WORDS]
    server.stop()


def test_a_sealed_key_opens_as_nothing_else(new_server):
    server = new_server().start()
    server.stop()
    sealing, signing = server.data / "sealing-key", server.data / "signing-key"
    mine = sealing.read_text()
    sealing.write_text(signing.read_text())
    assert server.start_and_fail() == 65
    assert "sealing-key" in server.log_tail() and "damaged" in server.log_tail()
    sealing.write_text(mine.replace(mine.split(".")[2], "0" * 16))
    assert server.start_and_fail() == 65
    assert "master key 0000000000000000" in server.log_tail()
    sealing.write_text(mine)
    server.start()
    server.stop()
