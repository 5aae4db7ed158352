"""Debian's WebKit in its MiniBrowser, driven by selenium on a screen of its own. Its microphone is a recording that
the page decodes."""

import base64
import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from support.browser.accessibility import STILL
from support.server import PATIENCE
from support.voice.speech import need

MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
# WebKit's pretended microphone is a tone. What a page gets instead is this recording, over and over, as a microphone
# gives it: a stream.
# Set on the prototype: WebKit may throw `navigator.mediaDevices` away between two uses, and what was set on it.
MICROPHONE = """window.asked = 0; window.sound = '%s';
MediaDevices.prototype.getUserMedia = async () => {
    window.asked += 1;
    const context = new AudioContext(), bytes = Uint8Array.from(atob(window.sound), letter => letter.charCodeAt(0));
    await context.resume();
    const source = context.createBufferSource(), out = context.createMediaStreamDestination();
    source.buffer = await context.decodeAudioData(bytes.buffer);
    source.loop = true;
    source.connect(out);
    source.start();
    window.microphone = {context, source, out};
    return out.stream;
}; true"""
# What recorders make is kept; every audio element is kept, so that a test sees what really plays.
WITNESS = """const Recorder = window.MediaRecorder; window.made = [];
window.MediaRecorder = class extends Recorder { constructor(...all) { super(...all);
    this.addEventListener('dataavailable', event => window.made.push(event.data)); } };
const Real = window.Audio; window.ears = []; window.Audio = class extends Real { constructor(...all) { super(...all); \
window.ears.push(this); } };"""

# All of a kind, also in the launcher's shadow tree.
ALL = (
    "[document, ...[...document.querySelectorAll('*')].flatMap(one => one.shadowRoot ?? [])].flatMap(root => "
    "[...root.querySelectorAll('%s')])"
)
# The last one that can be seen whose name begins so. A button's name is its label or what stands on it.
BUTTON = ALL % "button" + """.filter(one => one.checkVisibility() &&
    (one.getAttribute('aria-label') ?? one.innerText).trim().startsWith('%s')).pop()"""


@contextmanager
def screen():
    """The name of a display of its own, which Xvfb chooses; ended by its id."""
    need("Xvfb", "xauth")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        display = told.readline().strip()
    assert display, "Xvfb ended before it had a screen"
    yield f":{display}"
    server.terminate()
    server.wait()


@contextmanager
def browser(display: str, folder: Path):
    need("WebKitWebDriver")
    found = sorted(Path("/").glob(MINI_BROWSER.lstrip("/")))
    assert found, f"not installed: {MINI_BROWSER}. Run bin/setup test."
    options = Options()
    options.binary_location = str(found[0])
    for argument in (
        "--automation",
        "--enable-media-stream=true",
        "--enable-mock-capture-devices=true",
        "--autoplay-policy=allow",
    ):
        options.add_argument(argument)
    environment = {
        **os.environ,
        "DISPLAY": display,
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
        "NO_AT_BRIDGE": "1",
        "LANG": "C.UTF-8",
    }
    driver = webdriver.WebKitGTK(
        options=options, service=Service(executable_path=shutil.which("WebKitWebDriver"), env=environment)
    )
    driver.set_script_timeout(PATIENCE)
    yield driver
    driver.quit()


def give_microphone(driver, recording: Path) -> None:
    """To the frame that the driver is in. Before the first recording is early enough: the widget asks for no
    microphone before."""
    driver.execute_script(WITNESS)
    driver.execute_script(MICROPHONE % base64.b64encode(recording.read_bytes()).decode())


def until(driver, script: str, what: str, seconds: float = PATIENCE):
    """What the script returns, as soon as that is something."""
    began = time.monotonic()
    while not (value := driver.execute_script(f"return {script}")):
        assert time.monotonic() - began < seconds, f"{what}: not within {seconds} s"
    return value


def recorded(driver) -> tuple[str, bytes]:
    """What the recorder gave out so far: its type and its bytes."""
    kind, text = driver.execute_async_script(
        """const done = arguments[0];
        new Blob(window.made).arrayBuffer().then(bytes => done([window.made[0].type, \
btoa(Array.from(new Uint8Array(bytes), one => String.fromCharCode(one)).join(''))]))"""
    )
    return kind, base64.b64decode(text)


def violations(driver) -> list[dict]:
    """What axe finds in the frame that the driver is in."""
    driver.execute_script(Axe().axe_script)
    return driver.execute_async_script(
        f"const done = arguments[0]; {STILL}.then(() => axe.run()).then(found => done(found.violations))"
    )
