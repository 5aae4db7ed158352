"""Spoken canned replies: a clip is recorded in the settings, and an agent sends it with two keystrokes."""

import re
import time

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support import api, wire
from support.browser.device_storage import identity
from support.browser.interception import intercept
from support.browser.pages import STOP, AgentPage, ConsumerPage, from_second, signed_in_state
from support.voice import speech


@pytest.fixture(scope="module")
def states(browser, server, demo):
    return {
        name: signed_in_state(browser, server, demo, login)
        for name, login in (("manager", demo.manager), ("agent", demo.agent))
    }


@pytest.fixture
def contexts(browser, states):
    made = []

    def new(name: str | None = None):
        made.append(
            browser.new_context(
                locale="en-GB", reduced_motion="reduce", **({"storage_state": states[name]} if name else {})
            )
        )
        return made[-1]

    yield new
    for context in made:
        context.close()


def canned(manager: api.Agent) -> list[dict]:
    return manager.session.get(f"{manager.base}/v1/centre", timeout=20).json()["canned"]


def record(page: Page, seconds: int) -> None:
    """Presses the two buttons, and waits until the recorder itself shows so many seconds."""
    page.get_by_role("button", name="Record clip").click()
    recorder = page.get_by_role("group", name="Record a voice clip")
    recorder.get_by_role("button", name="Record", exact=True).click()
    expect(recorder.get_by_role("timer")).to_have_text(from_second(seconds))


@pytest.fixture(scope="module")
def clip(browser, server, states, manager) -> dict:
    """A reply with a clip, made in the settings by a person."""
    context = browser.new_context(storage_state=states["manager"], locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server.url}/workspace/#/admin/canned")
    page.get_by_role("button", name="Add a reply").click()
    page.get_by_label("Title").fill("Where to return")
    page.get_by_label("Shortcut").fill("return")
    page.get_by_role("textbox", name="Text").fill("Put it on the box, {consumer}.")
    began = time.monotonic()
    record(page, 4)
    page.get_by_role("group", name="Record a voice clip").get_by_role("button", name=STOP).click()
    pressed = (time.monotonic() - began) * 1000
    page.get_by_role("button", name="Use this clip").click()
    expect(page.get_by_role("button", name="Play clip")).to_be_visible()
    assert [
        reply for reply in canned(manager) if reply["shortcut"] == "return"
    ] == [], "nothing is in force before it is saved"
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Control+s")
    expect(page.get_by_role("region", name="Settings").get_by_text(" saved.")).to_be_visible()
    context.close()
    made = next(reply for reply in canned(manager) if reply["shortcut"] == "return")
    assert 4000 <= made["clip"]["ms"] <= pressed, "the time between the two buttons, and no more"
    return made


def pick(agent: AgentPage) -> None:
    """Chooses the reply by its shortcut."""
    agent.composer.focus()
    agent.page.keyboard.type("/return")
    expect(agent.page.get_by_role("option", name=re.compile("Where to return"))).to_be_visible()
    agent.page.keyboard.press("Enter")


def newest(server, consumer: ConsumerPage) -> bytes:
    """What the consumer gets to hear."""
    known = identity(consumer.frame)
    with consumer.page.expect_request(lambda request: "/v1/media/" in request.url) as asked:
        consumer.voice.click()
    answer = requests.get(asked.value.url, headers={"Authorization": f"Bearer {known['token']}"}, timeout=20)
    assert answer.status_code == 200, answer.text
    return answer.content


def test_an_agent_sends_a_clip_with_two_keys_and_the_consumer_gets_audio_and_text(
    contexts, server, clip, microphone, figure
):
    shopper = ConsumerPage(contexts(), server).open()
    shopper.say("Where does the label go?")
    agent = AgentPage(contexts("agent"), server)
    agent.open_row("Where does the label go?")
    pick(agent)
    expect(agent.page.get_by_text("Voice clip 0:0", exact=False)).to_be_visible()
    assert Axe().run(agent.page).response["violations"] == []
    agent.page.keyboard.press("Enter")
    expect(agent.voice).to_be_visible()
    expect(agent.page.get_by_role("button", name="Play clip")).to_have_count(0)
    expect(shopper.voice).to_be_visible()
    expect(shopper.text("Put it on the box")).to_be_visible()
    order = [text for text in shopper.messages.all_inner_texts() if "Put it on the box" in text or "0:0" in text]
    assert len(order) >= 2 and "Put it on the box" in order[-1], "the voice first, then its twin"
    heard = speech.decode(newest(server, shopper))
    likeness = speech.likeness(heard, speech.decode(microphone))
    figure(
        "N8",
        f"clip of {clip['clip']['ms'] / 1000:.1f} s recorded in the settings, sent with 2 keys: "
        f"{len(heard) / speech.RATE:.2f} s heard, likeness {likeness:.2f}",
    )
    assert likeness >= speech.SAME


async def arrive(server, demo, text: str) -> api.Consumer:
    """A consumer whose conversation began."""
    consumer = api.new_consumer(server.url, demo)
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": "first", "text": text})
    await link.until("ok")
    await link.close()
    return consumer


def test_a_clip_can_be_sent_repeatedly_as_separate_messages(server, demo, agent, clip):
    copies = []
    for n in range(3):
        consumer = wire.run(arrive(server, demo, f"Again {n}"))
        body = {"conversation": consumer.conversation, "draft": f"draft-{n}"}
        for _ in range(2):
            answer = agent.session.post(
                f"{agent.base}/v1/clips/{clip['clip']['media']}/copies", json=body, headers=agent.headers, timeout=20
            )
            assert answer.status_code == 200, answer.text
            copies.append(answer.json()["media"])
    assert len(copies) == 6 and len(set(copies)) == 3 and clip["clip"]["media"] not in copies
    files = {
        path.stat().st_ino
        for path in server.data.rglob("original")
        if path.parent.name in {*copies, clip["clip"]["media"]}
    }
    assert len(files) == 1, "its bytes are on disk once"


def test_a_chosen_clip_survives_a_reload_and_can_be_removed(contexts, server, clip):
    shopper = ConsumerPage(contexts(), server).open()
    shopper.say("Only text, please")
    agent = AgentPage(contexts("agent"), server)
    agent.open_row("Only text, please")
    pick(agent)
    drop = agent.page.get_by_role("button", name="Remove clip")
    expect(drop).to_be_visible()
    agent.page.reload()
    expect(drop).to_be_visible()
    drop.click()
    agent.composer.press("Enter")
    expect(shopper.text("Put it on the box")).to_be_visible()
    assert shopper.voice.count() == 0


def test_a_clip_goes_with_its_text_and_comes_back(contexts, server, clip):
    shopper = ConsumerPage(contexts(), server).open()
    shopper.say("Which box is it?")
    agent = AgentPage(contexts("agent"), server)
    agent.open_row("Which box is it?")
    keys, attached = agent.page.keyboard, agent.page.get_by_role("button", name="Play clip")
    pick(agent)
    expect(attached).to_be_visible()
    keys.press("Control+a")
    keys.press("Delete")
    expect(agent.page.get_by_text("Clip removed · Undo")).to_be_visible()
    expect(attached).to_have_count(0)
    agent.page.get_by_role("button", name="Undo").click()
    expect(attached).to_be_visible()
    agent.page.get_by_role("button", name="Remove clip").click()
    pick(agent)
    expect(attached).to_be_visible()
    keys.press("Control+a")
    keys.type("Put which one?")
    expect(attached).to_have_count(0)
    keys.press("Enter")
    expect(shopper.text("Put which one?")).to_be_visible()
    assert shopper.voice.count() == 0


def test_a_clip_that_cannot_be_sent_is_reported_and_kept(contexts, server, clip):
    shopper = ConsumerPage(contexts(), server).open()
    shopper.say("With a cut line")
    agent = AgentPage(contexts("agent"), server)
    agent.open_row("With a cut line")
    pick(agent)
    intercept(agent.page, "**/v1/clips/*/copies", lambda route: route.abort())
    agent.composer.press("Enter")
    expect(agent.page.get_by_role("alert").filter(has_text="The clip couldn’t be sent.")).to_be_visible()
    expect(agent.composer).to_have_value(re.compile("Put it on the box"))
    agent.page.unroute("**/v1/clips/*/copies")
    agent.composer.press("Enter")
    expect(shopper.voice).to_be_visible()
    expect(shopper.text("Put it on the box")).to_have_count(1)
