"""Voice messages sent over the wire for playback tests, and probes for what a page plays."""

import re
import time
from pathlib import Path

from support import api, wire
from support.voice import speech

# Every audio element that a page makes, so that a test sees what really plays.
EARS = (
    "const Real = window.Audio; window.ears = []; window.Audio = class extends Real { constructor(...all) { "
    "super(...all); window.ears.push(this); } };"
)
PLAYING = "() => (window.ears ?? []).filter(audio => !audio.paused && audio.currentTime > 0).length"


def long_speech(source: Path, folder: Path, seconds: int) -> Path:
    """The speech over and over, until it is so long."""
    target = folder / f"long-{seconds}.webm"
    speech.run(
        "ffmpeg",
        "-v",
        "error",
        "-y",
        "-stream_loop",
        "-1",
        "-i",
        str(source),
        "-t",
        str(seconds),
        "-c:a",
        "libopus",
        "-b:a",
        "24k",
        str(target),
    )
    return target


def tone(folder: Path, hertz: int, seconds: int) -> Path:
    """About as loud as messages are played, so that no gain is wanted."""
    target = folder / f"tone-{hertz}.webm"
    wave = f"sine=frequency={hertz}:sample_rate=48000:duration={seconds}"
    speech.run(
        "ffmpeg",
        "-v",
        "error",
        "-y",
        "-f",
        "lavfi",
        "-i",
        wave,
        "-filter:a",
        "volume=1.7",
        "-c:a",
        "libopus",
        "-b:a",
        "32k",
        str(target),
    )
    return target


def patiently(server, consumer: api.Consumer, recording: bytes):
    """Uploads as a client does: where its allowance is used up, it comes back when the server says."""
    while True:
        try:
            return api.upload(server.url, consumer, recording)
        except AssertionError as refused:
            told = re.search(r'"retryAfter":(\d+)', str(refused))
            if told is None:
                raise
            time.sleep(int(told.group(1)))


def say(server, consumer: api.Consumer, *messages: str | Path) -> list[str]:
    """Says texts (`str`) and voice messages (`Path`), in order, and returns the media."""
    media: list[str] = []

    async def talk():
        client = wire.Client(server.socket_url, consumer.token, "voices")
        await client.connect()
        for message in messages:
            body = {"text": message} if isinstance(message, str) else {"audio": uploaded(message)}
            await client.link.send({"send": api.new_id(), **body})
            await client.link.until("ok")
        await client.link.close()

    def uploaded(path: Path) -> str:
        answer = patiently(server, consumer, path.read_bytes())
        assert answer.status_code == 200, answer.text
        media.append(answer.json()["media"])
        return media[-1]

    wire.run(talk())
    return media
