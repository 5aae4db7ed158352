"""A call between a customer in a real Firefox and an agent in Chromium: each hears what the other says."""

import re
import shutil

import numpy as np
import pytest
from playwright.sync_api import expect

from support.browser.calls import SPEAKING, BrandSide, Caller, heard, loudness, talking, turn_on
from support.network.namespaces import run
from support.voice import speech
from support.voice.pulseaudio import Pulse

TEXT = "Hello from Firefox. Can you call me?"
TONE = 1000
# What arrives, recorded by the browser itself: a busy page loses nothing of it.
RECORD = """async ms => {
  const recorder = new MediaRecorder(document.querySelector('.call-theirs').srcObject), chunks = [];
  recorder.ondataavailable = event => chunks.push(event.data);
  recorder.start();
  await new Promise(done => setTimeout(done, ms));
  await new Promise(done => { recorder.onstop = done; recorder.stop(); });
  return Array.from(new Uint8Array(await new Blob(chunks).arrayBuffer()));
}"""
PREFERENCES = {
    "media.navigator.permission.disabled": True,
    # A tone of 1 kHz: what a sound server drops on a busy machine does not change it, as it would change speech.
    "media.navigator.streams.fake": True,
    "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0,
    "media.peerconnection.ice.loopback": True,
    "media.peerconnection.ice.obfuscate_host_addresses": False,
}


@pytest.fixture
def interface():
    """Firefox finds no way over loopback alone: a machine without any other interface gets one."""
    if any(not line.startswith("lo ") for line in run("ip", "-br", "-4", "addr").splitlines()):
        yield
        return
    run("ip", "link", "add", "earcall", "type", "dummy")
    run("ip", "addr", "add", "198.51.100.21/24", "dev", "earcall")
    run("ip", "link", "set", "earcall", "up")
    yield
    run("ip", "link", "delete", "earcall")


@pytest.fixture
def pulse(tmp_path):
    pulse = Pulse(tmp_path).start()
    yield pulse
    pulse.stop()


def share_of_tone(samples: np.ndarray) -> float:
    """How much of the sound is the tone."""
    power = np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) ** 2
    at = np.fft.rfftfreq(len(samples), 1 / speech.RATE)
    return float(power[np.abs(at - TONE) < 20].sum() / power.sum())


def test_firefox_and_chromium_hear_each_other(
    playwright, browser_type, interface, pulse, server, demo, manager, microphone, other_speech, nightly, figure
):
    speech.need("firefox-esr")
    turn_on(manager, voice=True)
    firefox = playwright.firefox.launch(
        channel="moz-firefox", executable_path=shutil.which("firefox-esr"), headless=True,
        firefox_user_prefs=PREFERENCES, env=pulse.environment,
    )
    chromium = browser_type.launch(
        executable_path=shutil.which("chromium"), headless=True,
        args=[*SPEAKING, f"--use-file-for-fake-audio-capture={other_speech}"],
    )
    caller = Caller(firefox.new_context(locale="en-US"), server, TEXT)
    desktop = {"width": 1440, "height": 900}
    brand = BrandSide(chromium.new_context(locale="en-US", viewport=desktop), server, demo, TEXT)
    brand.invite("voice")
    caller.accept()
    talking(caller.call, brand.call)
    at_brand, at_customer = heard(brand.page, 4), speech.decode(bytes(caller.frame.evaluate(RECORD, 8000)))
    received = speech.likeness(at_customer, speech.decode(other_speech))
    control = speech.likeness(at_customer, speech.decode(microphone))
    share = share_of_tone(at_brand)
    figure("FF", f"call: Chromium → Firefox {received:.2f}, of other speech {control:.2f}; tone Firefox → Chromium: "
                 f"{100 * share:.0f} % of what arrives")
    assert share >= 0.5
    # On a busy machine Firefox stretches what it plays: whether it is that speech, the nightly run judges.
    assert loudness(at_customer) > 0.01
    assert not nightly or received >= speech.SAME > control
    caller.press("End call")
    expect(brand.call).to_be_hidden()
    expect(caller.consumer.widget.get_by_text(re.compile(r"^Voice call, \d:\d\d$"))).to_be_visible()
    for browser in (firefox, chromium):
        browser.close()
