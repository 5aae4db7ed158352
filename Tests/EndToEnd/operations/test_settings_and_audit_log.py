"""Settings and the audit log: changes take effect at once, and downloads are recorded."""

import asyncio
import subprocess

import requests

from support import api, wire
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
