"""Listened means played, at any speed; the sender sees it, and the inbox counts what is unplayed."""

import re

import pytest
from playwright.sync_api import expect

from support import api
from support.browser.device_storage import identity
from support.browser.pages import AgentPage, ConsumerPage
from support.voice import voice_messages

SECONDS = 20
# Plays until the sound itself stands there, and pauses in the same moment: what is judged is what was played, not how
# quick a test is.
PLAY_TO = """([nth, seconds]) => new Promise(done => {
    const player = document.querySelectorAll('#messages earshot-audio')[nth];
    const look = () => {
        const audio = window.ears[window.ears.length - 1];
        if (!audio || audio.paused || audio.currentTime < seconds) return requestAnimationFrame(look);
        player.pause();
        done(audio.currentTime);
    };
    void player.play().then(() => requestAnimationFrame(look));
})"""


@pytest.fixture(scope="module")
def speech_of(microphone, tmp_path_factory):
    folder = tmp_path_factory.mktemp("speech")
    return lambda seconds: voice_messages.long_speech(microphone, folder, seconds)


@pytest.fixture
def people(browser, server, demo):
    """A consumer with the widget open, and the agent who answers."""
    contexts = [browser.new_context(locale="en-GB") for _ in range(2)]
    for context in contexts:
        context.add_init_script(voice_messages.EARS)
    consumer = ConsumerPage(contexts[0], server)
    consumer.open().say("Please listen")
    frame = next(frame for frame in consumer.page.frames if "/widget" in frame.url)
    stored = identity(frame)
    agent = AgentPage(contexts[1], server).sign_in(demo, demo.agent)
    said = api.Consumer(stored["token"], stored["consumer"], stored["conversation"], stored["limits"])
    agent.page.goto(f"{server.url}/workspace/#/all/{said.conversation}")
    agent.page.get_by_role("button", name="Take", exact=True).click()
    expect(agent.page.get_by_role("button", name="Close conversation")).to_be_visible()
    yield consumer, agent, said
    for context in contexts:
        context.close()


def state(consumer: ConsumerPage):
    return consumer.widget.locator("li.bubble.own").last.locator(".delivery")


def row(agent: AgentPage, said: api.Consumer):
    return agent.page.locator(f"[data-c='{said.conversation}']")


def test_a_message_counts_as_listened_after_eighty_percent_was_played(people, server, speech_of, figure):
    consumer, agent, said = people
    voice_messages.say(server, said, speech_of(SECONDS))
    expect(agent.messages.get_by_role("slider")).to_be_visible()
    expect(state(consumer)).to_contain_text("Read")
    expect(row(agent, said)).to_contain_text(f"0:{SECONDS} unplayed")
    slider = agent.messages.get_by_role("slider")
    for key in ("End", "Home", "PageUp", "PageUp", "Home"):
        slider.press(key)
    agent.messages.get_by_role("button", name=re.compile("^Playback speed")).click()
    agent.page.get_by_role("menuitemradio", name="3×", exact=True).click()
    first = agent.page.evaluate(PLAY_TO, [0, SECONDS * 0.785])
    expect(state(consumer)).to_contain_text(re.compile(r"7[89]% played"))
    expect(state(consumer)).not_to_contain_text("Listened")
    expect(row(agent, said)).to_contain_text("unplayed")
    second = agent.page.evaluate(PLAY_TO, [0, SECONDS * 0.805])
    expect(state(consumer)).to_have_text("Listened")
    expect(row(agent, said)).not_to_contain_text("unplayed")
    figure(
        "N1",
        f"of {SECONDS} s, {first:.1f} s at 3x were not listened to, {second:.1f} s were; before, moving about in it "
        "counted nothing",
    )


def test_unplayed_time_falls_as_messages_are_played(people, server, speech_of):
    consumer, agent, said = people
    voice_messages.say(server, said, speech_of(6), speech_of(9))
    expect(row(agent, said)).to_contain_text("0:15 unplayed")
    expect(agent.messages.get_by_role("slider")).to_have_count(2)
    agent.page.locator("#messages").focus()
    agent.page.keyboard.press("n")
    expect(row(agent, said)).to_contain_text("0:09 unplayed")
    agent.page.keyboard.press("c")
    expect(row(agent, said)).not_to_contain_text("unplayed")
    expect(agent.page.get_by_role("region", name="Catch up")).to_be_hidden()
    expect(consumer.widget.locator("li.bubble.own .delivery").last).to_have_text("Listened")


def test_playback_without_a_connection_is_reported_after_reconnecting(people, server, speech_of):
    consumer, agent, said = people
    voice_messages.say(server, said, speech_of(6))
    expect(row(agent, said)).to_contain_text("0:06 unplayed")
    agent.page.evaluate("() => document.querySelector('#messages earshot-audio').play()")
    agent.page.wait_for_function(
        "() => window.ears[0]?.readyState === 4 && window.ears[0].buffered.length > 0 && "
        "window.ears[0].buffered.end(0) > 5.5"
    )
    agent.page.context.set_offline(True)
    agent.page.wait_for_function("() => window.ears[0].ended")
    agent.page.context.set_offline(False)
    expect(row(agent, said)).not_to_contain_text("unplayed")
    expect(state(consumer)).to_have_text("Listened")


def test_a_spectator_changes_no_watermark(people, server, browser, demo, speech_of):
    consumer, agent, said = people
    voice_messages.say(server, said, speech_of(6))
    context = browser.new_context(locale="en-GB")
    context.add_init_script(voice_messages.EARS)
    manager = AgentPage(context, server).sign_in(demo, demo.manager)
    manager.page.goto(f"{server.url}/workspace/#/all")
    row(manager, said).get_by_role("link").focus()
    manager.page.keyboard.press("p")
    preview = manager.page.get_by_role("dialog", name=re.compile("^Preview"))
    preview.get_by_role("button", name=re.compile("^Play voice message")).click()
    manager.page.wait_for_function("() => window.ears[0]?.ended")
    consumer.say("Are you there?")
    expect(agent.text("Are you there?")).to_be_visible()
    expect(row(agent, said)).to_contain_text("0:06 unplayed")
    assert consumer.widget.get_by_text("Listened").count() == 0
    context.close()
