"""Recordings in every format, and files that only claim to be recordings."""

import ctypes
import struct
from pathlib import Path

from support.voice.speech import run

FORMATS = {
    "WebM/Opus": ("audio/webm;codecs=opus", ("-c:a", "libopus", "-b:a", "24k", "-f", "webm")),
    "Ogg/Opus": ("audio/ogg; codecs=opus", ("-c:a", "libopus", "-b:a", "24k", "-f", "ogg")),
    "MP4/AAC, index in front": ("audio/mp4", ("-c:a", "aac", "-movflags", "+faststart", "-f", "ipod")),
    "MP4/AAC, index at the end": ("audio/mp4;codecs=mp4a.40.2", ("-c:a", "aac", "-f", "ipod")),
    "MP4/AAC, fragmented": (
        "audio/mp4",
        ("-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-f", "mp4"),
    ),
    "MP3": ("audio/mpeg", ("-c:a", "libmp3lame", "-b:a", "32k", "-f", "mp3")),
    "WAV": ("audio/wav", ("-c:a", "pcm_s16le", "-f", "wav")),
    "3GP/AAC": ("audio/3gpp", ("-c:a", "aac", "-f", "3gp")),
    "M4A/ALAC": ("audio/mp4", ("-c:a", "alac", "-f", "ipod")),
    "CAF/Opus": ("audio/x-caf", ("-c:a", "libopus", "-b:a", "24k", "-f", "caf")),
    "CAF/ALAC": ("audio/x-caf", ("-c:a", "alac", "-f", "caf")),
    "CAF/PCM": ("audio/x-caf", ("-c:a", "pcm_s16be", "-f", "caf")),
    "AMR": ("audio/amr", ()),
    "AMR-WB": ("audio/amr-wb", ()),
}


def encode(source: Path, folder: Path, name: str, seconds: float | None = None) -> bytes:
    """Through a file, because some containers are finished by going back."""
    target = folder / "encoded"
    if name in {"AMR", "AMR-WB"}:
        return amr(source, folder, 16_000 if name == "AMR-WB" else 8_000)
    cut = ("-t", str(seconds)) if seconds else ()
    run("ffmpeg", "-v", "error", "-y", "-i", str(source), *cut, *FORMATS[name][1], str(target))
    return target.read_bytes()


def amr(source: Path, folder: Path, rate: int) -> bytes:
    """FFmpeg has no encoder for it: the libraries that telephones use, without pauses (DTX), which FFmpeg would
    leave out when it decodes."""
    run(
        "ffmpeg",
        "-v",
        "error",
        "-y",
        "-i",
        str(source),
        "-ac",
        "1",
        "-ar",
        str(rate),
        "-f",
        "s16le",
        str(folder / "pcm"),
    )
    samples = (folder / "pcm").read_bytes()
    frame, out = rate // 50 * 2, ctypes.create_string_buffer(64)
    library = ctypes.CDLL("libvo-amrwbenc.so.0" if rate == 16_000 else "libopencore-amrnb.so.0")
    start, encode_frame = (
        (library.E_IF_init, library.E_IF_encode)
        if rate == 16_000
        else (library.Encoder_Interface_init, library.Encoder_Interface_Encode)
    )
    start.restype, best = ctypes.c_void_p, 8 if rate == 16_000 else 7
    state = ctypes.c_void_p(start() if rate == 16_000 else start(0))
    made = b"#!AMR-WB\n" if rate == 16_000 else b"#!AMR\n"
    for at in range(0, len(samples) - frame, frame):
        length = encode_frame(state, best, samples[at:at + frame], out, 0)
        made += out.raw[:length]
    return made


def silence(folder: Path, seconds: int, *codec: str) -> bytes:
    target = folder / "silence"
    run(
        "ffmpeg",
        "-v",
        "error",
        "-y",
        "-f",
        "lavfi",
        "-i",
        "anullsrc=r=48000:cl=mono",
        "-t",
        str(seconds),
        *codec,
        str(target),
    )
    return target.read_bytes()


def stereo_tone(folder: Path, seconds: float) -> bytes:
    """A WAV of 192,000 bytes a second: 16-bit stereo at 48 kHz."""
    path = folder / "tone.wav"
    form = ["-r", "48000", "-c", "2", "-b", "16"]
    run("sox", "-n", *form, str(path), "synth", str(seconds), "sine", "330", "gain", "-6")
    return path.read_bytes()


def wav_claiming(seconds: int, data: bytes, rate: int = 48_000) -> bytes:
    """A WAV whose header says so many seconds, and whose data is only this (mono, 16 bit, `rate` in Hz)."""
    claimed = min(seconds * rate * 2, 0xFFFFFFFF - 36)
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", claimed + 36, b"WAVE", b"fmt ", 16, 1, 1, rate, rate * 2, 2, 16, b"data", claimed
    )
    return head + data


def webm_claiming(recording: bytes, seconds: float) -> bytes:
    """A WebM whose Duration element (0x4489, a double, in milliseconds) says so many seconds."""
    place = recording.index(b"\x44\x89\x88") + 3
    return recording[:place] + struct.pack(">d", seconds * 1000) + recording[place + 8:]


def ogg_claiming(recording: bytes, seconds: int) -> bytes:
    """An Ogg whose last page's position says so many seconds, with a right checksum."""
    place = recording.rindex(b"OggS")
    page = bytearray(recording[place:])
    page[6:14] = struct.pack("<q", seconds * 48_000)
    page[22:26] = b"\0\0\0\0"
    page[22:26] = struct.pack("<I", ogg_checksum(page))
    return recording[:place] + bytes(page)


def ogg_checksum(page: bytes) -> int:
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value
