"""A manager's voice settings take effect at once in open pages."""

import re

import pytest
from playwright.sync_api import expect

from support import api
from support.browser.pages import RECORD, SEND_VOICE, AgentPage, ConsumerPage
from support.voice import speech

# Remembers each tone that the page plays itself, and whether it goes to the loudspeaker.
TONES = """window.tones = []; const start = OscillatorNode.prototype.start, connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...rest) { if (to instanceof AudioDestinationNode) window.audible = \
true; return connect.call(this, to, ...rest); };
  OscillatorNode.prototype.start = function (...when) { window.tones.push({at: Date.now(), \
hertz: this.frequency.value, state: this.context.state}); return start.apply(this, when); };"""
SHORTEST = 15


@pytest.fixture
def manager(server, demo):
    """Sets things, and sets them back."""
    mira = api.Agent(server.url, demo.account, demo.manager)

    def change(**audio) -> None:
        answer = mira.session.patch(
            f"{server.url}/v1/settings", json={"audio": audio}, headers=mira.headers, timeout=20
        )
        assert answer.status_code == 200, answer.text

    yield change
    change(enabled=True, consumers=True, agents=True, maxSeconds=120)


def test_the_remaining_time_is_shown_and_the_limit_ends_the_recording(browser, server, manager, figure):
    context = browser.new_context(locale="en-GB")
    context.add_init_script(TONES)
    consumer = ConsumerPage(context, server).open()
    manager(maxSeconds=SHORTEST)
    consumer.record(2)
    expect(consumer.recorder.get_by_text(re.compile(r"^1[0-3] s left$"))).to_be_visible()
    expect(consumer.recorder.get_by_text(re.compile(r"^[1-3] s left$"))).to_be_visible()
    assert consumer.frame.evaluate("window.tones") == [], "nothing is heard before the limit"
    expect(consumer.recorder).to_contain_text("That is the longest a voice message can be.")
    tones = consumer.frame.evaluate("window.tones")
    assert len(tones) == 1 and tones[0]["state"] == "running" and consumer.frame.evaluate("window.audible"), tones
    consumer.send_voice()
    newest = max(server.data.rglob("voice.mp3"), key=lambda path: path.stat().st_mtime)
    seconds = len(speech.decode(newest)) / speech.RATE
    figure(
        "35",
        f"at a limit of {SHORTEST} s the recorder stopped by itself: a tone of {tones[0]['hertz']:.0f} Hz, "
        f"{seconds:.2f} s arrived",
    )
    assert SHORTEST - 1.5 <= seconds <= SHORTEST + 0.5
    context.close()


def test_switching_voice_off_reaches_open_pages_and_the_button_says_why(browser, server, demo, manager):
    contexts = [browser.new_context(locale="en-GB") for _ in range(2)]
    consumer = ConsumerPage(contexts[0], server).open()
    consumer.say("Is anybody there?")
    agent = AgentPage(contexts[1], server).sign_in(demo, demo.agent)
    agent.open_row("Is anybody there?")
    in_the_shop, in_the_workspace = consumer.widget.get_by_role("button", name=RECORD), agent.mic
    for mic in (in_the_shop, in_the_workspace):
        expect(mic).to_be_enabled()
    for off, told in (({"enabled": False}, ("Voice messages are turned off.",) * 2),
                      ({"consumers": False}, ("Voice messages are turned off for you.", None)),
                      ({"agents": False}, (None, "Voice messages are turned off for your role."))):
        manager(**off)
        for mic, page, why in ((in_the_shop, consumer.widget, told[0]), (in_the_workspace, agent.page, told[1])):
            if why is None:
                expect(mic).to_be_enabled()
                continue
            expect(mic).to_have_attribute("aria-disabled", "true")
            mic.click(force=True)
            expect(page.get_by_text(why).first).to_be_visible()
            expect(page.get_by_role("timer")).to_have_count(0)
        manager(**dict.fromkeys(off, True))
        for mic in (in_the_shop, in_the_workspace):
            expect(mic).to_be_enabled()
    for context in contexts:
        context.close()


def test_switching_voice_off_during_a_recording_closes_the_microphone_and_keeps_the_recording(browser, server, manager):
    context = browser.new_context(locale="en-GB")
    consumer = ConsumerPage(context, server).open()
    consumer.record(2)
    manager(enabled=False)
    expect(consumer.recorder).to_contain_text("Your recording is saved")
    expect(consumer.widget.get_by_role("timer")).to_have_count(0)
    manager(enabled=True)
    consumer.recorder.get_by_role("button", name=SEND_VOICE).click()
    expect(consumer.voice).to_be_visible()
    context.close()
