"""A program reads the history with an API key: every conversation once while others write, and recordings byte for
byte. The lines of the how-to are run as they are written."""

import hashlib
import json
import re
import subprocess
import threading
from pathlib import Path

import pytest
import requests

from support import api, wire
from support.command import fail, succeed

from support.server import ROOT, build_folder
from support.voice import recordings, voice_messages

CONVERSATIONS = 250
HOW_TO = ROOT / "docs/how-to/read-the-history-from-a-program.md"


def sound(microphone: Path, folder: Path) -> Path:
    """Two seconds of speech."""
    target = folder / "sound.webm"
    target.write_bytes(recordings.encode(microphone, folder, "WebM/Opus", seconds=2))
    return target


def headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def ask(server, key: str, path: str, **query) -> requests.Response:
    """Asks until the key's allowance suffices and no other search runs."""
    while True:
        answer = requests.get(f"{server.url}/v1/history/{path}", params=query, headers=headers(key), timeout=30)
        if answer.status_code != 429:
            return answer
        assert int(answer.headers["Retry-After"]) >= 1


def pages(server, key: str, path: str, name: str, **query) -> list[dict]:
    found, cursor = [], {}
    while True:
        answer = ask(server, key, path, **query, **cursor)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert len(body[name]) <= query["limit"]
        found += body[name]
        if "next" not in body:
            return found
        cursor = {"cursor": body["next"]}


async def begin(server, consumer, text: str) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": api.new_id(), "text": text})
    await link.until("ok")
    await link.close()


@pytest.fixture(scope="module")
def key(manager) -> str:
    return api.key(manager, "history.read", "recordings.read")


def test_every_conversation_comes_once_while_others_are_written(server, demo, manager, key):
    quiet = [api.new_consumer(server.url, demo) for _ in range(CONVERSATIONS)]
    loud = [api.new_consumer(server.url, demo) for _ in range(5)]

    async def write() -> None:
        for number, consumer in enumerate([*quiet, *loud]):
            await begin(server, consumer, f"Where is parcel {number}? It is a persimmon.")

    wire.run(write())
    ended = threading.Event()

    def disturb() -> None:
        while not ended.is_set():
            for consumer in loud:
                wire.run(begin(server, consumer, "And another persimmon?"))

    writer = threading.Thread(target=disturb)
    writer.start()
    try:
        rows = pages(server, key, "conversations", "rows", limit=40, status="open")
    finally:
        ended.set()
        writer.join()
    ids = [row["id"] for row in rows]
    for consumer in quiet:
        assert ids.count(consumer.conversation) == 1
    one = next(row for row in rows if row["id"] == quiet[7].conversation)
    assert one["consumer"]["id"] == quiet[7].id and one["app"] == demo.app and one["channel"] == "web"
    assert one["counts"] == {"messages": one["counts"]["messages"], "recordings": 0} and one["counts"]["messages"] >= 1
    assert one["begun"] <= one["lastEvent"] and "closed" not in one
    seen = manager.session.get(f"{server.url}/v1/search", params={"q": "persimmon", "limit": 50}, timeout=20).json()
    for row in seen["rows"]:
        (found,) = pages(server, key, "conversations", "rows", limit=5, consumer=consumer_of(rows, row["c"]))
        assert (found["id"], found["consumer"]["name"]) == (row["c"], row["who"])
    newest = ask(server, key, "conversations", limit=1).json()["rows"][0]
    assert pages(server, key, "conversations", "rows", limit=9, **{"from": newest["lastEvent"] + 1}) == []


def consumer_of(rows: list[dict], conversation: str) -> str:
    return next(row["consumer"]["id"] for row in rows if row["id"] == conversation)


def test_a_conversation_comes_page_by_page_with_its_recordings(
    server, consumer, manager, key, microphone, tmp_path
):
    (media,) = voice_messages.say(server, consumer, "One quince", "Two quinces", sound(microphone, tmp_path))
    whole = pages(server, key, f"conversations/{consumer.conversation}", "events", limit=100)
    by_two = pages(server, key, f"conversations/{consumer.conversation}", "events", limit=2)
    assert by_two == whole and [one["n"] for one in whole] == sorted({one["n"] for one in whole})
    assert [one["text"] for one in whole if one["type"] == "text" and one.get("role") == "consumer"] == [
        "One quince", "Two quinces"]
    (audio,) = [one["audio"] for one in whole if one["type"] == "audio"]
    assert audio["media"] == media and 1_500 < audio["durationMs"] < 2_500 and audio["listened"] is False
    played = manager.session.get(f"{server.url}/v1/media/{consumer.conversation}/{media}.mp3", timeout=30)
    path = audio["url"].removeprefix("/v1/history/")
    downloaded = ask(server, key, path)
    assert downloaded.status_code == 200 and len(downloaded.content) > 1_000
    assert hashlib.sha256(downloaded.content).digest() == hashlib.sha256(played.content).digest()
    refused = ask(server, key, path, format="original")
    assert (refused.status_code, api.code_of(refused)) == (403, "original_refused")
    row = ask(server, key, f"conversations/{consumer.conversation}").json()["conversation"]
    assert row["counts"]["recordings"] == 1
    entries = manager.session.get(
        f"{server.url}/v1/audit", params={"conversation": consumer.conversation}, timeout=20).json()["entries"]
    program = key.removeprefix("ek_")[:22]
    noted = sorted(one["what"] for one in entries if one["by"] == program)
    assert noted == ["audio.downloaded", "history.read"], "once each, although it was read several times"
    assert key.rsplit("_", 1)[-1] not in json.dumps(entries)


def test_words_of_a_private_note_are_found_only_with_the_scope_for_notes(server, demo, consumer, manager, key):
    notes_key = api.key(manager, "history.read", "notes.read")

    async def note() -> None:
        await begin(server, consumer, "A tayberry")
        link = await wire.Link.open(server.socket_url, {"ticket": manager.ticket()})
        await link.until("ready")
        await link.send({"ask": api.new_id(), "c": consumer.conversation, "note": {"text": "It is a salak"}})
        await link.until("ok")
        await link.close()

    wire.run(note())
    for words in ("salak", "sal"):
        assert pages(server, key, "conversations", "rows", limit=9, text=words) == []
        found = pages(server, notes_key, "conversations", "rows", limit=9, text=words)
        assert [row["id"] for row in found] == [consumer.conversation]
    assert len(pages(server, key, "conversations", "rows", limit=9, text="tayberry")) == 1


def test_an_erased_conversation_is_gone(server, consumer, manager, key, microphone, tmp_path):
    (media,) = voice_messages.say(server, consumer, "A loquat", sound(microphone, tmp_path))
    paths = (f"conversations/{consumer.conversation}", f"recordings/{media}")
    assert [ask(server, key, path).status_code for path in paths] == [200, 200]
    erased = manager.session.post(
        f"{server.url}/v1/conversations/{consumer.conversation}/erasure", json={"reason": "Asked for"},
        headers=manager.headers, timeout=20)
    assert erased.status_code in {200, 202, 204}, erased.text
    for path in paths:
        while ask(server, key, path).status_code == 200:
            pass  # a poll of the outside: the server erases within a second
        assert ask(server, key, path).status_code == 404
    assert pages(server, key, "conversations", "rows", limit=9, consumer=consumer.id) == []


def test_the_operator_makes_lists_and_revokes_keys(server, demo, tmp_path):
    place = ("--brand", demo.account, "--data", str(server.data))
    key = succeed("api-key", "add", *place, "--scope", "history.read", "--days", "30", "Night job").strip()
    assert ask(server, key, "conversations").status_code == 200
    line = next(line for line in succeed("api-key", "list", *place).splitlines() if "Night job" in line)
    name, *_, used = line.split("\t")
    assert used and key.startswith(f"ek_{name}_") and key.removeprefix(f"ek_{name}_") not in line
    for days in ("0", "732"):
        assert "1 to 731" in fail("api-key", "add", *place, "--scope", "history.read", "--days", days, "x")
    assert "not a scope" in fail("api-key", "add", *place, "--scope", "history.write", "x")
    succeed("api-key", "revoke", *place, "--", name)
    refused = ask(server, key, "conversations")
    assert (refused.status_code, api.code_of(refused)) == (401, "not_signed_in")
    assert "has no API key" in fail("api-key", "revoke", *place, "--", name)
    assert key.removeprefix(f"ek_{name}_") not in server.log()


def test_the_lines_of_the_how_to_work_as_they_are_written(server, demo, consumer, microphone, tmp_path):
    (media,) = voice_messages.say(server, consumer, "A medlar", sound(microphone, tmp_path))
    add, find, following, read, download = re.findall(r"```sh\n(.*?)\n```", HOW_TO.read_text(), re.DOTALL)
    values = {
        "BRAND": demo.account, "EARSHOT": server.url, "CONVERSATION": consumer.conversation, "MEDIA": media,
        "EARSHOT_DATA": str(server.data), "PATH": f"{build_folder()}:/usr/bin:/bin",
    }

    def run(line: str) -> str:
        done = subprocess.run(["sh", "-c", line], env=values, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    values["KEY"] = run(add).strip()
    one = find.replace("limit=100", "limit=1")
    values["NEXT"] = json.loads(run(one))["next"]
    assert json.loads(run(following.replace("limit=100", "limit=1")))["rows"]
    assert any(event.get("text") == "A medlar" for event in json.loads(run(read))["events"])
    run(download)
    assert (tmp_path / "message.mp3").stat().st_size > 1_000
