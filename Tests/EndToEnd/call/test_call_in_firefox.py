"""A call between a customer in a real Firefox and an agent in Chromium: each hears what the other says."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from support.browser.calls import SPEAKING, BrandSide, Caller, heard, talking, turn_on
from support.network.namespaces import run
from support.voice import speech
from support.voice.pulseaudio import Pulse

TEXT = "Hello from Firefox. Can you call me?"
PREFERENCES = {
    "media.navigator.permission.disabled": True,
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


def test_firefox_and_chromium_hear_each_other(
    playwright, browser_type, interface, pulse, server, demo, manager, microphone, other_speech, figure
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
    with pulse.speaking(microphone):
        brand.invite("voice")
        caller.accept()
        talking(caller.call, brand.call)
        at_brand, at_customer = heard(brand.page, 8), heard(caller.frame, 8)
    customer, agent = speech.decode(microphone), speech.decode(other_speech)
    sent, received = speech.likeness(at_brand, customer), speech.likeness(at_customer, agent)
    wrong = speech.likeness(at_brand, agent), speech.likeness(at_customer, customer)
    figure("FF", f"call: Firefox → Chromium {sent:.2f}, Chromium → Firefox {received:.2f}; of other speech at most "
                 f"{max(wrong):.2f}")
    # What Firefox sends is less like the file: it cancels noise, and its sound server drops some on a busy machine.
    assert sent >= 1.5 * wrong[0] and received >= speech.SAME > wrong[1]
    caller.press("End call")
    expect(brand.call).to_be_hidden()
    expect(caller.consumer.widget.get_by_text(re.compile(r"^Voice call, \d:\d\d$"))).to_be_visible()
    for browser in (firefox, chromium):
        browser.close()
