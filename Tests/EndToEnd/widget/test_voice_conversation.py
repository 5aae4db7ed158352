"""The main use: a consumer speaks, an agent listens and answers, and both return to the same conversation."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.browser.device_storage import identity
from support.browser.pages import CLOSED, AgentPage, ConsumerPage, seconds_of
from support.voice import speech

SAID, ANSWER, AGAIN = (
    "Where is my green kettle?",
    "It left the warehouse this morning.",
    "One more question about the kettle",
)


@pytest.fixture(scope="module")
def server(new_server):
    """As talkative as an operator may set it, so that the log has something to give away."""
    server = new_server({"EARSHOT_LOG_LEVEL": "trace"}).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def people(browser, server, demo):
    """One consumer and one agent, each in a browser context of their own, for the whole story."""
    contexts = [browser.new_context(locale="en-GB") for _ in range(2)]
    consumer = ConsumerPage(contexts[0], server)
    agent = AgentPage(contexts[1], server).sign_in(demo, demo.agent)
    yield consumer, agent
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def story(people):
    return {}


def test_the_consumer_writes_and_the_agent_sees_the_waiting_conversation(people):
    consumer, agent = people
    consumer.open().say(SAID)
    expect(agent.row(SAID)).to_be_visible()
    agent.open_row(SAID)
    expect(agent.text(SAID)).to_be_visible()


def test_the_microphone_is_asked_for_only_when_recording_begins(browser, server):
    """A page that asks early is seen by the wrapped getUserMedia."""
    context = browser.new_context()
    context.add_init_script(
        "window.asked = 0; const real = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);"
        "if (real) navigator.mediaDevices.getUserMedia = c => { window.asked += 1; return real(c); }"
    )
    consumer = ConsumerPage(context, server).open()
    frame = next(frame for frame in consumer.page.frames if "/widget" in frame.url)
    assert frame.evaluate("window.asked") == 0
    consumer.record(1)
    assert frame.evaluate("window.asked") == 1
    context.close()


def test_a_voice_message_arrives_with_its_duration_and_waveform(people, story, microphone, other_speech, figure):
    consumer, agent = people
    began = time.monotonic()
    consumer.record(5)
    consumer.send_voice()
    between = time.monotonic() - began
    expect(agent.voice).to_be_visible()
    shown = agent.voice.get_attribute("aria-label") or agent.voice.inner_text()
    assert 5 <= seconds_of(shown) <= between + 1, shown
    assert agent.messages.get_by_role("slider").last.is_visible()

    assert agent.sounds == [], "the sound is fetched when somebody plays it, not before"
    agent.voice.click()
    expect(agent.messages.get_by_role("button", name="Pause voice message")).to_be_visible()
    agent.page.wait_for_function(
        "() => Number(document.querySelector('earshot-audio [role=slider]').getAttribute('aria-valuenow')) > 0"
    )
    heard = speech.decode(agent.heard())
    length = len(heard) / speech.RATE
    likeness = speech.likeness(heard, speech.decode(microphone))
    control = speech.likeness(heard, speech.decode(other_speech))
    figure(
        "10.",
        f"consumer's microphone → agent's browser: {length:.2f} s (shown as {shown!r}), likeness {likeness:.2f}, of "
        f"other speech {control:.2f}",
    )
    assert abs(length - seconds_of(shown)) <= 1
    assert likeness >= speech.SAME
    assert control < speech.SAME - 0.1
    story["voice"] = shown


def test_the_agent_seeks_in_a_voice_message(people):
    _, agent = people
    slider = agent.messages.get_by_role("slider").last
    slider.focus()
    slider.press("End")
    end = float(slider.get_attribute("aria-valuenow"))
    slider.press("Home")
    assert end > 0 and float(slider.get_attribute("aria-valuenow")) < end


def test_the_agent_answers_and_the_consumer_reads(people):
    consumer, agent = people
    agent.say(ANSWER)
    expect(consumer.text(ANSWER)).to_be_visible()
    expect(agent.messages.get_by_text("Read", exact=True).last).to_be_visible()


def test_a_recording_can_be_previewed_and_deleted(people):
    consumer, agent = people
    before = agent.messages.get_by_role("slider").count()
    consumer.record(2)
    consumer.widget.get_by_role("button", name="Stop and listen").click()
    preview = consumer.widget.get_by_role("button", name=re.compile("Play voice message")).last
    expect(preview).to_be_visible()
    consumer.widget.get_by_role("button", name="Delete recording").click()
    expect(consumer.composer).to_be_visible()
    consumer.say("never mind the recording")
    expect(agent.text("never mind the recording")).to_be_visible()
    assert agent.messages.get_by_role("slider").count() == before


def test_closing_is_shown_and_what_is_written_then_reaches_the_agent(people):
    consumer, agent = people
    agent.close_conversation(anyway=True)
    expect(consumer.text(CLOSED)).to_be_visible()
    agent.page.go_back()
    consumer.say(AGAIN)
    expect(agent.text(AGAIN)).to_be_visible()
    expect(agent.messages.get_by_text("reopened the conversation")).to_be_visible()


def test_the_conversation_survives_a_reload_on_both_sides(people, story):
    consumer, agent = people
    for page in (consumer.page, agent.page):
        page.reload()
    consumer.open()
    for text in (SAID, ANSWER, AGAIN, CLOSED):
        expect(consumer.text(text).first).to_be_attached()
        # The agent's page names who closed the conversation.
        shown = "closed the conversation." if text == CLOSED else text
        expect(agent.messages.get_by_text(shown, exact=text != CLOSED).first).to_be_attached()
    assert agent.messages.get_by_role("button", name=re.compile("Play voice message")).count() == 1
    shown = agent.voice.get_attribute("aria-label") or agent.voice.inner_text()
    assert shown == story["voice"]


def test_the_widget_survives_page_navigation(people, server):
    consumer, _ = people
    consumer.page.goto(f"{server.url}/demo/product.html")
    consumer.open()
    expect(consumer.text(SAID)).to_be_visible()


def test_the_character_counter_and_the_server_agree_on_the_limit(people):
    consumer, _ = people
    send = consumer.widget.get_by_role("button", name="Send message")
    consumer.composer.fill("a" * 2000)
    expect(send).to_be_enabled()
    expect(consumer.widget.get_by_text("2000 of 2000 characters").first).to_be_visible()
    consumer.composer.fill("a" * 2001)
    expect(send).to_be_disabled()
    expect(consumer.widget.get_by_text("1 character too many").first).to_be_visible()
    consumer.composer.press("Enter")
    expect(consumer.text("a" * 2001)).to_have_count(0)
    consumer.composer.fill("")


def test_the_logs_contain_nothing_that_was_said(people, server, demo):
    """The whole story's log, searched for words, names, addresses and tokens. The demo's own printed logins are its
    only secrets."""
    consumer, agent = people
    frame = next(frame for frame in consumer.page.frames if "/widget" in frame.url)
    tokens = re.findall(r"e2\.[\w.-]{40,}", identity(frame)["token"])
    assert tokens, "the premise: this is a token"
    cookie = next(cookie["value"] for cookie in agent.page.context.cookies() if "earshot" in cookie["name"])
    log = "\n".join(
        line for line in server.log().splitlines() if "@demo.example" not in line and "listening on" not in line
    )
    assert len(log) > 100, "the premise: there is a log"
    forbidden = [
        SAID,
        ANSWER,
        AGAIN,
        "kettle",
        "Visitor ",
        "127.0.0.1:",
        "HeadlessChrome",
        cookie,
        *tokens,
        *(token.rsplit(".", 1)[1] for token in tokens),
    ]
    found = [word for word in forbidden if word in log]
    assert not found, (found, [line for line in log.splitlines() if any(word in line for word in found)][:5])
