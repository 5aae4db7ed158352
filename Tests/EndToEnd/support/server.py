"""The real `earshot` process on a free port with its own data folder; a test can stop or kill it."""

import os
import random
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parents[3]
# A person's allowance of sends does not suit eight programs that send as fast as they can; the tests of the allowance
# set their own.
UNHURRIED = {
    "EARSHOT_SEND_BURST": "1000000",
    "EARSHOT_SENDS_PER_SECOND": "1000000",
    # All clients of a test share an address, and some persons have thousands of sockets.
    "EARSHOT_CONNECTIONS_PER_ADDRESS": "1000000",
    "EARSHOT_SOCKETS_PER_PERSON": "1000000",
    "EARSHOT_REQUESTS_PER_SECOND": "1000",
}
# A crash of the server tells where it was, in the log that a failing test shows.
BACKTRACE = "enable=yes,color=no,threads=crashed,limit=40,images=none,interactive=no"
# A server that trusts a proxy on this machine answers only what the proxy received by HTTPS.
FORWARDED = {"X-Forwarded-Proto": "https"}
# How long a test waits, in seconds, for what has to happen. It ends a test that would never end, and says nothing of
# speed: the machine may be slow, and busy.
PATIENCE = 120
NIGHTLY = "EARSHOT_TESTS_ARE_NIGHTLY"


def bar(seconds: float) -> float:
    """A limit of time that docs/reliability.md names. The nightly run, which has the machine for itself, judges it; in
    every other run the thing has to happen, and how long it took is a figure."""
    return seconds if NIGHTLY in os.environ else PATIENCE


def clean_environment(**settings: str | None) -> dict[str, str]:
    """The caller's environment for a program under test: of Earshot's own variables it has these settings only. None:
    the variable is not set."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("EARSHOT_")}
    return {name: value for name, value in {**own, **settings}.items() if value is not None}


def build_folder() -> Path:
    """Where the built programs are: EARSHOT_BUILD, else the debug build (bin/test made it), else the release build."""
    named = os.environ.get("EARSHOT_BUILD")
    for folder in [Path(named)] if named else [ROOT / ".build/debug", ROOT / ".build/release"]:
        if (folder / "earshot").exists() and (folder / "EarshotMediaWorker").exists():
            return folder
    raise FileNotFoundError("earshot and EarshotMediaWorker are not built: run `swift build` (or bin/test)")


def free_port() -> int:
    """Below the ports that the kernel gives to clients: a client that knocks at its own port while nobody listens
    there would connect to itself. Each test process has ports that no other one uses, because a server that is
    restarted must find its port free."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4
    while True:
        port = random.randrange(20_000 + worker * 3_000, 23_000 + worker * 3_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def earshot(*arguments: str, **settings: str) -> subprocess.CompletedProcess:
    """Runs a command of the command line, with these settings only, to its end."""
    return subprocess.run(
        [build_folder() / "earshot", *arguments],
        env=clean_environment(**settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


class Server:
    """One life after another of one Earshot over the same data folder and port."""

    def __init__(self, folder: Path, settings: dict[str, str | None] | None = None, data: Path | None = None):
        """`settings`: what the environment contains in addition to port and data, e.g. {"EARSHOT_SEND_BURST": "60"};
        None: the server's own default."""
        self.folder = folder
        self.data = data or folder / "data"
        self.port = free_port()
        self.scheme = "http"
        self.settings = {**UNHURRIED, **(settings or {})}
        # The command that serves, and its options.
        self.arguments = ["demo", "--bare"]
        # How many files the process may open; None: as many as the tests.
        self.open_file_limit: int | None = None
        # A listening socket to hand over, as systemd does; None: the server opens its own.
        self.listening: socket.socket | None = None
        self.log_path = folder / "server.log"
        self.process: subprocess.Popen | None = None
        self.watcher: subprocess.Popen | None = None
        self.ready_seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def url(self) -> str:
        return f"{self.scheme}://localhost:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"{self.scheme.replace('http', 'ws')}://localhost:{self.port}/v1/socket"

    def environment(self) -> dict[str, str]:
        settings = {
            "SWIFT_BACKTRACE": BACKTRACE,
            "EARSHOT_PORT": str(self.port),
            "EARSHOT_DATA": str(self.data),
            "EARSHOT_WEB": str(ROOT / "Web/dist"),
            # The tests also run on a machine whose disk is nearly full.
            "EARSHOT_MEDIA_RESERVE": "0",
            **self.settings,
        }
        return clean_environment(**settings)

    def command(self) -> list[str]:
        command = [str(build_folder() / "earshot"), *self.arguments]
        if self.open_file_limit:
            command = ["prlimit", f"--nofile={self.open_file_limit}:{self.open_file_limit}", *command]
        if self.listening:
            handed = f'exec 3<&{self.listening.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
            command = ["bash", "-c", handed, "bash", *command]
        return command

    def start(self) -> "Server":
        """Starts it and waits until it answers; how long that took is `ready_seconds`."""
        began = time.monotonic()
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=self.environment(),
                start_new_session=True,
                pass_fds=[self.listening.fileno()] if self.listening else [],
            )
        self.watch()
        while not self.answers():
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended by itself with {self.process.returncode}:\n{self.log_tail()}")
            if time.monotonic() - began > PATIENCE:
                self.kill()
                raise AssertionError(f"the server was not ready within {PATIENCE} s:\n{self.log_tail()}")
        self.ready_seconds = time.monotonic() - began
        return self

    def end(self, within: float = PATIENCE) -> int:
        """Waits until it has ended by itself. - Returns: its exit code."""
        code = self.process.wait(within)
        self.let_go()
        return code

    def start_and_fail(self, within: float = PATIENCE) -> int:
        """Starts it where it must not get ready. - Returns: its exit code."""
        try:
            self.start()
        except AssertionError:
            return self.end(within)
        raise AssertionError("the server started")

    def watch(self) -> None:
        """The server does not outlive the tests, however they end: when the pipe to this small process breaks, it
        kills the server's group."""
        self.let_go()
        self.watcher = subprocess.Popen(
            ["sh", "-c", f"read _; kill -9 -{self.process.pid}"],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def let_go(self) -> None:
        """Nothing is left to watch."""
        if self.watcher:
            self.watcher.kill()
            self.watcher.communicate()
            self.watcher = None

    def answers(self) -> bool:
        """Whether it takes requests now. Waits a moment (a poll of the outside, not of a signal that a process could
        give)."""
        try:
            return requests.get(f"{self.url}/v1/ready", timeout=PATIENCE, headers=FORWARDED).status_code == 200
        except requests.RequestException:
            time.sleep(0.005)
            return False

    def kill(self) -> None:
        """SIGKILL: what a crash of the machine's process table looks like. Nothing is flushed, nobody is told."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()
            self.let_go()

    def stop(self) -> float:
        """SIGTERM, and the seconds until it was gone; fails where that was not graceful."""
        if not self.process or self.process.poll() is not None:
            return 0.0
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"SIGTERM did not end the server within {PATIENCE} s:\n{self.log_tail()}") from None
        self.let_go()
        assert code == 0, f"SIGTERM ended the server with {code}:\n{self.log_tail()}"
        return time.monotonic() - began

    def restart(self) -> "Server":
        return self.start()

    def log(self) -> str:
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def crashes(self) -> list[str]:
        """What only a bug of ours writes into a log."""
        return re.findall(r"^.*(?:\*\*\* Signal \d+|Fatal error|Precondition failed).*$", self.log(), re.M)

    def log_tail(self, lines: int = 40) -> str:
        return "\n".join(self.log().splitlines()[-lines:])

    def memory_kib(self, key: str = "VmRSS") -> int:
        """Resident memory of the process, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{key}:\s+(\d+)", status, re.M).group(1))

    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def workers(self) -> list[int]:
        """The media workers that this server started and that live."""
        parents = {}
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit():
                    name, rest = (entry / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
                    parents[int(entry.name)] = (int(rest.split()[1]), name)
            except (FileNotFoundError, ProcessLookupError):
                continue
        return [
            child
            for child, (_, name) in parents.items()
            if name.startswith("EarshotMedia") and self.descends(child, parents)
        ]

    def descends(self, child: int, parents: dict[int, tuple[int, str]]) -> bool:
        while child in parents:
            child = parents[child][0]
            if child == self.process.pid:
                return True
        return False
