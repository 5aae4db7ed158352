"""The speech comparison tells the same speech from other speech, noise and silence."""

import numpy as np
import pytest

from support.voice import speech


@pytest.fixture(scope="module")
def voices(tmp_path_factory):
    folder = tmp_path_factory.mktemp("voices")
    return {
        "source": speech.speak(folder / "source.wav"),
        "other": speech.speak(folder / "other.wav", speech.OTHER_TEXT),
        "other voice": speech.speak(folder / "voice.wav", speech.OTHER_TEXT, voice="en-us+f3"),
    }


def through_codec(path, *codec: str) -> bytes:
    return speech.run("ffmpeg", "-v", "error", "-i", str(path), *codec, "pipe:1")


@pytest.mark.parametrize(
    "codec",
    [
        ("-c:a", "libopus", "-b:a", "24k", "-f", "webm"),
        ("-c:a", "libmp3lame", "-b:a", "32k", "-ar", "24000", "-f", "mp3"),
    ],
    ids=["opus", "mp3"],
)
def test_the_same_speech_through_a_codec_is_recognised(voices, codec):
    heard = speech.decode(through_codec(voices["source"], *codec))
    assert speech.likeness(heard, speech.decode(voices["source"])) >= 0.8


def test_a_part_of_looped_speech_is_recognised(voices):
    source = speech.decode(voices["source"])
    piece = np.concatenate([source[-2 * speech.RATE:], source[: 2 * speech.RATE]])
    assert speech.likeness(piece + np.random.default_rng(1).normal(0, 0.01, len(piece)), source) >= 0.8


@pytest.mark.parametrize("name", ["other", "other voice"])
def test_other_speech_is_refused(voices, name):
    assert speech.likeness(speech.decode(voices[name]), speech.decode(voices["source"])) < speech.SAME - 0.1


def test_noise_and_a_tone_are_refused(voices):
    source = speech.decode(voices["source"])
    time = np.arange(5 * speech.RATE) / speech.RATE
    for sound in (np.random.default_rng(2).normal(0, 0.1, len(time)), 0.3 * np.sin(2 * np.pi * 440 * time)):
        assert speech.likeness(sound, source) < speech.SAME - 0.1


def test_silence_is_not_recognised_as_speech(voices):
    with pytest.raises(AssertionError, match="silence"):
        speech.likeness(np.zeros(3 * speech.RATE), speech.decode(voices["source"]))
