"""A private PulseAudio: a microphone that plays a recording, and loudspeakers that a test records."""

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from support.server import PATIENCE
from support.voice.speech import RATE, need, run

# Speech goes into one null sink whose monitor is the microphone; what a browser plays goes into the other, whose
# monitor is the ear.
SCRIPT = """\
load-module module-native-protocol-unix auth-anonymous=1 socket={socket}
load-module module-null-sink sink_name=said rate=48000 channels=1
load-module module-remap-source master=said.monitor source_name=microphone
load-module module-null-sink sink_name=speakers rate=48000 channels=2
set-default-sink speakers
set-default-source microphone
"""


class Pulse:
    """One PulseAudio over a folder of its own, which lives until `stop`."""

    def __init__(self, folder: Path):
        need("pulseaudio", "paplay", "parec", "pactl")
        self.folder, self.socket = folder, folder / "native"
        self.script = folder / "earshot.pa"
        self.script.write_text(SCRIPT.format(socket=self.socket))
        self.process: subprocess.Popen | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to find it. Without the latency a null sink holds two seconds back, and a page's
        clock lags behind its sound."""
        own = {
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder),
            "PULSE_SERVER": f"unix:{self.socket}",
            "PULSE_LATENCY_MSEC": "200",
        }
        return {**os.environ, **own}

    def start(self) -> "Pulse":
        """Started by a shell that kills it when the tests are gone."""
        command = (
            'pulseaudio -n --daemonize=no --exit-idle-time=-1 --disallow-exit --use-pid-file=no --high-priority=no '
            '--realtime=no -F "$0" >"$0.log" 2>&1 & read _; kill -9 $!; wait'
        )
        self.process = subprocess.Popen(
            ["sh", "-c", command, str(self.script)], stdin=subprocess.PIPE, env=self.environment, start_new_session=True
        )
        began = time.monotonic()
        while not self.answers():
            assert (
                time.monotonic() - began < PATIENCE
            ), f"PulseAudio is not ready:\n{(self.folder / 'earshot.pa.log').read_text()}"
        return self

    def answers(self) -> bool:
        """Whether its devices are there (a poll of the outside)."""
        asked = subprocess.run(
            ["pactl", "get-default-source"], capture_output=True, env=self.environment, timeout=PATIENCE
        )
        return asked.stdout.strip() == b"microphone"

    def stop(self) -> None:
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None

    @contextmanager
    def speaking(self, speech: Path):
        """The microphone says this, over and over, as long as the block lasts; when the block begins, it can be
        heard."""
        endless = self.folder / f"{speech.stem}-over-and-over.wav"
        run("sox", str(speech), str(endless), "repeat", "20")
        with self.ear("microphone", subprocess.PIPE) as ear:
            speaker = subprocess.Popen(
                ["paplay", "--device=said", "--latency-msec=500", str(endless)],
                env=self.environment,
                stdin=subprocess.DEVNULL,
            )
            while not any(ear.stdout.read(1600)):
                assert speaker.poll() is None, "paplay does not play"
        yield
        still = speaker.poll() is None
        speaker.kill()
        speaker.wait()
        assert still, "the microphone fell silent before the test was through"

    @contextmanager
    def listening(self):
        """A list that holds, after the block, what the loudspeakers played during it: 16 kHz mono, -1 to 1."""
        played: list[np.ndarray] = []
        raw = self.folder / "played.raw"
        with raw.open("wb") as file, self.ear("speakers.monitor", file) as ear:
            began = time.monotonic()
            while raw.stat().st_size == 0:
                assert (
                    ear.poll() is None and time.monotonic() - began < PATIENCE
                ), "parec hears nothing, not even silence"
            yield played
        samples = raw.read_bytes()
        played.append(np.frombuffer(samples[: len(samples) // 2 * 2], dtype="<i2").astype(np.float64) / 32768)

    @contextmanager
    def ear(self, source: str, output):
        """What a source gives, written there as it comes."""
        command = [
            "parec",
            f"--device={source}",
            "--raw",
            "--format=s16le",
            f"--rate={RATE}",
            "--channels=1",
            "--latency-msec=200",
        ]
        ear = subprocess.Popen(command, stdout=output, env=self.environment)
        yield ear
        ear.terminate()
        ear.communicate()
