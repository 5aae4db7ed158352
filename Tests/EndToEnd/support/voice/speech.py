"""Real speech, and the proof that a recording is that speech.

The proof: both brought to 16 kHz mono; every second of what was played (where it is not silence) is searched in the
source by normalised cross-correlation. The median over the seconds is at least 0.5 for the same speech even through a
browser's noise suppression and a codec, at most about 0.25 for other speech, 0.05 for noise.
"""

import shutil
import subprocess
from pathlib import Path

import numpy as np

RATE = 16_000
SAME = 0.5
TEXT = (
    "Good morning. My parcel with the green kettle has not arrived, and the number on the receipt is seven, three, "
    "nine, four. Could you please look where it is?"
)
OTHER_TEXT = (
    "The weather in the mountains was wonderful, although nobody had thought of bringing an umbrella or a second pair "
    "of shoes for the children."
)


def need(*programs: str) -> None:
    missing = [program for program in programs if shutil.which(program) is None]
    assert not missing, f"not installed: {', '.join(missing)}. Run bin/setup test."


def run(*command: str, **options) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))} failed: {done.stderr.decode(errors='replace')[-600:]}"
    return done.stdout


def speak(path: Path, text: str = TEXT, voice: str = "en-gb") -> Path:
    """A WAV as Chromium's fake microphone wants it: 48 kHz, mono, 16 bit."""
    need("espeak-ng", "sox")
    raw = path.with_suffix(".raw.wav")
    run("espeak-ng", "-v", voice, "-s", "150", "-w", str(raw), text)
    run("sox", str(raw), "-r", "48000", "-c", "1", "-b", "16", str(path), "gain", "-n", "-3")
    raw.unlink()
    return path


def decode(source: Path | bytes) -> np.ndarray:
    """The samples of any recording that FFmpeg reads, 16 kHz mono, -1 to 1."""
    need("ffmpeg")
    name, data = (str(source), None) if isinstance(source, Path) else ("pipe:0", source)
    raw = run(
        "ffmpeg",
        "-v",
        "error",
        "-nostdin" if data is None else "-y",
        "-i",
        name,
        "-ac",
        "1",
        "-ar",
        str(RATE),
        "-f",
        "f32le",
        "pipe:1",
        input=data,
    )
    return np.frombuffer(raw, dtype="<f4").astype(np.float64)


def likeness(played: np.ndarray, source: np.ndarray) -> float:
    """How much `played` is the speech of `source`, 0 to 1. The microphone's file loops, so the source is taken
    twice."""
    looped = np.concatenate([source, source])
    windows = [played[start:start + RATE] for start in range(0, len(played) - RATE + 1, RATE)]
    loud = np.sqrt(np.mean(played**2)) * 0.3
    scores = [best_match(window, looped) for window in windows if np.sqrt(np.mean(window**2)) > loud]
    assert scores, f"nothing to compare: {len(played) / RATE:.2f} s, all of it silence"
    return float(np.median(scores))


def best_match(window: np.ndarray, source: np.ndarray) -> float:
    """The largest normalised cross-correlation of a window over all places in the source."""
    window = window - window.mean()
    size = 1 << (len(source) + len(window)).bit_length()
    products = np.fft.irfft(np.fft.rfft(source, size) * np.conj(np.fft.rfft(window, size)), size)[
        : len(source) - len(window) + 1
    ]
    energy = np.cumsum(np.concatenate([[0.0], source**2]))
    local = energy[len(window):] - energy[: len(energy) - len(window)]
    quiet = local < 1e-3 * local.max()
    scores = np.abs(products) / np.sqrt(np.maximum(local, 1e-9) * np.sum(window**2))
    scores[quiet] = 0
    return float(scores.max())
