"""Evidence bundles as other programs see them: complete, signed, and readable without a server."""

import hashlib
import io
import json
import subprocess
import zipfile

import pytest
import requests
from playwright.sync_api import expect

from support import contact_centre, wire
from support.browser.pages import AgentPage
from support.server import earshot
from support.voice import recordings, voice_messages

NOTE = "Between ourselves <b>only</b>"


@pytest.fixture
def recorded(server, consumer, agent, microphone, tmp_path):
    """A conversation with a text, a voice message that an agent listened to, and a note; with the sound's bytes."""
    sound = tmp_path / "sound.webm"
    sound.write_bytes(recordings.encode(microphone, tmp_path, "WebM/Opus"))
    voice_messages.say(server, consumer, "Where is my order?", sound)

    async def answer():
        connection = await contact_centre.AgentConnection(agent).sit(server)
        assert "ok" in await connection.asks(consumer.conversation, take={})
        voice = contact_centre.kinds(await connection.log(consumer.conversation), "audio")[0]["n"]
        await connection.link.send({"watch": consumer.conversation})
        await connection.next("watching")
        await connection.link.send({"played": voice, "c": consumer.conversation, "spans": [[0, 600_000]]})
        while not any(n == voice and whole for n, _, _, whole in (await connection.next("played"))["played"]):
            pass
        assert "ok" in await connection.asks(consumer.conversation, note={"text": NOTE})
        await connection.link.close()

    wire.run(answer())
    return consumer.conversation, sound.read_bytes()


def fetch(who, conversation, **query):
    return who.session.get(f"{who.base}/v1/conversations/{conversation}/evidence", params=query, timeout=60)


def verify(file, *options):
    """The command line, without a data folder."""
    return earshot("evidence", "verify", str(file), *options)


@pytest.fixture
def bundle(recorded, manager, tmp_path):
    answer = fetch(manager, recorded[0], zone="Asia/Kolkata")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"].startswith('attachment; filename="evidence-')
    file = tmp_path / "evidence.zip"
    file.write_bytes(answer.content)
    return file


def test_a_bundle_holds_everything(recorded, bundle, manager, agent):
    conversation, sound = recorded
    assert subprocess.run(["unzip", "-tqq", bundle], timeout=60).returncode == 0
    with zipfile.ZipFile(bundle) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files["manifest.json"])
    assert [part["name"] for part in manifest["parts"]] == [*files][:-2]
    for part in manifest["parts"]:
        content = files[part["name"]]
        assert (part["bytes"], part["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    (recording,) = manifest["recordings"]
    assert recording["sha256"] == hashlib.sha256(sound).hexdigest()
    assert [name.rsplit(".")[-1] for name in recording["files"]] == ["mp3", "ogg", "m4a"]
    assert [(one["percent"], one["listened"]) for one in recording["listeners"]] == [(100, True)]
    assert manifest["conversation"]["id"] == conversation and manifest["madeFor"] == manager.body["agent"]["name"]
    access = [(one["what"], one["by"]) for one in manifest["access"]]
    assert ("audio.played", agent.id) in access and access[-1] == ("evidence.exported", manager.id)
    for name in ("transcript.txt", "transcript.xml", "transcript.json", "index.html"):
        text = files[name].decode()
        label = "Voice message 0:" if name == "index.html" else "[audio message]"
        assert label in text and "+05:30" in text and "Where is my order?" in text
    assert NOTE in files["transcript.txt"].decode() and NOTE not in files["index.html"].decode()
    assert "Between ourselves &lt;b&gt;only" in files["index.html"].decode()


def test_an_original_is_in_the_bundle_where_it_may_be_downloaded(recorded, manager):
    conversation, sound = recorded

    def allow(originals):
        answer = manager.session.patch(
            f"{manager.base}/v1/settings", json={"audio": {"originals": originals}}, headers=manager.headers, timeout=20
        )
        assert answer.status_code == 200, answer.text

    allow(True)
    try:
        archive = zipfile.ZipFile(io.BytesIO(fetch(manager, conversation).content))
    finally:
        allow(False)
    names = [name for name in archive.namelist() if ".original." in name]
    assert [archive.read(name) for name in names] == [sound] and names[0].endswith(".original.webm")


def test_a_bundle_is_checked_without_a_server(server, bundle, tmp_path):
    key = earshot("evidence", "key", "--data", str(server.data))
    assert key.returncode == 0, key.stderr
    fingerprint = key.stdout.strip()
    found = verify(bundle, "--key", fingerprint)
    assert found.returncode == 0 and found.stdout.startswith("intact, files: 10, recordings: 1\n"), found
    assert f"signed by the key {fingerprint}\n" in found.stdout and "Compare" not in found.stdout
    assert "Compare this key" in verify(bundle).stdout
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    for command in (
        "openssl pkeyutl -verify -pubin -inkey public-key.pem -rawin -in manifest.json -sigfile manifest.sig",
        "sha256sum --check --strict SHA256SUMS",
    ):
        done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done
        assert command in " ".join((folder / "README.txt").read_text().split()) or "sha256sum" in command
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", folder / "public-key.pem", "-outform", "DER"],
        capture_output=True,
        timeout=60,
    )
    assert hashlib.sha256(der.stdout[-32:]).hexdigest() == fingerprint


def test_a_bundle_that_was_changed_is_refused(bundle, tmp_path):
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for forge in (
        lambda all: all | {"transcript.txt": all["transcript.txt"].replace(b"order", b"money")},
        lambda all: all | {"manifest.json": all["manifest.json"].replace(b'"percent" : 100', b'"percent" : 10')},
        lambda all: all | {"another.txt": b"This was not there."},
        lambda all: {name: content for name, content in all.items() if name != "transcript.txt"},
        lambda all: all,
    ):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, content in forge(files).items():
                archive.writestr(name, content)
        changed.write_bytes(packed.getvalue())
        found = verify(changed)
        assert found.returncode == 1 and found.stdout.startswith("NOT INTACT: "), found
    for content in (b"", b"PK\x05\x06" + bytes(18), bundle.read_bytes()[:-1], bundle.read_bytes() + b" "):
        changed.write_bytes(content)
        assert verify(changed).returncode == 1
    assert verify(bundle, "--key", "0" * 64).stdout.startswith("NOT INTACT: Another key signed it: ")
    assert verify(tmp_path / "missing.zip").returncode == 1
    assert verify(bundle, "--key", "abc").returncode == 64


def test_only_those_who_may_export_evidence_get_it(server, recorded, agent, manager, consumer):
    def exports():
        answer = manager.session.get(f"{manager.base}/v1/audit", params={"conversation": recorded[0]}, timeout=20)
        return [one["what"] for one in answer.json()["entries"]].count("evidence.exported")

    refused = fetch(agent, recorded[0])
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    address = f"{server.url}/v1/conversations/{recorded[0]}/evidence"
    assert requests.get(address, headers=consumer.headers, timeout=20).status_code == 401
    head = manager.session.head(address, timeout=20)
    assert head.status_code == 200 and head.content == b""
    assert exports() == 0
    assert fetch(manager, recorded[0]).status_code == 200
    assert exports() == 1


def test_the_page_of_a_bundle_plays_its_recordings_without_a_server(server, demo, recorded, new_context, tmp_path):
    manager = AgentPage(new_context(), server).sign_in(demo, demo.manager)
    manager.page.evaluate(f"location.hash = '#/all/{recorded[0]}'")
    manager.page.get_by_role("button", name="More actions", exact=True).last.click()
    with manager.page.expect_download() as download:
        manager.page.get_by_role("link", name="Download as evidence").click()
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(folder)
    page = new_context(offline=True).new_page()
    page.goto((folder / "index.html").as_uri())
    expect(page.get_by_text("Where is my order?")).to_be_visible()
    player = page.locator("audio")
    expect(player).to_have_count(1)
    length = player.evaluate(
        """async (player) => {
            player.muted = true;
            await player.play();
            player.currentTime = player.duration - 0.2;
            await new Promise((resolve) => player.addEventListener("ended", resolve));
            return player.duration;
        }"""
    )
    assert 5 < length < 60
