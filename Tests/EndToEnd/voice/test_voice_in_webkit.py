"""The widget in a real WebKit: text, recording as AAC in MP4, and playback. (Safari's codecs may differ.)"""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from support import agent_actions
from support.browser import webkit
from support.browser.accessibility import assert_clean
from support.browser.device_storage import IDENTITY
from support.browser.pages import RECORD, SEND_VOICE, seconds_of
from support.browser.webkit import until
from support.voice import speech, voice_messages

SECONDS, LEAST = 6, 5
PLAY = "Play voice message"


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    folder = tmp_path_factory.mktemp("webkit")
    with webkit.screen() as display, webkit.browser(display, folder) as driver:
        yield driver


@pytest.fixture(scope="module")
def widget(driver, server, microphone):
    """The shop's page with the widget open; the driver stays in the widget's frame, whose microphone says the
    speech."""
    driver.get(f"{server.url}/demo/")
    button(driver, "Messages").click()
    driver.switch_to.frame(until(driver, (webkit.ALL % "iframe") + "[0]", "the widget's frame"))
    until(driver, "document.querySelector('textarea')?.checkVisibility()", "the composer")
    webkit.give_microphone(driver, microphone)
    return driver


def button(driver, name: str):
    """The last button that can be seen whose name begins so."""
    return until(driver, webkit.BUTTON % name, f"the button {name!r}")


def keys(driver, *pressed: str) -> None:
    ActionChains(driver).send_keys(*pressed).perform()


def who(driver):
    return agent_actions.stored(driver.execute_async_script(f"{IDENTITY}.then(arguments[0])"))


def test_a_text_is_sent_by_keyboard(widget, server, agent):
    driver = widget
    driver.execute_script("document.querySelector('textarea').focus()")
    keys(driver, "Hello from WebKit", Keys.ENTER)
    until(
        driver,
        "[...document.querySelectorAll('li')].some(one => one.innerText.includes('Hello from WebKit'))",
        "the text in the list",
    )
    agent_actions.await_said(server, agent, who(driver).conversation, "Hello from WebKit")
    assert_clean(webkit.violations(driver), "widget with a message")


def test_speech_recorded_in_webkit_arrives_unchanged(widget, server, microphone, other_speech, figure):
    driver = widget
    assert driver.execute_script("return window.asked") == 0
    button(driver, RECORD).click()
    # The first piece is little more than the header; then comes about a second in each.
    until(driver, f"window.made.length > {SECONDS}", "the recorder's pieces")
    assert_clean(webkit.violations(driver), "recording")
    button(driver, SEND_VOICE).click()
    shown = seconds_of(button(driver, PLAY).get_attribute("aria-label"))
    kind, recording = webkit.recorded(driver)
    heard = speech.decode(agent_actions.newest_sound(server, who(driver)))
    length = len(heard) / speech.RATE
    likeness, control = (speech.likeness(heard, speech.decode(said)) for said in (microphone, other_speech))
    figure(
        "WK",
        f"WebKit's recorder ({kind}, {len(recording)} bytes) → server: {length:.2f} s (shown as {shown:.0f} s), "
        f"likeness {likeness:.2f}, of other speech {control:.2f}",
    )
    assert kind.startswith("audio/mp4")
    assert LEAST <= length <= SECONDS + 4 and abs(length - shown) <= 1
    assert likeness >= speech.SAME and control < speech.SAME - 0.1


def test_the_agents_voice_message_plays_in_webkit_and_counts_as_listened(
    widget, server, agent, microphone, tmp_path, figure
):
    driver = widget
    conversation = who(driver).conversation
    agent_actions.speak(
        server, agent, conversation, voice_messages.long_speech(microphone, tmp_path, SECONDS).read_bytes()
    )
    until(
        driver,
        f"document.querySelectorAll('li [aria-label^=\"{PLAY}\"]').length > 1",
        "the agent's voice message below one's own",
    )
    button(driver, PLAY).click()
    until(driver, "window.ears[0]?.ended", "the end of what plays", 60)
    agent_actions.await_listened(server, agent, conversation)
    played = driver.execute_script("return window.ears[0].currentTime")
    figure("WK", f"agent's voice message of {SECONDS} s played in WebKit to {played:.2f} s")
    assert abs(played - SECONDS) <= 1
    assert_clean(webkit.violations(driver), "widget with a voice message")
