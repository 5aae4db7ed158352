"""Recordings over HTTP: speech comes out as that speech with its true duration; anything else is refused with its
code."""

import os
import signal

import pytest
import requests

from support import api
from support.voice import recordings, speech

TEN_HOURS = 36_000


def play(server, consumer, media: str, **headers) -> requests.Response:
    return requests.get(
        f"{server.url}/v1/media/{consumer.conversation}/{media}.mp3",
        headers={**consumer.headers, **headers},
        timeout=20,
    )


@pytest.mark.parametrize("name", recordings.FORMATS)
def test_speech_in_every_format_is_accepted_with_its_duration_and_waveform(
    server, consumer, microphone, tmp_path, figure, name
):
    recording = recordings.encode(microphone, tmp_path, name)
    answer = api.upload(server.url, consumer, recording, recordings.FORMATS[name][0])
    assert answer.status_code == 200, answer.text
    body = answer.json()
    decoded = speech.decode(write(tmp_path, recording))
    assert abs(body["ms"] - len(decoded) / speech.RATE * 1000) <= 50, (body["ms"], len(decoded) / speech.RATE)
    assert len(body["wave"]) == 64 and all(0 <= level <= 100 for level in body["wave"]) and max(body["wave"]) > 30
    heard = speech.decode(play(server, consumer, body["media"]).content)
    likeness = speech.likeness(heard, speech.decode(microphone))
    figure(
        "34",
        f"{name}: says {body['ms']} ms, FFmpeg decodes {len(decoded) / speech.RATE * 1000:.0f} ms; the MP3's likeness "
        f"to the speech {likeness:.2f}",
    )
    assert likeness >= 0.8


def write(folder, data: bytes):
    path = folder / "recording"
    path.write_bytes(data)
    return path


def test_an_mp3_is_served_by_ranges_and_safely(server, consumer, microphone, tmp_path):
    media = api.upload(server.url, consumer, recordings.encode(microphone, tmp_path, "WebM/Opus")).json()["media"]
    whole = play(server, consumer, media)
    assert (
        whole.status_code == 200
        and whole.headers["Content-Type"] == "audio/mpeg"
        and whole.headers["X-Content-Type-Options"] == "nosniff"
    )
    assert (
        "sandbox" in whole.headers["Content-Security-Policy"]
        and whole.headers["ETag"]
        and "Content-Disposition" in whole.headers
    )
    part = play(server, consumer, media, Range="bytes=100-199")
    assert part.status_code == 206 and part.content == whole.content[100:200]
    assert part.headers["Content-Range"] == f"bytes 100-199/{len(whole.content)}"
    tail = play(server, consumer, media, Range="bytes=-50")
    assert tail.status_code == 206 and tail.content == whole.content[-50:]
    beyond = play(server, consumer, media, Range=f"bytes={len(whole.content)}-")
    assert beyond.status_code == 416


@pytest.fixture(scope="module")
def wrong(microphone, tmp_path_factory) -> dict[str, tuple[bytes, set[str]]]:
    """What is uploaded, and the code that refuses it."""
    folder = tmp_path_factory.mktemp("wrong")
    webm, ogg, wav = (recordings.encode(microphone, folder, name) for name in ("WebM/Opus", "Ogg/Opus", "WAV"))
    m4a = recordings.encode(microphone, folder, "MP4/AAC, index at the end")
    playlist = f"#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n{microphone}\n#EXT-X-ENDLIST\n".encode()
    return {
        "a text renamed to .webm": (b"Dear Earshot, this is no sound at all.\n" * 100, {"not_audio"}),
        "a web page": (b"<!doctype html><script>alert(1)</script>" * 50, {"not_audio"}),
        "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(2000), {"not_audio"}),
        "a ZIP": (b"PK\x03\x04" + bytes(2000), {"not_audio"}),
        "an HLS playlist": (playlist, {"not_audio"}),
        "an empty file": (b"", {"audio_empty"}),
        "a truncated WebM": (webm[: len(webm) * 2 // 3], {"audio_damaged"}),
        "a WebM's head only": (webm[:200], {"audio_damaged", "audio_empty"}),
        "a truncated M4A": (m4a[: len(m4a) // 2], {"audio_damaged"}),
        "a WAV whose header claims an hour": (
            recordings.wav_claiming(3600, wav[44:]),
            {"audio_damaged", "audio_too_long"},
        ),
        "half an hour of silence in 2 MB": (
            recordings.silence(folder, 1800, "-c:a", "libopus", "-b:a", "6k", "-f", "ogg"),
            {"audio_too_long"},
        ),
        "121 seconds": (
            recordings.silence(folder, 121, "-c:a", "libopus", "-b:a", "6k", "-f", "webm"),
            {"audio_too_long"},
        ),
        # At this rate 46 seconds long: only its size is over a limit.
        "17 MB": (recordings.wav_claiming(46, bytes(17 << 20), rate=192_000), {"audio_too_large"}),
        "a WebM of zeros": (webm[:400] + bytes(4000), {"audio_damaged", "audio_empty", "audio_failed"}),
        "a truncated Ogg": (ogg[: len(ogg) * 2 // 3], {"audio_damaged"}),
    }


NAMES = [
    "a text renamed to .webm",
    "a web page",
    "a picture",
    "a ZIP",
    "an HLS playlist",
    "an empty file",
    "a truncated WebM",
    "a WebM's head only",
    "a truncated M4A",
    "a WAV whose header claims an hour",
    "half an hour of silence in 2 MB",
    "121 seconds",
    "17 MB",
    "a WebM of zeros",
    "a truncated Ogg",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_recording_is_refused_with_its_code(server, consumer, microphone, tmp_path, wrong, name):
    data, codes = wrong[name]
    answer = api.upload(server.url, consumer, data)
    assert answer.status_code in {413, 415, 422} and api.code_of(answer) in codes, answer.text
    good = api.upload(server.url, consumer, recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2))
    assert good.status_code == 200, f"after {name} the next recording was refused: {good.text}"


def test_the_table_of_bad_recordings_is_complete(wrong):
    assert set(NAMES) == set(wrong)


@pytest.mark.parametrize("claim", ["WebM", "Ogg"])
def test_a_duration_claimed_by_a_header_is_ignored(server, consumer, microphone, tmp_path, figure, claim):
    """Either refused, or shown with the length that decodes."""
    if claim == "WebM":
        honest = recordings.encode(microphone, tmp_path, "WebM/Opus")
        lying = recordings.webm_claiming(honest, TEN_HOURS)
    else:
        honest = recordings.encode(microphone, tmp_path, "Ogg/Opus")
        lying = recordings.ogg_claiming(honest, TEN_HOURS)
    assert lying != honest
    true_ms = len(speech.decode(write(tmp_path, honest))) / speech.RATE * 1000
    answer = api.upload(server.url, consumer, lying)
    if answer.status_code == 200:
        assert abs(answer.json()["ms"] - true_ms) <= 50
        figure("34", f"{claim} that claims ten hours: shown with its true {answer.json()['ms']} ms")
    else:
        assert api.code_of(answer) in {"audio_damaged", "audio_too_long"}, answer.text
        figure("34", f"{claim} that claims ten hours: refused as {api.code_of(answer)}")


def test_recordings_exactly_at_the_limits_are_accepted(server, consumer, tmp_path):
    at = api.upload(
        server.url,
        consumer,
        recordings.silence(tmp_path, 120, "-c:a", "libopus", "-b:a", "6k", "-f", "ogg"),
        "audio/ogg",
    )
    assert at.status_code == 200, at.text
    assert abs(at.json()["ms"] - 120_000) <= 50


def test_an_upload_can_be_resumed(server, consumer, microphone, tmp_path):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus")
    name = api.begin_upload(server.url, consumer)

    def patch(offset: int, data: bytes):
        return requests.patch(f"{server.url}/v1/uploads/{name}?offset={offset}", data=data, timeout=20,
                              headers={**consumer.headers, "Content-Type": "application/octet-stream"})

    half = len(recording) // 2
    assert patch(0, recording[:half]).json()["received"] == half
    assert patch(0, recording[:half]).json()["received"] == half, "what was received is skipped"
    gap = patch(half + 10, recording[half + 10:])
    assert (gap.status_code, api.code_of(gap)) == (409, "upload_gap")
    assert gap.json()["error"]["received"] == half and "`received`" in gap.json()["error"]["text"]
    assert patch(half - 7, recording[half - 7:]).json()["received"] == len(recording)
    finish = [
        requests.post(
            f"{server.url}/v1/uploads/{name}/finish",
            json={"bytes": len(recording)},
            headers=consumer.headers,
            timeout=30,
        )
        for _ in range(2)
    ]
    assert finish[0].status_code == 200 and finish[0].json() == finish[1].json()


def test_a_crashing_worker_costs_only_its_message(server, consumer, microphone, tmp_path, figure):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus")
    name = api.begin_upload(server.url, consumer)
    answer = requests.patch(
        f"{server.url}/v1/uploads/{name}?offset=0",
        data=recording[: len(recording) // 2],
        timeout=20,
        headers={**consumer.headers, "Content-Type": "application/octet-stream"},
    )
    assert answer.status_code == 200
    killed = server.workers()
    assert killed, "no media worker runs while a recording arrives"
    for worker in killed:
        os.kill(worker, signal.SIGKILL)
    requests.patch(
        f"{server.url}/v1/uploads/{name}?offset={len(recording) // 2}",
        data=recording[len(recording) // 2 :],
        timeout=20,
        headers={**consumer.headers, "Content-Type": "application/octet-stream"},
    )
    hit = requests.post(
        f"{server.url}/v1/uploads/{name}/finish", json={"bytes": len(recording)}, headers=consumer.headers, timeout=60
    )
    assert hit.status_code == 200 or api.code_of(hit) == "audio_failed", hit.text
    for _ in range(5):
        assert api.upload(server.url, consumer, recording).status_code == 200
    figure(
        "36",
        f"{len(killed)} workers killed while a recording arrived: its sender got {hit.status_code}; the five next "
        "recordings were fine",
    )
