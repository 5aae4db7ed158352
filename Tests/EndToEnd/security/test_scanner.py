"""With a real clamd: nothing unscanned reaches anyone, and waiting recordings are delivered in order, once."""

import asyncio
import fnmatch
import hashlib
import os
import time
from pathlib import Path

import pytest
import requests

from support import api, metrics, wire
from support.clamd import HARM, HARM_SIGNATURE, Clamd, canary_of, lines_about
from support.demo import discover
from support.server import PATIENCE, bar
from support.voice import recordings, speech

# The tests' harmful string, where a container carries words about itself.
TAGGED = ("-metadata", f"comment={HARM.decode()}", "-metadata", f"title={HARM.decode()}")
FORMS = {name: form for name, form in recordings.FORMATS.items() if name != "AMR-WB"}


@pytest.fixture
def clamd(tmp_path):
    one = Clamd(tmp_path / "clamd").start()
    yield one
    one.stop()


def scanner_state(server) -> str:
    states = [one for one in metrics.scrape(server).samples if one.name == "earshot_scanner"]
    return next(state.labels["state"] for state in states if state.value == 1)


def until_scanner(server, state: str, within: float = PATIENCE) -> float:
    """Asks until the server's scanner is in that state; the seconds that took."""
    began = time.monotonic()
    while scanner_state(server) != state:
        assert (
            time.monotonic() - began < within
        ), f"the scanner is {scanner_state(server)}, not {state}:\n{server.log_tail()}"
    return time.monotonic() - began


@pytest.fixture
def scanned(new_server, clamd):
    """A server whose scanner is proven, and what one needs to use it."""
    server = new_server({**clamd.settings, **metrics.settings()}).start()
    until_scanner(server, "ok")
    yield Scene(server, clamd)
    server.kill()


class Scene:
    def __init__(self, server, clamd):
        self.server, self.clamd = server, clamd
        self.demo = discover(server)
        self.agent = api.Agent(server.url, self.demo.account, self.demo.agent)
        self.manager = api.Agent(server.url, self.demo.account, self.demo.manager)

    def consumer(self) -> api.Consumer:
        """One who has said something: before that no agent sees the conversation."""
        consumer = api.new_consumer(self.server.url, self.demo)
        assert "ok" in wire.run(say(self, consumer, text="Hello"))
        return consumer

    def play(self, consumer, media: str, by: api.Agent | None = None, form: str = ".mp3") -> requests.Response:
        """By the agent, or else by the consumer itself."""
        address = f"{self.server.url}/v1/media/{consumer.conversation}/{media}{form}"
        return (
            by.session.get(address, timeout=20) if by else requests.get(address, headers=consumer.headers, timeout=20)
        )

    def blocked(self) -> list[dict]:
        answer = self.manager.session.get(f"{self.server.url}/v1/audit", timeout=20)
        assert answer.status_code == 200, answer.text
        return [entry for entry in answer.json()["entries"] if entry["what"] == "audio.blocked"]

    def files(self, name: str) -> list[Path]:
        """The server may remove folders meanwhile, which `os.walk` allows."""
        found = [(folder, fnmatch.filter(names, name)) for folder, _, names in os.walk(self.server.data)]
        return [Path(folder) / one for folder, names in found for one in names]

    def events(self, consumer) -> list[dict]:
        return wire.run(wire.read_whole(self.server.socket_url, consumer.token))

    def seen(self, kind: str, consumer) -> list[dict]:
        return [event for event in self.events(consumer) if kind in event]


async def say(scene, consumer, **what) -> dict:
    link = await wire.Link.open(scene.server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": api.new_id(), **what})
    answer = await link.until("ok", "no")
    await link.close()
    return answer


async def watch(scene, consumer) -> wire.Link:
    """An agent who looks at the conversation."""
    ticket = await asyncio.to_thread(scene.agent.ticket)
    link = await wire.Link.open(scene.server.socket_url, {"ticket": ticket})
    await link.until("ready")
    await link.send({"watch": consumer.conversation})
    await link.until("watching")
    return link


async def until_event(link, kind: str, within: float = PATIENCE) -> dict:
    while True:
        frame = await link.until("events", within=within)
        for event in frame["events"]:
            if kind in event:
                return event


def holding(clean: bytes) -> bytes:
    assert HARM in clean, "the harmful string is not in this recording"
    return clean


def harmful(microphone, folder, name: str) -> bytes:
    target = folder / "harmful"
    if name == "AMR":
        target = target.with_suffix(".amr-nb")
        speech.run("sox", str(microphone), "-r", "8000", "-c", "1", str(target), "trim", "0", "3")
        # A frame of 12.2 kbit/s has 31 bytes of sound, of any value.
        return target.read_bytes() + b"\x3c" + HARM.ljust(31, b"\0")
    *codec, flag, container = FORMS[name][1]
    speech.run(
        "ffmpeg", "-v", "error", "-y", "-i", str(microphone), "-t", "3", *codec, *TAGGED, flag, container, str(target)
    )
    return holding(target.read_bytes())


def test_what_clamd_misses_by_default(clamd, microphone, tmp_path, figure):
    """The premise of the second session: out of the box clamd looks into no MP3 and no Ogg, and says OK. One byte in
    front, and it looks."""
    blind = []
    for name in FORMS:
        recording = harmful(microphone, tmp_path, name)
        assert b"FOUND" in clamd.scan(b"X" + recording), name
        if clamd.scan(recording) == b"stream: OK\0":
            blind.append(name)
    figure("27", f"clamd alone answers OK to a signature in: {', '.join(blind)}")
    assert {"Ogg/Opus", "MP3"} <= set(blind)


def test_malware_in_any_container_is_blocked_and_removed(scanned, microphone, tmp_path, figure):
    found = []
    for name in FORMS:
        consumer = scanned.consumer()
        answer = api.upload(scanned.server.url, consumer, harmful(microphone, tmp_path, name), FORMS[name][0])
        assert (answer.status_code, api.code_of(answer)) == (422, "audio_blocked"), f"{name}: {answer.text}"
        upload = answer.request.url.split("/")[-2]
        again = requests.post(
            answer.request.url,
            data=answer.request.body,
            headers={**consumer.headers, "Content-Type": "application/json"},
            timeout=20,
        )
        assert api.code_of(again) == "audio_blocked", again.text
        assert (
            scanned.play(consumer, upload).status_code == 404
            and scanned.play(consumer, upload, scanned.agent).status_code == 404
        )
        sent = wire.run(say(scanned, consumer, audio=upload))
        assert sent.get("code") == "not_found", sent
        assert not scanned.seen("audio", consumer)
        found.append(name)
    assert not scanned.files("original") and not scanned.files("voice*"), "files of a blocked recording are left"
    assert not [
        path for path in scanned.server.data.rglob("*") if path.is_file() and HARM in path.read_bytes()
    ], "its bytes are left"
    entries = scanned.blocked()
    assert len(entries) == len(found) == len({entry["media"] for entry in entries}), entries
    figure(
        "27",
        f"a signature in {len(found)} forms of container: {len(found)} blocked, {len(entries)} audit entries, 0 files "
        "left",
    )


def test_a_clean_recording_is_playable_at_once(scanned, microphone, tmp_path):
    consumer = scanned.consumer()
    answer = api.upload(scanned.server.url, consumer, recordings.encode(microphone, tmp_path, "WebM/Opus"))
    assert answer.status_code == 200 and "scan" not in answer.json(), answer.text
    media = answer.json()["media"]
    assert "ok" in wire.run(say(scanned, consumer, audio=media))
    assert scanned.play(consumer, media, scanned.agent).status_code == 200
    assert not scanned.seen("scanned", consumer) and not scanned.blocked()
    while scanned.files(media):
        assert scanned.server.process.poll() is None
    assert scanned.play(consumer, media, scanned.manager, "/original").status_code == 200


def test_malware_across_two_scan_windows_is_found(scanned, microphone, tmp_path):
    """Windows of 32 KiB are scanned while the recording arrives: a signature that lies across their edge is no way
    through."""
    wav = recordings.encode(microphone, tmp_path, "WAV", seconds=2)
    edge = 32 * 1024
    for offset in (edge - 1, edge - len(HARM) + 1, 2 * edge - 5):
        recording = wav[:offset] + HARM + wav[offset + len(HARM):]
        answer = api.upload(scanned.server.url, scanned.consumer(), recording, "audio/wav")
        assert answer.status_code == 422 and api.code_of(answer) == "audio_blocked", (offset, answer.text)


@pytest.mark.parametrize("how", ["stopped", "held"])
def test_a_recording_waits_for_the_scanner_and_is_then_delivered_automatically(
    scanned, microphone, tmp_path, figure, how
):
    consumer, clamd = scanned.consumer(), scanned.clamd
    recording = recordings.encode(microphone, tmp_path, "Ogg/Opus", seconds=3)
    clamd.stop() if how == "stopped" else clamd.hold()
    began = time.monotonic()
    answer = api.upload(scanned.server.url, consumer, recording, "audio/ogg")
    took = time.monotonic() - began
    assert answer.status_code == 200 and answer.json()["scan"] == "pending", answer.text
    media = answer.json()["media"]

    async def story():
        link = await watch(scanned, consumer)
        assert "ok" in await say(scanned, consumer, audio=media)
        waiting = await until_event(link, "audio")
        assert waiting["audio"]["scan"] == "pending", waiting
        for form in (".mp3", ".ogg", ".m4a", "/original"):
            for suffix in ("", "?download=1"):
                refused = await asyncio.to_thread(scanned.play, consumer, media, scanned.agent, form + suffix)
                assert refused.status_code in {404, 409} and HARM not in refused.content, (
                    form,
                    refused.status_code,
                    refused.text,
                )
        refused = await asyncio.to_thread(scanned.play, consumer, media, scanned.agent)
        assert (refused.status_code, api.code_of(refused)) == (409, "audio_pending")
        assert (await asyncio.to_thread(scanned.play, consumer, media)).status_code == 200, "its author may play it"
        text_began = time.monotonic()
        assert "ok" in await say(scanned, consumer, text="text goes on")
        text_took = time.monotonic() - text_began
        back = time.monotonic()
        await asyncio.to_thread(clamd.start if how == "stopped" else clamd.go_on)
        verdict = await until_event(link, "scanned")
        waited = time.monotonic() - back
        assert verdict["scanned"] == {"of": waiting["n"], "verdict": "clean"} and verdict["by"] == 0, verdict
        assert (await asyncio.to_thread(scanned.play, consumer, media, scanned.agent)).status_code == 200
        await link.close()
        return text_took, waited

    text_took, waited = wire.run(story())
    figure(
        "28",
        f"clamd {how}: finish answered pending after {took:.1f} s in all, a text took {text_took * 1000:.0f} ms, "
        f"delivered {waited:.1f} s after it was back",
    )
    assert took <= bar(20) and len(scanned.seen("scanned", consumer)) == 1


def test_waiting_recordings_are_delivered_in_order(scanned, microphone, tmp_path, nightly, figure):
    consumers = [scanned.consumer() for _ in range(10 if nightly else 4)]
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=1)
    scanned.clamd.stop()
    until = {}
    for _ in range(10):
        for consumer in consumers:
            answer = api.upload(scanned.server.url, consumer, recording)
            assert answer.status_code == 200 and answer.json()["scan"] == "pending", answer.text
            until[consumer.conversation] = wire.run(say(scanned, consumer, audio=answer.json()["media"]))["n"]
    scanned.clamd.start()
    began = time.monotonic()

    async def last(consumer):
        link = await watch(scanned, consumer)
        while (
            len(
                [
                    event
                    for event in await wire.read_whole(scanned.server.socket_url, consumer.token)
                    if "scanned" in event
                ]
            )
            < 10
        ):
            await until_event(link, "scanned")
        await link.close()

    async def all_of_them():
        await asyncio.gather(*(last(consumer) for consumer in consumers))

    wire.run(all_of_them())
    took = time.monotonic() - began
    for consumer in consumers:
        events = scanned.events(consumer)
        audios = [event["n"] for event in events if "audio" in event]
        assert [
            event["scanned"]["of"] for event in events if "scanned" in event
        ] == audios, "out of order, or not once each"
    figure(
        "28",
        f"{10 * len(consumers)} recordings that waited: all delivered, in order, {took:.1f} s after clamd was started",
    )
    assert took <= bar(20)


def test_a_harmful_recording_that_waited_is_blocked_when_the_scanner_returns(scanned, microphone, tmp_path):
    consumer = scanned.consumer()
    recording = harmful(microphone, tmp_path, "MP3")
    scanned.clamd.stop()
    media = api.upload(scanned.server.url, consumer, recording, "audio/mpeg").json()["media"]

    async def story():
        link = await watch(scanned, consumer)
        await say(scanned, consumer, audio=media)
        await until_event(link, "audio")
        await asyncio.to_thread(scanned.clamd.start)
        verdict = await until_event(link, "scanned")
        assert verdict["scanned"]["verdict"] == "blocked"
        await link.close()

    wire.run(story())
    for by in (scanned.agent, None):
        assert scanned.play(consumer, media, by).status_code in {404, 422}
    while scanned.files("original"):
        assert scanned.server.process.poll() is None
    assert not scanned.files("voice*") and [entry["media"] for entry in scanned.blocked()] == [media]


def test_malware_visible_only_in_the_whole_file_is_blocked_right_after(new_server, tmp_path, microphone):
    """A signature of a whole file's hash is in no window: the recording passes the gate at Send, its own bytes never
    go out, and it is taken back."""
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2)
    clamd = Clamd(
        tmp_path / "clamd", hashes=[f"{hashlib.sha256(recording).hexdigest()}:{len(recording)}:Earshot.Test.Hash:73"]
    ).start()
    try:
        server = new_server({**clamd.settings, **metrics.settings()}).start()
        until_scanner(server, "ok")
        scene = Scene(server, clamd)
        consumer = scene.consumer()
        answer = api.upload(server.url, consumer, recording)
        assert answer.status_code == 200, answer.text
        media = answer.json()["media"]
        assert scene.play(consumer, media, scene.manager, "/original").status_code != 200
        while scene.files("original"):
            assert server.process.poll() is None
        assert scene.play(consumer, media, scene.agent).status_code in {404, 422}
        assert scene.play(consumer, media, scene.manager, "/original").status_code in {404, 422}
        assert [entry["media"] for entry in scene.blocked()] == [media]
        server.stop()
    finally:
        clamd.stop()


def test_a_killed_server_delivers_waiting_recordings_once(scanned, microphone, tmp_path, figure):
    consumer, server = scanned.consumer(), scanned.server
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2)
    scanned.clamd.stop()
    waiting = []
    for _ in range(3):
        media = api.upload(server.url, consumer, recording).json()["media"]
        waiting.append((media, wire.run(say(scanned, consumer, audio=media))["n"]))
    server.kill()
    scanned.clamd.start()
    server.start()
    # Killed again while it settles.
    until_scanner(server, "ok")
    server.kill()
    server.start()
    began = time.monotonic()
    while len(scanned.seen("scanned", consumer)) < len(waiting):
        assert time.monotonic() - began < PATIENCE, server.log_tail()
    events = scanned.events(consumer)
    assert [event["scanned"] for event in events if "scanned" in event] == [
        {"of": n, "verdict": "clean"} for _, n in waiting
    ]
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    agent = api.Agent(server.url, scanned.demo.account, scanned.demo.agent)
    for media, _ in waiting:
        assert scanned.play(consumer, media, agent).status_code == 200
    figure(
        "28",
        f"Earshot killed twice with {len(waiting)} waiting: each delivered once, {time.monotonic() - began:.1f} s "
        "after the last start",
    )


def test_a_container_whose_canary_is_missed_waits(new_server, tmp_path, microphone, figure):
    """clamd knows the canary in every container but Ogg: Ogg waits, the others pass."""
    heads = [b"\x1a\x45\xdf\xa3", b"ftyp", b"ID3", b"\xff\xfb", b"RIFF", b"#!AMR", b"caff"]
    clamd = Clamd(tmp_path / "clamd", [*canary_of(*heads), HARM_SIGNATURE, *large_canary()]).start()
    try:
        server = new_server({**clamd.settings, **metrics.settings()}).start()
        took = until_scanner(server, "unproven")
        scene = Scene(server, clamd)
        ogg = api.upload(
            server.url, scene.consumer(), recordings.encode(microphone, tmp_path, "Ogg/Opus", seconds=2), "audio/ogg"
        )
        assert ogg.status_code == 200 and ogg.json()["scan"] == "pending", ogg.text
        webm = api.upload(server.url, scene.consumer(), recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2))
        assert webm.status_code == 200 and "scan" not in webm.json(), webm.text
        assert any("ogg" in line for line in lines_about(server.log())), server.log_tail()
        figure("27", f"the canary missed in Ogg only: told {took:.1f} s after the first answer; Ogg waits, WebM passes")
        server.stop()
    finally:
        clamd.stop()


def large_canary() -> list[str]:
    """Found at the end of a large stream of zeros too."""
    name, target, offset, text = canary_of(b"")[0].split(":")
    return [f"{name}.Large:{target}:{offset}:00000000{{-20}}{text.lstrip('*')}"]


def test_a_scanner_that_skips_large_files_is_not_trusted(new_server, tmp_path, microphone):
    """clamd answers OK, without a look, to what is larger than its MaxFileSize."""
    clamd = Clamd(tmp_path / "clamd", MaxFileSize="10M", AlertExceedsMax="no").start()
    try:
        server = new_server({**clamd.settings, **metrics.settings()}).start()
        until_scanner(server, "unproven")
        consumer = api.new_consumer(server.url, discover(server))
        answer = api.upload(server.url, consumer, recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=1))
        assert answer.json()["scan"] == "pending", answer.text
        server.stop()
    finally:
        clamd.stop()


def test_the_log_reports_scanner_changes_only_once(scanned, microphone, tmp_path):
    scanned.clamd.stop()
    for _ in range(3):
        api.upload(
            scanned.server.url, scanned.consumer(), recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=1)
        )
    until_scanner(scanned.server, "down")
    scanned.clamd.start()
    until_scanner(scanned.server, "ok")
    lines = lines_about(scanned.server.log())
    assert len(lines) == 3, lines
