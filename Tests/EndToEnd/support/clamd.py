"""A real clamd with its own signature database and socket, which a test can start, stop and suspend."""

import os
import re
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from support.server import PATIENCE, build_folder
from support.voice.speech import need

# What the tests' own signature finds. Short enough to lie in one AMR frame.
HARM = b"EARSHOT-TEST-HARM-5b7e1d"
HARM_SIGNATURE = f"Earshot.Test.Harm:0:*:{HARM.hex()}"
LIMITS = {
    "StreamMaxLength": "25M",
    "MaxFileSize": "25M",
    "MaxScanSize": "100M",
    "AlertExceedsMax": "yes",
    "MaxThreads": "4",
}


def canary_signature() -> str:
    """The line that an operator is told to put into clamd's database."""
    return subprocess.run(
        [str(build_folder() / "earshot"), "scanner-signature"], capture_output=True, text=True, check=True, timeout=20
    ).stdout.strip()


def canary_of(*magics: bytes) -> list[str]:
    """The canary's signature, for files only that begin (after at most one byte) with one of these."""
    name, target, offset, text = canary_signature().split(":")
    return [f"{name}.{place}:{target}:{offset}:{magic.hex()}*{text}" for place, magic in enumerate(magics)]


class Clamd:
    """One life after another of one clamd over the same socket and database."""

    def __init__(self, folder: Path, signatures: list[str] | None = None, hashes: list[str] = (), **limits: str):
        need("clamd")
        self.folder, self.socket = folder, folder / "clamd.ctl"
        self.database = folder / "signatures"
        self.database.mkdir(parents=True)
        self.sign([canary_signature(), HARM_SIGNATURE] if signatures is None else signatures, hashes)
        settings = {
            "DatabaseDirectory": self.database,
            "LocalSocket": self.socket,
            "TemporaryDirectory": folder,
            "Foreground": "yes",
            **LIMITS,
            **limits,
        }
        self.configuration = folder / "clamd.conf"
        self.configuration.write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
        self.process: subprocess.Popen | None = None

    def sign(self, signatures: list[str], hashes: list[str] = ()) -> None:
        (self.database / "earshot.ndb").write_text("".join(line + "\n" for line in signatures))
        if hashes:
            (self.database / "earshot.hsb").write_text("".join(line + "\n" for line in hashes))

    @property
    def settings(self) -> dict[str, str]:
        """What Earshot needs to find it."""
        return {"EARSHOT_CLAMD": f"unix:{self.socket}"}

    def start(self) -> "Clamd":
        """Started by a shell that kills it when the tests are gone."""
        command = 'clamd --config-file="$0" >/dev/null 2>&1 & echo $!; read _; kill -9 $! 2>/dev/null'
        self.process = subprocess.Popen(
            ["sh", "-c", command, str(self.configuration)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self.pid = int(self.process.stdout.readline())
        began = time.monotonic()
        while not self.answers():
            assert time.monotonic() - began < PATIENCE, "clamd is not ready"
        return self

    def answers(self) -> bool:
        """Waits a moment where it does not (a poll of the outside)."""
        try:
            return self.ask(b"zPING\0") == b"PONG\0"
        except OSError:
            time.sleep(0.005)
            return False

    def ask(self, words: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(str(self.socket))
            line.sendall(words)
            answer = b""
            while not answer.endswith(b"\0") and (more := line.recv(1000)):
                answer += more
            return answer

    def scan(self, data: bytes) -> bytes:
        """What it says by itself, without Earshot."""
        return self.ask(b"zINSTREAM\0" + struct.pack(">I", len(data)) + data + struct.pack(">I", 0))

    def hold(self) -> None:
        """Takes connections, answers nothing."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process = None
            self.socket.unlink(missing_ok=True)


def lines_about(log: str) -> list[str]:
    return re.findall(r"^.*The scanner .*$", log, re.M)
