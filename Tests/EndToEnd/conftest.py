"""Shared fixtures: servers, the demo, the fake microphone's speech, browsers. A missing tool fails; nothing is
skipped."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support import api
from support.demo import Demo, discover
from support.mounted_disk import Disk, SmallDisk
from support.server import NIGHTLY, PATIENCE, Server
from support.voice import speech


# Pages are waited for like everything else: the machine may be busy.
expect.set_options(timeout=PATIENCE * 1000)


def patient(new_context):
    """The same for actions, navigation and what a page is asked to become."""

    def made(*arguments, **options):
        context = new_context(*arguments, **options)
        context.set_default_timeout(PATIENCE * 1000)
        return context

    return made


Browser.new_context = patient(Browser.new_context)


def pytest_addoption(parser):
    parser.addoption("--nightly", action="store_true", help="run with the large figures of docs/reliability.md")


def pytest_configure(config):
    if config.getoption("--nightly"):
        os.environ[NIGHTLY] = "1"


@pytest.fixture(scope="session")
def nightly(request) -> bool:
    return request.config.getoption("--nightly")


class Figures:
    """Collects measured figures and prints them at the end of the run."""

    def __init__(self):
        self.lines: list[str] = []

    def __call__(self, bar: str, text: str) -> None:
        self.lines.append(f"bar {bar:>3}  {text}")


FIGURES = Figures()


@pytest.fixture(scope="session")
def figure() -> Figures:
    return FIGURES


def pytest_sessionfinish(session):
    """A test process hands its figures to the process that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["figures"] = FIGURES.lines


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    FIGURES.lines += getattr(node, "workeroutput", {}).get("figures", [])


def pytest_terminal_summary(terminalreporter):
    if FIGURES.lines:
        terminalreporter.section("figures")
        for line in FIGURES.lines:
            terminalreporter.write_line(line)


HERE = Path(__file__).parent
SERVERS: list[Server] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failing test shows where in our own files it failed, and the end of its servers' logs."""
    if call.excinfo:
        ours = [entry for entry in call.excinfo.traceback if HERE in Path(entry.path).parents]
        if ours:
            call.excinfo.traceback = call.excinfo.traceback.cut(path=ours[0].path, lineno=None)
    report = (yield).get_result()
    if report.failed:
        for server in [server for server in SERVERS if server.process and server.process.poll() is None] or SERVERS[
            -1:
        ]:
            report.sections.append((f"log of {server.folder}", server.log_tail(60)))


@pytest.fixture(scope="session")
def installation(tmp_path_factory) -> Path:
    """A demo installation as it is after its first start and a graceful stop: making its logins takes seconds of
    scrypt in a debug build."""
    server = Server(tmp_path_factory.mktemp("installation"))
    SERVERS.append(server)
    server.start().stop()
    SERVERS.remove(server)
    return server.data


def copy_and_sync(source: str, target: str) -> None:
    """Copies a file so that it survives a power cut."""
    shutil.copy2(source, target)
    with open(target, "rb") as file:
        os.fsync(file.fileno())


@pytest.fixture(scope="session")
def new_server(tmp_path_factory, installation):
    """Makes servers that are not started yet, each with a copy of the installation; servers that still run at the
    end are killed."""
    made = []

    def make(settings: dict[str, str] | None = None, data: Path | None = None) -> Server:
        server = Server(tmp_path_factory.mktemp("server"), settings, data)
        shutil.copytree(installation, server.data, copy_function=copy_and_sync)
        made.append(server)
        SERVERS.append(server)
        return server

    yield make
    for server in made:
        server.kill()
    crashed = [crash for server in made for crash in server.crashes()]
    assert not crashed, crashed


@pytest.fixture
def disk(tmp_path):
    """A mounted disk whose power a test can cut."""
    mounted = Disk(tmp_path).mount()
    yield mounted
    if mounted.process.poll() is None:
        mounted.cut_power()


@pytest.fixture
def small_disk(tmp_path):
    """A disk that a test can fill."""
    mounted = SmallDisk(tmp_path / "small", mebibytes=32)
    yield mounted
    mounted.unmount()


@pytest.fixture
def small_volume(tmp_path):
    """A volume of 64 MiB."""
    folder = tmp_path / "volume"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", str(folder)], check=True)
    yield folder
    # A server that a failed test leaves still has files open there.
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def server(new_server):
    """One server for a file of tests; it must end gracefully after them."""
    server = new_server().start()
    yield server
    if server.process.poll() is None:
        server.stop()
    SERVERS.remove(server)


@pytest.fixture(scope="module")
def demo(server) -> Demo:
    return discover(server)


@pytest.fixture
def consumer(server, demo) -> api.Consumer:
    return api.new_consumer(server.url, demo)


@pytest.fixture(scope="module")
def agent(server, demo) -> api.Agent:
    """Signs in once for a file of tests: sign-ins are throttled."""
    return api.Agent(server.url, demo.account, demo.agent)


@pytest.fixture(scope="module")
def manager(server, demo) -> api.Agent:
    """Signs a manager in once for a file of tests."""
    return api.Agent(server.url, demo.account, demo.manager)


@pytest.fixture(scope="session")
def microphone(tmp_path_factory) -> Path:
    """The recording that the fake microphone plays in a loop."""
    return speech.speak(tmp_path_factory.mktemp("speech") / "microphone.wav")


@pytest.fixture(scope="session")
def other_speech(tmp_path_factory) -> Path:
    return speech.speak(tmp_path_factory.mktemp("speech") / "other.wav", speech.OTHER_TEXT)


@pytest.fixture(scope="session")
def browser_type_launch_args(microphone) -> dict:
    """Debian's Chromium: its microphone plays the speech, and permission is granted."""
    speech.need("chromium")
    return {
        "executable_path": shutil.which("chromium"),
        "headless": True,
        "args": [
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-audio-capture={microphone}",
            "--autoplay-policy=no-user-gesture-required",
        ],
    }
