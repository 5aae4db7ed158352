"""Duration, size and format limits are decided by the content of a recording, never by names or headers."""

import struct

import pytest

from support import api
from support.voice import recordings, speech

SIXTEEN_MIB = 16 * 1024 * 1024
NOT_AUDIO = {
    "SVG": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' * 20,
    "SVG without a head": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' * 20,
    "HTML": b"<!doctype html><html><script>alert(1)</script></html>" * 20,
    "ZIP": b"PK\x03\x04\x14\x00" + bytes(2000),
    "EXE": b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff" + bytes(2000),
    "ELF": b"\x7fELF\x02\x01\x01" + bytes(2000),
    "PDF": b"%PDF-1.7\n" + bytes(2000),
    "GIF": b"GIF89a" + bytes(2000),
    "a script": b"#!/bin/sh\nrm -rf /\n" * 50,
}
CLAIMS = ["audio/mpeg", "audio/ogg", "audio/wav", "audio/mp4", "audio/webm;codecs=opus"]


@pytest.fixture
def manager(server, demo):
    mira = api.Agent(server.url, demo.account, demo.manager)

    def limit(seconds: int) -> None:
        answer = mira.session.patch(
            f"{server.url}/v1/settings", json={"audio": {"maxSeconds": seconds}}, headers=mira.headers, timeout=20
        )
        assert answer.status_code == 200, answer.text

    yield limit
    limit(120)


def spoken(microphone, folder, seconds: int):
    target = folder / f"spoken-{seconds}.wav"
    speech.run(
        "ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", str(microphone), "-t", str(seconds), str(target)
    )
    return target


def test_the_brands_maximum_duration_holds_in_every_format(server, demo, manager, microphone, tmp_path, figure):
    taken, refused = 0, 0
    for limit, names in {
        15: list(recordings.FORMATS),
        60: ["WebM/Opus", "MP4/AAC, fragmented"],
        120: ["WebM/Opus", "MP3"],
    }.items():
        manager(limit)
        for name in names:
            mime = recordings.FORMATS[name][0]
            whole = api.upload(
                server.url,
                api.new_consumer(server.url, demo),
                recordings.encode(spoken(microphone, tmp_path, limit), tmp_path, name),
                mime,
            )
            assert (
                whole.status_code == 200 and abs(whole.json()["ms"] - limit * 1000) <= 100
            ), f"{name}, {limit} s: {whole.text}"
            over = api.upload(
                server.url,
                api.new_consumer(server.url, demo),
                recordings.encode(spoken(microphone, tmp_path, limit + 1), tmp_path, name),
                mime,
            )
            assert (over.status_code, api.code_of(over)) == (
                422,
                "audio_too_long",
            ), f"{name}, {limit + 1} s: {over.text}"
            assert over.json()["error"]["limit"] == limit * 1000, over.text
            taken, refused = taken + 1, refused + 1
    figure(
        "35",
        f"limits of 15, 60 and 120 s in {len(recordings.FORMATS)} formats: {taken} of {taken} taken at the limit, "
        f"{refused} of {refused} refused a second over it",
    )


def test_sixteen_mebibytes_are_accepted_and_one_byte_more_is_refused(server, demo, figure):
    """WAV, 48 kHz, two channels: 87 seconds."""
    data = SIXTEEN_MIB - 44
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", data + 36, b"WAVE", b"fmt ", 16, 1, 2, 48_000, 192_000, 4, 16, b"data", data
    )
    recording = head + struct.pack("<4h", 9000, 9000, -9000, -9000) * (data // 8) + bytes(data % 8)
    assert len(recording) == SIXTEEN_MIB
    at = api.upload(server.url, api.new_consumer(server.url, demo), recording, "audio/wav")
    assert at.status_code == 200 and abs(at.json()["ms"] - data / 192) <= 50, at.text
    over = api.upload(server.url, api.new_consumer(server.url, demo), recording + b"\0", "audio/wav")
    assert (over.status_code, api.code_of(over)) == (413, "audio_too_large"), over.text
    figure("35", f"{len(recording)} bytes taken, {len(recording) + 1} refused with 413")


def test_files_that_are_not_audio_are_refused_under_any_name(server, demo, figure):
    for kind, data in NOT_AUDIO.items():
        for claim in CLAIMS:
            answer = api.upload(server.url, api.new_consumer(server.url, demo), data, claim)
            assert (answer.status_code, api.code_of(answer)) == (415, "not_audio"), f"{kind} as {claim}: {answer.text}"
    assert not [
        path
        for path in server.data.rglob("original")
        if path.stat().st_size in {len(data) for data in NOT_AUDIO.values()}
    ], "something was kept of them"
    figure(
        "35",
        f"{len(NOT_AUDIO)} kinds of file under {len(CLAIMS)} audio types: {len(NOT_AUDIO) * len(CLAIMS)} refused with "
        "415",
    )


def test_audio_is_accepted_under_any_declared_type(server, demo, microphone, tmp_path):
    recording = recordings.encode(microphone, tmp_path, "Ogg/Opus", seconds=2)
    for claim in ["text/html", "image/svg+xml", "application/octet-stream", "audio/mpeg"]:
        assert api.upload(server.url, api.new_consumer(server.url, demo), recording, claim).status_code == 200, claim
