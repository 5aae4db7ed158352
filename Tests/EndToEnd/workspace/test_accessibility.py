"""Every state of every page is free of axe-core violations, on desktop and phone, light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support import api, wire
from support.browser import device_storage
from support.browser.pages import AgentPage, ConsumerPage, from_second
from support.voice import recordings, speech

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
LOOKS = [(size, scheme) for size in SIZES for scheme in ("light", "dark")]


def assert_accessible(page, state: str) -> None:
    found = Axe().run(page).response["violations"]
    told = [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {violation['nodes'][0]['html'][:160]}"
        for violation in found
    ]
    assert not told, f"{state}:\n" + "\n".join(told)


@pytest.fixture(scope="module")
def conversation(server, demo, microphone, tmp_path_factory):
    """A conversation that waits, with a text and a voice message."""
    consumer = api.new_consumer(server.url, demo)
    recording = recordings.encode(microphone, tmp_path_factory.mktemp("recording"), "WebM/Opus", seconds=4)
    media = api.upload(server.url, consumer, recording).json()["media"]

    async def talk():
        client = wire.Client(server.socket_url, consumer.token, "axe")
        await client.connect()
        await client.say("axe-1", "A question that waits for its answer")
        await client.settle()
        await client.link.send({"send": "axe-2", "audio": media})
        await client.link.until("ok")
        await client.link.close()

    wire.run(talk())
    return "A question that waits"


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    """The state of a signed-in browser, so that each look does not sign in again."""
    context = browser.new_context()
    AgentPage(context, server).sign_in(demo, demo.manager)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def known_consumer(server, demo) -> dict:
    return device_storage.newcomer(server, demo)


@pytest.mark.parametrize("size, scheme", LOOKS)
def test_the_consumers_pages_are_accessible(browser, server, known_consumer, size, scheme):
    context = browser.new_context(
        viewport=SIZES[size], color_scheme=scheme, reduced_motion="reduce", storage_state=known_consumer
    )
    consumer = ConsumerPage(context, server)
    assert_accessible(consumer.page, "shop")
    consumer.open()
    assert_accessible(consumer.page, "widget, empty")
    consumer.say("Hello from axe")
    assert_accessible(consumer.page, "widget with a message")
    consumer.record(1)
    assert_accessible(consumer.page, "recording")
    consumer.widget.get_by_role("button", name="Stop and listen").click()
    expect(consumer.widget.get_by_role("slider").last).to_be_visible()
    assert_accessible(consumer.page, "preview")
    consumer.send_voice()
    assert_accessible(consumer.page, "widget with a voice message")
    context.set_offline(True)
    consumer.composer.fill("said offline")
    consumer.composer.press("Enter")
    assert_accessible(consumer.page, "offline")
    context.close()


@pytest.mark.parametrize("size, scheme", LOOKS)
def test_the_agents_pages_are_accessible(browser, server, conversation, signed_in, size, scheme):
    looks = {"viewport": SIZES[size], "color_scheme": scheme, "reduced_motion": "reduce"}
    signed_out = browser.new_context(**looks)
    entry = AgentPage(signed_out, server)
    expect(entry.page.get_by_role("button", name="Sign in")).to_be_visible()
    assert_accessible(entry.page, "sign in")
    signed_out.close()

    context = browser.new_context(**looks, storage_state=signed_in)
    agent = AgentPage(context, server)
    expect(agent.row(re.compile("Voice message")).first).to_be_visible()
    assert_accessible(agent.page, "inbox")
    agent.row(re.compile("Voice message")).first.click()
    expect(agent.voice).to_be_visible()
    assert_accessible(agent.page, "conversation")
    agent.page.get_by_role("button", name="Details").first.click()
    assert_accessible(agent.page, "details")
    context.close()


def press_until(page, key: str, is_there, limit: int = 60) -> None:
    for _ in range(limit):
        if is_there():
            return
        page.keyboard.press(key)
    raise AssertionError(f"{limit} times {key} did not lead there")


def test_a_whole_conversation_by_keyboard_alone(browser, server, demo):
    contexts = [browser.new_context() for _ in range(2)]
    consumer = ConsumerPage(contexts[0], server)
    keys = consumer.page.keyboard
    launcher = consumer.launcher
    press_until(
        consumer.page, "Tab", lambda: launcher.evaluate("element => element.getRootNode().activeElement === element")
    )
    keys.press("Enter")
    expect(consumer.composer).to_be_focused()
    keys.type("By keyboard only")
    keys.press("Enter")
    expect(consumer.text("By keyboard only")).to_be_visible()
    record = consumer.widget.get_by_role("button", name="Record a voice message")
    press_until(
        consumer.page, "Tab", lambda: record.evaluate("element => element.getRootNode().activeElement === element")
    )
    keys.press("Enter")
    expect(consumer.widget.get_by_role("timer")).to_have_text(from_second(2))
    send = consumer.widget.get_by_role("button", name="Send voice message")
    press_until(
        consumer.page, "Tab", lambda: send.evaluate("element => element.getRootNode().activeElement === element")
    )
    keys.press("Enter")
    expect(consumer.voice).to_be_visible()

    agent = AgentPage(contexts[1], server)
    page = agent.page
    page.get_by_label("Email", exact=True).focus()
    for value in (demo.agent.email, demo.agent.password):
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
        if value != demo.agent.password:
            page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    expect(agent.row(re.compile("Voice message")).first).to_be_visible()
    # Who has waited longest stands first; this conversation is the newest.
    press_until(
        page,
        "j",
        lambda: page.evaluate("document.activeElement === [...document.querySelectorAll('[role=tabpanel] a')].pop()"),
    )
    page.keyboard.press("Enter")
    expect(agent.messages).to_be_visible()
    expect(agent.text("By keyboard only")).to_be_visible()
    page.keyboard.press("r")
    expect(agent.composer).to_be_focused()
    page.keyboard.type("Answered by keyboard only")
    page.keyboard.press("Enter")
    expect(consumer.text("Answered by keyboard only")).to_be_visible()
    for context in contexts:
        context.close()


def test_the_pages_recover_from_a_server_kill_under_load(browser, new_server):
    """SIGKILL between two sends, and a start again: what the page showed as sent is there once, in order, for a
    fresh device too."""
    server = new_server().start()
    context = browser.new_context()
    consumer = ConsumerPage(context, server).open()
    said = []
    for number in range(30):
        said.append(f"burst {number:02d}")
        consumer.composer.fill(said[-1])
        consumer.composer.press("Enter")
        if number == 14:
            server.kill()
        if number == 20:
            server.start()
    shown = consumer.text(re.compile(r"burst \d\d"))
    expect(shown).to_have_count(30)
    expect(shown.filter(has_text=re.compile("Sending|Waiting for"))).to_have_count(0)
    assert numbered(shown) == said
    consumer.page.reload()
    consumer.open()
    expect(shown).to_have_count(30)
    assert numbered(shown) == said
    context.close()
    server.stop()


def numbered(shown) -> list[str]:
    return [re.search(r"burst \d\d", text).group() for text in shown.all_inner_texts()]


def test_two_consumers_in_two_browsers_see_only_their_own_conversation(browser, server):
    contexts = [browser.new_context() for _ in range(2)]
    ana, ben = (ConsumerPage(context, server).open() for context in contexts)
    ana.say("Only Ana says this")
    ben.say("Only Ben says this")
    ana.page.reload()
    ben.page.reload()
    for page, own, other in ((ana, "Ana", "Ben"), (ben, "Ben", "Ana")):
        page.open()
        expect(page.text(f"Only {own} says this")).to_be_visible()
        expect(page.text(f"Only {other} says this")).to_have_count(0)
    for context in contexts:
        context.close()


def test_without_a_microphone_the_widget_says_so(playwright, browser_type_launch_args, server):
    args = {**browser_type_launch_args, "args": ["--use-fake-ui-for-media-stream"]}
    browser = playwright.chromium.launch(**args)
    consumer = ConsumerPage(browser.new_context(), server).open()
    consumer.widget.get_by_role("button", name="Record a voice message").click()
    expect(consumer.widget.get_by_text("No microphone was found").first).to_be_visible()
    browser.close()


def test_the_fake_microphone_plays_the_speech(browser, server, microphone):
    """The premise of the story: what this browser's microphone hears is the speech, not a beep."""
    page = browser.new_page()
    page.goto(f"{server.url}/demo/")
    data = page.evaluate("""async () => {
        const stream = await navigator.mediaDevices.getUserMedia({audio: true});
        const recorder = new MediaRecorder(stream), chunks = [];
        recorder.ondataavailable = event => chunks.push(event.data);
        recorder.start();
        await new Promise(done => setTimeout(done, 3000));
        await new Promise(done => { recorder.onstop = done; recorder.stop(); });
        return Array.from(new Uint8Array(await new Blob(chunks).arrayBuffer())); }""")
    assert speech.likeness(speech.decode(bytes(data)), speech.decode(microphone)) >= speech.SAME
    page.close()
