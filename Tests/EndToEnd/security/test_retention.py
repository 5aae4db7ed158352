"""Conversations leave a server: when their time has passed, and when a consumer asks for it. What is gone is searched
for byte by byte in everything that the server stores."""

import base64
import json
import stat
import subprocess
import uuid
import zipfile

import pytest
import requests

from support import api, wire
from support.command import fail, succeed
from support.demo import discover
from support.identity_provider import ISSUER, IdentityProvider
from support.server import PATIENCE
from support.server_clock import DAY, Clock
from support.voice import recordings

WITHIN = PATIENCE


@pytest.fixture
def clock(tmp_path) -> Clock:
    return Clock(tmp_path)


async def send(server, consumer, text: str, media: str) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    for frame in ({"text": text}, {"audio": media}):
        await link.send({"send": api.new_id(), **frame})
        await link.until("ok")
    await link.close()


def files_with(server, *canaries: bytes) -> list[str]:
    """The files of the data folder that have one of these byte strings."""
    return [
        str(path.relative_to(server.data)) for path in server.data.rglob("*")
        if path.is_file() and any(canary in path.read_bytes() for canary in canaries)]


def files_with_word(server, word: str) -> list[str]:
    """The files that have the word in the clear: the search index. It stores the end of a word that begins like another
    one, so the search is for the end."""
    return files_with(server, word[-16:].encode())


def until_found(server, demo, word: str) -> None:
    """The index is behind the messages: asks until a search finds the word."""
    manager = api.Agent(server.url, demo.account, demo.manager)
    for _ in range(100):
        if manager.session.get(f"{server.url}/v1/search", params={"q": word}, timeout=20).json()["rows"]:
            return
    raise AssertionError(f"{word} is not found")


def voice(server, consumer, microphone, folder) -> tuple[str, bytes]:
    """An uploaded recording, and bytes from its middle that nothing else has."""
    recording = recordings.encode(microphone, folder, "WebM/Opus", seconds=2)
    answer = api.upload(server.url, consumer, recording)
    assert answer.status_code == 200, answer.text
    return answer.json()["media"], recording[len(recording) // 2:][:64]


def test_an_erased_consumer_is_nowhere_on_the_disk(server, demo, microphone, tmp_path):
    consumer = api.new_consumer(server.url, demo)
    word = "canary" + uuid.uuid4().hex
    media, sound = voice(server, consumer, microphone, tmp_path)
    wire.run(send(server, consumer, f"my name is {word}", media))
    until_found(server, demo, word)
    while not files_with_word(server, word):
        pass  # a poll of the outside: a search finds what the index does not have yet
    assert files_with(server, sound), "the premise: the search finds what is there"
    options = ("--brand", demo.account, "--data", str(server.data))
    assert "--yes" in fail("erase", "--reason", "asked", *options, "--", consumer.conversation)
    succeed("retention", "hold", "--reason", "a lawsuit", *options, "--", consumer.conversation)
    assert "legal hold" in fail("erase", "--yes", "--reason", "asked", *options, "--", consumer.conversation)
    assert "a lawsuit" in succeed("retention", "show", *options)
    succeed("retention", "lift", *options, "--", consumer.conversation)

    async def story() -> str:
        manager = api.Agent(server.url, demo.account, demo.manager)
        inbox = await wire.Link.open(server.socket_url, {"ticket": manager.ticket()}, origin=server.url)
        await inbox.until("ready")
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        output = succeed("erase", "--yes", "--reason", "asked", *options, "--", consumer.conversation)
        assert (await link.until("bye", within=WITHIN))["bye"]["code"] == "blocked"
        assert await inbox.until("bye", within=WITHIN), "people of the brand load everything again"
        return output

    assert "Erased." in wire.run(story())
    assert not files_with_word(server, word) and not files_with(server, sound)
    assert not list((server.data / "media").rglob(media))
    answer = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20)
    assert answer.status_code == 403 and api.code_of(answer) == "blocked"
    check_receipt(server, demo, tmp_path, "erasure")
    manager = api.Agent(server.url, demo.account, demo.manager)
    entries = manager.session.get(f"{server.url}/v1/audit?limit=50", timeout=20).json()["entries"]
    assert {"consumer.erased", "consumer.erasureRequested", "hold.placed", "hold.lifted"} <= {
        entry["what"] for entry in entries}
    assert "no conversation" in fail("erase", "--yes", "--reason", "x", *options, "--", consumer.conversation)


def signed_in(server, provider, subject: str, name: str, demo) -> dict:
    """A consumer who signs in and writes nothing."""
    token = provider.token(subject, name=name, email=f"{subject}@mail.example")
    answer = api.fresh_client().post(
        f"{server.url}/v1/consumers/sign-in", json={"account": demo.account, "app": demo.app, "idToken": token},
        timeout=20)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_consumer_who_never_wrote_is_exported_and_erased(new_server, tmp_path):
    server = new_server().start()
    demo = discover(server)
    manager = api.Agent(server.url, demo.account, demo.manager)
    provider = IdentityProvider(tmp_path)
    answer = manager.session.put(
        f"{server.url}/v1/identity-provider", json=provider.setting(), headers=manager.headers, timeout=20)
    assert answer.status_code == 200, answer.text
    canaries = ["canary" + uuid.uuid4().hex for _ in range(3)]
    people = [signed_in(server, provider, canary, f"name {canary}", demo) for canary in canaries]
    options = ("--brand", demo.account, "--data", str(server.data))
    subject = ("--issuer", ISSUER, "--subject", canaries[0])
    consumer = people[1]["consumer"]

    archive = tmp_path / "person.zip"
    assert "events: 0" in succeed("export", *options, *subject, "--output", str(archive))
    with zipfile.ZipFile(archive) as opened:
        exported = json.loads(opened.read("conversation.json"))
    assert exported["consumer"]["name"] == f"name {canaries[0]}" and exported["events"] == []
    assert "no such consumer" in fail(
        "erase", "--yes", "--reason", "x", *options, "--issuer", ISSUER, "--subject", "nobody")
    assert "Name one person" in fail("erase", "--yes", "--reason", "x", *options, *subject, "--consumer", consumer)

    assert all(files_with(server, canary.encode()) for canary in canaries), "the premise: the search finds them"
    assert "Erased." in succeed("erase", "--yes", "--reason", "asked", *options, *subject)
    assert "Erased." in succeed("erase", "--yes", "--reason", "asked", *options, f"--consumer={consumer}")
    body = {"reason": "asked", "issuer": ISSUER, "subject": canaries[2]}
    answer = manager.session.post(f"{server.url}/v1/erasures", json=body, headers=manager.headers, timeout=20)
    assert (answer.status_code, answer.json()) == (200, {"erasures": 1})
    token = {"Authorization": f"Bearer {people[2]['token']}"}
    while requests.post(f"{server.url}/v1/consumers/me", headers=token, json={}, timeout=20).status_code != 403:
        pass  # a poll of the outside: the server erases within seconds
    while files_with(server, canaries[2].encode()):
        pass
    for canary in canaries:
        assert not files_with(server, canary.encode()), canary
    receipts = succeed("retention", "receipts", *options)
    assert receipts.count('"kind":"erasure"') == 3 and "NOT VALID" not in receipts
    server.stop()


def test_an_export_has_everything_about_a_person(server, demo, microphone, tmp_path):
    consumer = api.new_consumer(server.url, demo)
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2)
    media = api.upload(server.url, consumer, recording).json()["media"]
    wire.run(send(server, consumer, "Größe 42, s'il vous plaît", media))
    archive = tmp_path / "person.zip"
    options = (
        "--brand", demo.account, "--data", str(server.data), "--output", str(archive), "--", consumer.conversation)
    assert "recordings: 1." in succeed("export", *options)
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    with zipfile.ZipFile(archive) as opened:
        assert opened.testzip() is None
        assert opened.read(f"recordings/{media}.webm") == recording
        output = json.loads(opened.read("conversation.json"))
    assert output["conversation"] == consumer.conversation and output["brand"] == demo.account
    assert output["consumer"]["id"] == consumer.id
    assert "Größe 42, s'il vous plaît" in [event.get("text") for event in output["events"]]
    assert [event["n"] for event in output["events"]] == list(range(1, len(output["events"]) + 1))
    assert [(one["media"], one["file"]) for one in output["recordings"]] == [(media, f"recordings/{media}.webm")]
    assert "exists already" in fail("export", *options)
    manager = api.Agent(server.url, demo.account, demo.manager)
    entries = manager.session.get(f"{server.url}/v1/audit?limit=50", timeout=20).json()["entries"]
    assert ("consumer.exported", consumer.conversation) in [(one["what"], one.get("conversation")) for one in entries]


def check_receipt(server, demo, folder, kind: str) -> dict:
    """The newest receipt, verified by openssl, an independent implementation."""
    options = ("--data", str(server.data))
    lines = succeed("retention", "receipts", "--brand", demo.account, *options).splitlines()
    payload, signature, validity = lines[0].split("\t")
    assert validity == "valid"
    (folder / "payload").write_text(payload)
    (folder / "signature").write_bytes(base64.urlsafe_b64decode(signature + "=="))
    (folder / "key.pem").write_text(succeed("retention", "receipts", "--public-key", *options))
    command = [
        "openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pem", "-rawin", "-in", "payload", "-sigfile",
        "signature"]
    assert subprocess.run(command, cwd=folder, capture_output=True).returncode == 0
    (folder / "payload").write_text(payload.replace('"recordings":1', '"recordings":2'))
    assert subprocess.run(command, cwd=folder, capture_output=True).returncode != 0
    receipt = json.loads(payload)
    assert receipt["kind"] == kind and receipt["removed"]["conversations"] == 1
    assert receipt["removed"]["recordings"] == 1 and receipt["removed"]["bytes"] > 0
    return receipt


def test_a_conversation_is_removed_thirteen_months_later(new_server, clock, microphone, tmp_path):
    server = new_server(clock.settings).start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    word = "canary" + uuid.uuid4().hex
    media, sound = voice(server, consumer, microphone, tmp_path)

    async def close() -> None:
        await send(server, consumer, word, media)
        manager = api.Agent(server.url, demo.account, demo.manager)
        link = await wire.Link.open(server.socket_url, {"ticket": manager.ticket()}, origin=server.url)
        await link.until("ready")
        await link.send({"close": api.new_id(), "c": consumer.conversation})
        await link.until("ok")

    wire.run(close())
    until_found(server, demo, word)
    server.stop()
    clock.set(397 * DAY)
    options = ("--data", str(server.data))
    server.start()
    server.stop()
    assert files_with_word(server, word), "the clock jumped: nothing is removed"
    assert "confirm-clock" in server.log()
    settings = clock.settings
    assert "conversations: " in succeed("retention", "show", "--brand", demo.account, *options, **settings)
    succeed("retention", "confirm-clock", *options, **settings)
    server.start()
    while '"retention"' not in succeed("retention", "receipts", "--brand", demo.account, *options):
        pass  # a poll of the outside: the server looks when it starts
    server.stop()
    assert not files_with_word(server, word) and not files_with(server, sound)
    check_receipt(server, demo, tmp_path, "retention")
