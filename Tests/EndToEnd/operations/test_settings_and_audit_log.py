"""Settings and the audit log: changes take effect at once, and downloads are recorded."""

import asyncio
import subprocess

import requests

from support import api, wire
from support.command import fail, succeed
from support.server import build_folder
from support.voice import recordings


def manager(server, demo) -> api.Agent:
    return api.Agent(server.url, demo.account, demo.manager)


def change(who: api.Agent, **audio) -> requests.Response:
    return who.session.patch(f"{who.base}/v1/settings", json={"audio": audio}, headers=who.headers, timeout=20)


def begin(server, consumer, draft: str) -> requests.Response:
    return requests.post(
        f"{server.url}/v1/uploads",
        json={"conversation": consumer.conversation, "draft": draft},
        headers=consumer.headers,
        timeout=20,
    )


def test_a_manager_switches_voice_off_and_on(server, demo, consumer, agent):
    mira = manager(server, demo)
    try:
        assert change(agent, enabled=False).status_code == 403
        assert change(mira, enabled=False).status_code == 200
        refused = begin(server, consumer, api.new_id())
        assert (refused.status_code, api.code_of(refused)) == (403, "audio_off")
        too_long = change(mira, maxSeconds=121)
        assert (too_long.status_code, api.code_of(too_long)) == (422, "setting_out_of_range"), too_long.text
        assert too_long.json()["error"]["limit"] == 120
    finally:
        assert change(mira, enabled=True).status_code == 200
    assert begin(server, consumer, api.new_id()).status_code == 201


def test_the_command_line_changes_a_running_server_and_its_clients_are_told(server, demo, consumer):
    def earshot(*words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(build_folder() / "earshot"), "set", "brand", demo.account, *words],
            env=server.environment(),
            capture_output=True,
            text=True,
            timeout=60,
        )

    async def watch() -> list[bool]:
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        told = []
        for value in ("false", "true"):
            done = await asyncio.to_thread(earshot, "messaging.audio.sharing.consumers", value)
            assert done.returncode == 0, done.stderr
            told.append((await link.until("settings"))["settings"]["audio"]["on"])
            assert begin(server, consumer, api.new_id()).status_code == (201 if told[-1] else 403)
        await link.close()
        return told

    assert wire.run(watch()) == [False, True]
    wrong = earshot("messaging.audio.maxSeconds", "14")
    assert wrong.returncode != 0 and "15 to 120" in wrong.stderr, wrong.stderr
    unknown = earshot("messaging.audio.volume", "11")
    assert unknown.returncode != 0 and "messaging.audio.sharing.enabled" in unknown.stderr, unknown.stderr


def test_each_download_is_recorded_in_the_audit_log(server, demo, consumer, microphone, tmp_path):
    mira = manager(server, demo)
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus")
    upload = api.upload(server.url, consumer, recording)
    assert upload.status_code == 200, upload.text
    media, path = upload.json()["media"], f"{server.url}/v1/media/{consumer.conversation}"
    played = requests.get(f"{path}/{media}.mp3", headers=consumer.headers, timeout=20)
    kept = requests.get(f"{path}/{media}.mp3?download=1", headers=consumer.headers, timeout=20)
    assert kept.content == played.content and kept.headers["Content-Disposition"].startswith(
        'attachment; filename="voice-message-20'
    )
    original = requests.get(f"{path}/{media}/original", headers=consumer.headers, timeout=20)
    assert (original.status_code, api.code_of(original)) == (403, "original_refused")
    entries = mira.session.get(f"{server.url}/v1/audit", timeout=20).json()["entries"]
    mine = [entry for entry in entries if entry.get("media") == media]
    assert [(entry["what"], entry["by"], entry["detail"]) for entry in mine] == [
        ("audio.downloaded", consumer.id, "mp3")
    ]
    try:
        assert change(mira, originals=True).status_code == 200
        original = requests.get(f"{path}/{media}/original", headers=consumer.headers, timeout=20)
        assert original.content == recording
        assert (
            original.headers["Content-Type"] == "application/octet-stream"
            and original.headers["X-Content-Type-Options"] == "nosniff"
        )
    finally:
        change(mira, originals=False)


async def listens_to_all(server, agent: api.Agent, conversation: str, number: int) -> None:
    """Takes the conversation and plays its voice message to the end, in two parts."""
    link = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()})
    await link.until("ready")
    await link.send({"take": "take-1", "c": conversation})
    assert "ok" in await link.until("ok", "no")
    await link.send({"watch": conversation})
    await link.until("watching")
    for span in ([0, 1_000], [1_000, 600_000]):
        await link.send({"played": number, "c": conversation, "spans": [span]})
    listened = False
    while not listened:
        listened = any(n == number and all_of_it for n, _, _, all_of_it in (await link.until("played"))["played"])
    await link.close()


async def watches_and_takes_over(server, manager: api.Agent, conversation: str) -> None:
    link = await wire.Link.open(server.socket_url, {"ticket": manager.ticket()})
    await link.until("ready")
    for _ in range(2):
        await link.send({"watch": conversation})
        await link.until("watching")
    await link.send({"ask": "over-1", "c": conversation, "takeOver": {}})
    await link.send({"ask": "over-1", "c": conversation, "takeOver": {}})
    for _ in range(2):
        assert "ok" in await link.until("ok", "no")
    await link.close()


def test_who_listened_watched_and_took_over_is_in_the_audit_log(server, demo, consumer, agent, microphone, tmp_path):
    mira = manager(server, demo)
    upload = api.upload(server.url, consumer, recordings.encode(microphone, tmp_path, "WebM/Opus")).json()

    async def speaks() -> int:
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": "voice-1", "audio": upload["media"]})
        number = (await link.until("ok"))["n"]
        await link.close()
        return number

    wire.run(listens_to_all(server, agent, consumer.conversation, wire.run(speaks())))
    wire.run(watches_and_takes_over(server, mira, consumer.conversation))
    asked = {"what": "audio.played,conversation.watched,conversation.takenOver"}
    entries = mira.session.get(f"{server.url}/v1/audit", params=asked, timeout=20).json()["entries"]
    mine = [(one["what"], one["by"]) for one in entries if one["conversation"] == consumer.conversation]
    assert mine == [
        ("conversation.takenOver", mira.id), ("conversation.watched", mira.id), ("audio.played", agent.id)
    ], entries
    signed_in = mira.session.get(f"{server.url}/v1/audit", params={"what": "person.signedIn"}, timeout=20)
    assert {one["address"] for one in signed_in.json()["entries"]} == {"127.0.0.1"}


def test_the_audit_log_can_be_checked_while_the_server_runs(server, demo, agent):
    data = ("--data", str(server.data))
    brand, result, newest = succeed("audit", "verify", "--brand", demo.account, *data).rstrip("\n").split("\t")
    assert brand == demo.account and result.startswith("intact, entries: "), result
    manager(server, demo)  # A sign-in adds an entry.
    again = succeed("audit", "verify", "--brand", demo.account, "--known", newest, *data)
    assert "\tintact, entries: " in again and newest not in again
    other = ("A" if newest[0] != "A" else "B") + newest[1:]
    assert "NOT INTACT: no entry has the hash" in fail(
        "audit", "verify", "--brand", demo.account, "--known", other, *data)
    assert "--known must be a hash" in fail("audit", "verify", "--brand", demo.account, "--known", "x", *data)
    assert "--known needs --brand" in fail("audit", "verify", "--known", newest, *data)
    assert "does not exist" in fail("audit", "verify", "--brand", "nobody", *data)
