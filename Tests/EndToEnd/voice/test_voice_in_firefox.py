"""Voice in a real Firefox, in both directions, with a private PulseAudio as microphone and loudspeaker."""

import shutil

import pytest
from playwright.sync_api import expect

from support import agent_actions, api
from support.browser.accessibility import assert_accessible
from support.browser.device_storage import identity
from support.browser.pages import SEND_VOICE, AgentPage, ConsumerPage, from_second, seconds_of
from support.voice import speech, voice_messages
from support.voice.pulseaudio import Pulse

# Firefox asks nobody for the microphone, and plays without a click before.
PREFERENCES = {
    "media.navigator.permission.disabled": True,
    "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0,
}
POSITION = "Position in voice message"
# Recorded until the clock says six seconds. What a busy machine's sound server drops is no fault of the page's; a
# microphone that is not on yet (1.5 s and more) is.
SECONDS, LEAST = 6, 5


@pytest.fixture(scope="module")
def pulse(tmp_path_factory):
    pulse = Pulse(tmp_path_factory.mktemp("pulse")).start()
    yield pulse
    pulse.stop()


@pytest.fixture(scope="module")
def firefox(playwright, pulse):
    """Debian's Firefox, driven by WebDriver BiDi: Playwright 1.62 is made for this one."""
    speech.need("firefox-esr")
    browser = playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=shutil.which("firefox-esr"),
        headless=True,
        firefox_user_prefs=PREFERENCES,
        env=pulse.environment,
    )
    assert browser.version.startswith(
        "153."
    ), f"Firefox {browser.version}: look for the Playwright that is made for it, and pin that one"
    yield browser
    browser.close()


@pytest.fixture
def context(firefox):
    context = firefox.new_context(locale="en-GB")
    context.add_init_script(voice_messages.EARS)
    yield context
    context.close()


@pytest.fixture
def shopper(context, server) -> ConsumerPage:
    return ConsumerPage(context, server).open()


@pytest.fixture
def workspace_page(context, server, demo) -> AgentPage:
    return AgentPage(context, server).sign_in(demo, demo.agent)


def who(shopper: ConsumerPage) -> api.Consumer:
    return agent_actions.stored(identity(shopper.frame))


def compared(heard, microphone, other_speech) -> tuple[float, float]:
    """How like it is to what was said, and to what nobody said."""
    return speech.likeness(heard, speech.decode(microphone)), speech.likeness(heard, speech.decode(other_speech))


def test_speech_recorded_in_firefox_arrives_unchanged(shopper, server, pulse, microphone, other_speech, figure):
    shopper.say("Hello from Firefox")
    assert_accessible(shopper.page, "widget with a message")
    with pulse.speaking(microphone):
        shopper.record(SECONDS)
        assert_accessible(shopper.page, "recording")
        shopper.send_voice()
    shown = seconds_of(shopper.voice.get_attribute("aria-label"))
    heard = speech.decode(agent_actions.newest_sound(server, who(shopper)))
    likeness, control = compared(heard, microphone, other_speech)
    length = len(heard) / speech.RATE
    figure(
        "FF",
        f"consumer's microphone in Firefox → server: {length:.2f} s (shown as {shown:.0f} s), likeness {likeness:.2f}, "
        f"of other speech {control:.2f}",
    )
    assert length >= LEAST and abs(length - shown) <= 1
    assert likeness >= speech.SAME and control < speech.SAME - 0.1
    assert_accessible(shopper.page, "widget with a voice message")


def test_the_agents_voice_message_plays_in_firefox(
    shopper, server, agent, pulse, microphone, other_speech, tmp_path, figure
):
    shopper.say("Please answer by voice")
    consumer = who(shopper)
    agent_actions.speak(
        server, agent, consumer.conversation, voice_messages.long_speech(microphone, tmp_path, 10).read_bytes()
    )
    expect(shopper.voice).to_be_visible()
    with pulse.listening() as ear:
        shopper.voice.click()
        shopper.frame.wait_for_function("() => window.ears[0]?.ended")
    agent_actions.await_listened(server, agent, consumer.conversation)
    [heard] = ear
    likeness, control = compared(heard, microphone, other_speech)
    figure(
        "FF",
        f"agent's voice message of 10 s out of Firefox's loudspeakers: likeness {likeness:.2f}, of other speech "
        f"{control:.2f}",
    )
    assert likeness >= speech.SAME and control < speech.SAME - 0.1


def test_an_agent_records_by_keyboard_in_firefox(
    workspace_page, server, consumer, pulse, microphone, other_speech, figure
):
    voice_messages.say(server, consumer, "Keys in Firefox, please")
    workspace_page.open_row("Keys in Firefox, please")
    assert_accessible(workspace_page.page, "conversation")
    keys = workspace_page.page.keyboard
    workspace_page.messages.focus()
    timer = workspace_page.recorder.get_by_role("timer")
    with pulse.speaking(microphone):
        keys.press("v")
        keys.press("v")
        expect(timer).to_have_text(from_second(SECONDS))
        assert_accessible(workspace_page.page, "recording")
        keys.press("Enter")
        expect(workspace_page.recorder.get_by_role("button", name=SEND_VOICE)).to_have_count(0)
    expect(workspace_page.voice).to_be_visible()
    expect(workspace_page.mic).to_be_focused()
    shown = seconds_of(workspace_page.voice.get_attribute("aria-label"))
    heard = speech.decode(agent_actions.newest_sound(server, consumer))
    likeness, control = compared(heard, microphone, other_speech)
    length = len(heard) / speech.RATE
    figure(
        "FF",
        f"agent's microphone in Firefox → server: {length:.2f} s (shown as {shown:.0f} s), likeness {likeness:.2f}, of "
        f"other speech {control:.2f}",
    )
    assert length >= LEAST and abs(length - shown) <= 1
    assert likeness >= speech.SAME and control < speech.SAME - 0.1


def test_an_agent_seeks_by_keyboard_in_firefox(workspace_page, server, consumer, pulse, microphone, tmp_path, figure):
    seconds = 20
    voice_messages.say(
        server, consumer, "Seek in Firefox, please", voice_messages.long_speech(microphone, tmp_path, seconds)
    )
    workspace_page.page.goto(f"{server.url}/workspace/#/all/{consumer.conversation}")
    slider = workspace_page.messages.get_by_role("slider", name=POSITION)
    expect(slider).to_be_visible()
    slider.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        slider.press(key)
    expect(slider).to_have_attribute("aria-valuetext", f"0:10 of 0:{seconds}")
    assert workspace_page.sounds == [], "the premise: nothing was loaded"
    with pulse.listening() as ear:
        slider.press(" ")
        workspace_page.page.wait_for_function("() => window.ears[0]?.ended")
    assert (
        abs(workspace_page.page.evaluate("window.ears[0].played.start(0)") - 10) <= 1
    ), "it began where it was moved to"
    [heard] = ear
    likeness = speech.likeness(heard, speech.decode(microphone))
    figure(
        "FF", f"consumer's voice message from 0:10 of 0:{seconds} out of the agent's Firefox: likeness {likeness:.2f}"
    )
    assert likeness >= speech.SAME
    assert_accessible(workspace_page.page, "played")
