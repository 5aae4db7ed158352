"""Calls over a cable that loses packets, is cut, or is plugged in elsewhere: the sound comes back, both sides say what
is going on, and nobody is left in a call that is over."""

import re
import shutil
import time

import pytest
from playwright.sync_api import Frame, Page, expect

from support import api
from support.browser.calls import SPEAKING, BrandSide, Caller, heard, talking, turn_on
from support.demo import discover
from support.network.cable import Cable, Line
from support.server import bar
from support.voice import speech

TEXT = "I am on a train. Can you call me?"
# Waits until sound arrives.
SOUND = """async () => {
  const began = performance.now();
  const stream = document.querySelector('.call-theirs').srcObject;
  const context = new AudioContext();
  await context.resume();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  while (performance.now() - began < 30000) {
    analyser.getFloatTimeDomainData(samples);
    if (samples.some(x => Math.abs(x) > 0.01)) return;
    await new Promise(done => setTimeout(done, 20));
  }
  throw new Error('No sound for 30 s.');
}"""


@pytest.fixture
def cable(tmp_path):
    made = Cable(tmp_path)
    yield made
    made.close()


@pytest.fixture
def call(cable, new_server, browser_type, microphone, other_speech):
    """A voice call over the cable."""
    server = new_server().start()
    demo = discover(server)
    turn_on(api.Agent(server.url, demo.account, demo.manager), voice=True, video=True)
    contexts, opened = [], []
    for side, sound in (("a", microphone), ("b", other_speech)):
        cable.open_door(side, server.port)
        browser = browser_type.launch(
            executable_path=cable.chromium(side, shutil.which("chromium")),
            headless=True,
            args=[*SPEAKING, f"--use-file-for-fake-audio-capture={sound}"],
        )
        opened.append(browser)
        contexts.append(browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900}))
    caller = Caller(contexts[0], server, TEXT)
    brand = BrandSide(contexts[1], server, demo, TEXT)

    def begin(kind: str = "voice") -> tuple[Caller, BrandSide]:
        brand.invite(kind)
        caller.accept()
        talking(caller.call, brand.call)
        return caller, brand

    yield begin
    for browser in opened:
        browser.close()
    server.stop()


def seconds_to_sound(*pages: Page | Frame) -> float:
    began = time.monotonic()
    for page in pages:
        page.evaluate(SOUND)
    return time.monotonic() - began


def end(caller: Caller, brand: BrandSide) -> None:
    """Hangs up, and both agree."""
    brand.press("End call")
    expect(caller.call).to_be_hidden()
    expect(caller.consumer.widget.get_by_text(re.compile(r"^Voice call, \d:\d\d$"))).to_be_visible()


def test_over_a_line_that_loses_packets_both_hear_each_other(cable, call, microphone, other_speech, figure):
    cable.line = Line(loss=0.05, delay=0.1, bits=300_000)
    caller, brand = call()
    at_brand, at_customer = heard(brand.page, 8), heard(caller.frame, 8)
    likeness = [
        speech.likeness(at_brand, speech.decode(microphone)), speech.likeness(at_customer, speech.decode(other_speech))
    ]
    figure("calls", f"5 % loss, 100 ms, 300 kbit/s: likeness {likeness[0]:.2f} and {likeness[1]:.2f}")
    assert min(likeness) >= speech.SAME
    for side in (caller.call, brand.call):
        expect(side.get_by_text(re.compile("(Fair|Poor) connection"))).to_be_visible()
    end(caller, brand)


def test_a_line_that_is_cut_for_eight_seconds_brings_the_sound_back(cable, call, figure):
    caller, brand = call()
    cable.cut()
    began = time.monotonic()
    for side in (caller.call, brand.call):
        expect(side.get_by_text("Reconnecting")).to_be_visible()
    time.sleep(began + 8 - time.monotonic())
    cable.mend()
    back = seconds_to_sound(caller.frame, brand.page)
    figure("calls", f"cut for 8 s: sound after {back:.2f} s (at most 1)")
    assert back <= bar(1)
    talking(caller.call, brand.call)
    end(caller, brand)


def test_another_address_in_the_middle_of_a_call_brings_the_sound_back(cable, call, figure):
    caller, brand = call()
    cable.plug_in_elsewhere()
    began = time.monotonic()
    expect(brand.call.get_by_text("Reconnecting")).to_be_visible()
    expect(brand.call.get_by_text("Reconnecting")).to_have_count(0)
    seconds_to_sound(caller.frame, brand.page)
    back = time.monotonic() - began
    figure("calls", f"another address: sound after {back:.2f} s (at most 4)")
    assert back <= bar(4)
    end(caller, brand)


def test_a_line_that_is_cut_for_long_ends_the_call_on_both_sides(cable, call, nightly, figure):
    seconds = 60 if nightly else 35
    caller, brand = call()
    cable.cut()
    began = time.monotonic()
    expect(brand.call.get_by_text("Reconnecting")).to_be_visible()
    time.sleep(began + seconds - time.monotonic())
    cable.mend()
    for side in (caller.call, brand.call):
        expect(side).to_be_hidden()
    ended = re.compile(r"^Voice call, \d:\d\d$|^The call failed$|^Voice call failed$")
    expect(caller.consumer.widget.get_by_text(ended)).to_be_visible()
    expect(brand.agent.messages.get_by_text(ended)).to_be_visible()
    late = time.monotonic() - began - seconds
    figure("calls", f"cut for {seconds} s: over on both sides {late:.1f} s after the return")
