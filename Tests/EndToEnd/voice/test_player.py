"""Playing voice messages in a real browser: seeking, speeds, one at a time, by keyboard, and among hundreds."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support import api, wire
from support.browser.device_storage import identity
from support.browser.interception import intercept
from support.browser.pages import AgentPage, ConsumerPage, signed_in_state
from support.demo import discover
from support.server_clock import Clock
from support.voice import speech, voice_messages

SECONDS = 40
POSITION, SPEED, MORE = (
    "Position in voice message",
    re.compile("^Playback speed"),
    "More actions for this voice message",
)


@pytest.fixture(scope="module")
def long_speech(microphone, tmp_path_factory):
    return voice_messages.long_speech(microphone, tmp_path_factory.mktemp("long"), SECONDS)


@pytest.fixture
def context(browser):
    context = browser.new_context(locale="en-GB")
    context.add_init_script(voice_messages.EARS)
    yield context
    context.close()


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.agent)


@pytest.fixture
def agent(browser, server, signed_in):
    context = browser.new_context(locale="en-GB", storage_state=signed_in)
    context.add_init_script(voice_messages.EARS)
    page = AgentPage(context, server)
    expect(page.page.get_by_role("heading", name="Inbox")).to_be_visible()
    yield page
    context.close()


def opened(agent: AgentPage, server, conversation: str) -> AgentPage:
    agent.page.goto(f"{server.url}/workspace/#/all/{conversation}")
    expect(agent.messages.get_by_role("slider").first).to_be_visible()
    return agent


def slider(agent: AgentPage, nth: int = 0):
    return agent.messages.get_by_role("slider", name=POSITION).nth(nth)


def play_button(agent: AgentPage, nth: int = 0):
    return (
        agent.messages.locator("earshot-audio")
        .nth(nth)
        .get_by_role("button", name=re.compile("^(Play|Pause) voice message"))
    )


def test_seeking_works_before_the_audio_is_loaded(agent, server, consumer, long_speech):
    voice_messages.say(server, consumer, long_speech)
    opened(agent, server, consumer.conversation)
    slider(agent).focus()
    for _ in range(4):
        slider(agent).press("ArrowRight")
    expect(slider(agent)).to_have_attribute("aria-valuetext", f"0:20 of 0:{SECONDS}")
    slider(agent).press("ArrowLeft")
    expect(slider(agent)).to_have_attribute("aria-valuetext", f"0:15 of 0:{SECONDS}")
    slider(agent).press("End")
    expect(slider(agent)).to_have_attribute("aria-valuetext", f"0:{SECONDS} of 0:{SECONDS}")
    slider(agent).press("Home")
    box = slider(agent).bounding_box()
    slider(agent).click(position={"x": box["width"] * 0.75, "y": box["height"] / 2})
    assert abs(float(slider(agent).get_attribute("aria-valuenow")) - SECONDS * 0.75) <= 1
    assert agent.sounds == [], "the premise: nothing was loaded"
    slider(agent).press(" ")
    agent.page.wait_for_function(
        "() => window.ears[0]?.played.length > 0 && window.ears[0].currentTime > window.ears[0].played.start(0) + 0.3"
    )
    assert (
        abs(agent.page.evaluate("window.ears[0].played.start(0)") - SECONDS * 0.75) <= 1
    ), "it began where it was moved to, not at its beginning"


def test_the_consumer_hears_the_right_part_after_seeking(context, server, demo, long_speech):
    """The widget has no cookie: it fetches the piece that is wanted, with its token in a header, and what came is
    the sound of that moment."""
    page = ConsumerPage(context, server)
    page.open().say("I speak in a moment")
    frame = next(frame for frame in page.page.frames if "/widget" in frame.url)
    stored = identity(frame)
    said = api.Consumer(stored["token"], stored["consumer"], stored["conversation"], stored["limits"])
    pieces = []
    page.page.on("response", lambda response: pieces.append(response) if "/v1/media/" in response.url else None)
    [media] = voice_messages.say(server, said, long_speech)
    scrubber = page.widget.get_by_role("slider", name=POSITION)
    expect(scrubber).to_be_visible()
    scrubber.focus()
    for _ in range(5):
        scrubber.press("ArrowRight")
    scrubber.press("Enter")
    expect(page.widget.get_by_role("button", name="Pause voice message")).to_be_visible()
    first = pieces[0]
    asked = re.fullmatch(r"bytes=(\d+)-", first.request.headers["range"])
    assert first.status == 206 and asked and int(asked.group(1)) > 80_000, first.request.headers
    assert "authorization" in first.request.headers and "token" not in first.url
    whole = speech.decode(
        api.requests.get(
            f"{server.url}/v1/media/{said.conversation}/{media}.mp3", headers=said.headers, timeout=20
        ).content
    )
    base = frame.evaluate("Math.round(window.ears[0].duration * 1000)")
    begins = len(whole) / speech.RATE - base / 1000
    assert 23 <= begins <= 25, "a piece from just before the moment on"
    window = whole[int(26 * speech.RATE):int(27 * speech.RATE)]
    piece = whole[int(begins * speech.RATE):]
    assert speech.best_match(window, piece) > 0.9


def test_speed_keeps_the_pitch_and_is_remembered(agent, server, consumer, tmp_path, figure):
    voice_messages.say(server, consumer, voice_messages.tone(tmp_path, 440, 20))
    opened(agent, server, consumer.conversation)
    agent.messages.get_by_role("button", name=SPEED).click()
    shown = [item.inner_text() for item in agent.page.get_by_role("menuitemradio").all()]
    assert shown == ["0.75×", "1×", "1.25×", "1.5×", "2×", "3×"]
    agent.page.get_by_role("menuitemradio", name="2×", exact=True).click()
    play_button(agent).click()
    agent.page.wait_for_function("() => window.ears[0]?.currentTime > 1")
    assert agent.page.evaluate("[window.ears[0].playbackRate, window.ears[0].preservesPitch]") == [2, True]
    hertz = agent.page.evaluate(
        """async () => {
            const context = new AudioContext(), analyser = context.createAnalyser(), bins = new Float32Array(4096);
            analyser.fftSize = 8192;
            await context.resume();
            context.createMediaStreamSource(window.ears[0].captureStream()).connect(analyser);
            for (let turn = 0; turn < 200; turn++) {
                await new Promise(done => setTimeout(done, 50));
                analyser.getFloatFrequencyData(bins);
                const top = bins.indexOf(Math.max(...bins));
                if (bins[top] > -60 && turn > 8) return top * context.sampleRate / 8192;
            }
            return 0;
        }""")
    figure("voice", f"a tone of 440 Hz at twice the speed: {hertz:.0f} Hz")
    assert 425 <= hertz <= 455
    agent.page.reload()
    expect(agent.messages.get_by_role("button", name=SPEED).first).to_have_text("2×")


def test_one_plays_at_a_time_also_across_tabs(agent, server, consumer, long_speech):
    voice_messages.say(server, consumer, long_speech, long_speech)
    opened(agent, server, consumer.conversation)
    play_button(agent, 0).click()
    agent.page.wait_for_function("() => window.ears[0]?.currentTime > 0.2")
    play_button(agent, 1).click()
    agent.page.wait_for_function("() => window.ears[1]?.currentTime > 0.2")
    assert agent.page.evaluate("window.ears[0].paused") is True
    other = AgentPage(agent.page.context, server)
    opened(other, server, consumer.conversation)
    play_button(other, 0).click()
    other.page.wait_for_function("() => window.ears[0]?.currentTime > 0.2")
    agent.page.wait_for_function("() => window.ears.every(audio => audio.paused)")


def test_playback_resumes_where_it_stopped(agent, server, consumer, long_speech):
    voice_messages.say(server, consumer, long_speech)
    opened(agent, server, consumer.conversation)
    slider(agent).focus()
    for _ in range(3):
        slider(agent).press("ArrowRight")
    play_button(agent).click()
    agent.page.wait_for_function("() => window.ears[0]?.currentTime > 15.3")
    play_button(agent).click()
    left = float(slider(agent).get_attribute("aria-valuenow"))
    agent.page.reload()
    expect(slider(agent)).to_have_attribute("aria-valuenow", f"{left:.0f}")


def test_the_list_says_audio_message_with_its_length_at_the_time_of_the_last_message(
    agent, server, consumer, long_speech
):
    voice_messages.say(server, consumer, "Who hovers over this row?", long_speech)
    agent.page.goto(f"{server.url}/workspace/#/all")
    row = agent.page.locator(f"[data-c='{consumer.conversation}']")
    tip = row.get_by_text("Audio Message", exact=True)
    expect(row).to_be_visible()
    expect(tip).to_be_hidden()
    row.locator("time").hover()
    expect(tip).to_be_visible()
    expect(row.locator(".row-tip")).to_have_text(f"Audio Message 0:{SECONDS}")
    agent.page.mouse.move(900, 500)
    expect(tip).to_be_hidden()
    agent.page.keyboard.press("j")
    row.get_by_role("link").focus()
    expect(tip).to_be_visible()


def test_the_preview_plays_without_opening_the_conversation(agent, server, consumer, long_speech):
    voice_messages.say(server, consumer, "Look at me without being seen", long_speech)
    agent.page.goto(f"{server.url}/workspace/#/all")
    row = agent.page.locator(f"[data-c='{consumer.conversation}']")
    row.get_by_role("link").focus()
    agent.page.keyboard.press("p")
    preview = agent.page.get_by_role("dialog", name=re.compile("^Preview"))
    expect(preview.get_by_text("Look at me without being seen")).to_be_visible()
    preview.get_by_role("button", name=re.compile("^Play voice message")).click()
    agent.page.wait_for_function("() => window.ears[0]?.currentTime > 0.3")
    agent.page.keyboard.press("Escape")
    expect(preview).to_have_count(0)
    agent.page.wait_for_function("() => window.ears[0].paused")
    assert agent.page.url.endswith("#/all"), "the conversation was not opened"


def test_a_transcript_lists_voice_messages(browser, server, consumer, signed_in, long_speech):
    voice_messages.say(server, consumer, "Before it", long_speech)
    context = browser.new_context(
        locale="en-GB", storage_state=signed_in, permissions=["clipboard-read", "clipboard-write"]
    )
    agent = opened(AgentPage(context, server), server, consumer.conversation)
    agent.page.get_by_role("button", name="Copy transcript").click()
    expect(agent.page.get_by_text("Transcript copied")).to_be_attached()
    lines = agent.page.evaluate("navigator.clipboard.readText()").splitlines()
    said = [line for line in lines if " (consumer): " in line]
    assert said[0].endswith(": Before it") and "[audio message] " in said[1] and len(said) == 2, lines
    context.close()


def test_the_player_works_by_keyboard_alone(agent, server, consumer, long_speech):
    voice_messages.say(server, consumer, long_speech, long_speech)
    opened(agent, server, consumer.conversation)
    keyboard = agent.page.keyboard
    agent.page.locator("#messages").focus()
    keyboard.press("n")
    agent.page.wait_for_function("() => window.ears[0]?.currentTime > 0.2")
    keyboard.press("n")
    agent.page.wait_for_function("() => window.ears[1]?.currentTime > 0.2 && window.ears[0].paused")
    keyboard.press(".")
    agent.page.wait_for_function("() => window.ears[1].playbackRate === 1.25")
    keyboard.press(",")
    agent.page.wait_for_function("() => window.ears[1].playbackRate === 1")
    keyboard.press(" ")
    agent.page.wait_for_function("() => window.ears.every(audio => audio.paused)")
    slider(agent).focus()
    for key, name in (("Tab", SPEED), ("Tab", MORE)):
        keyboard.press(key)
        focused = agent.page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert re.match(name, focused), focused
    keyboard.press("Enter")
    expect(agent.page.get_by_role("menuitem", name="Download as MP3")).to_be_focused()
    keyboard.press("ArrowDown")
    expect(agent.page.get_by_role("menuitem", name="Download original")).to_be_focused()
    keyboard.press("Escape")
    expect(agent.messages.get_by_role("button", name=MORE).first).to_be_focused()


def test_catch_up_plays_unplayed_messages_in_order_and_shows_the_time_left(
    agent, server, consumer, microphone, tmp_path, figure
):
    short = [voice_messages.long_speech(microphone, tmp_path, seconds) for seconds in (4, 6)]
    voice_messages.say(server, consumer, *short)
    opened(agent, server, consumer.conversation)
    bar = agent.page.get_by_role("region", name="Catch up")
    expect(bar).to_contain_text(re.compile(r"0:10 of talk in 0:0\d"))
    agent.page.locator("#messages").focus()
    agent.page.keyboard.press("c")
    expect(bar).to_contain_text("Catching up: 1 of 2")
    agent.page.wait_for_function("() => window.ears[0]?.playbackRate === 1.5")
    expect(bar).to_contain_text("Catching up: 2 of 2")
    shown = re.search(r"0:10 of talk in 0:(\d\d)", bar.inner_text())
    assert shown and int(shown.group(1)) <= 7
    figure("N9", f"catch-up: {shown.group(0)}")
    agent.page.wait_for_function(
        "() => window.ears.length === 2 && window.ears.every(audio => audio.paused)"
    )
    expect(agent.messages.get_by_role("button", name=SPEED).first).to_have_text("1×")


MANY, AT_ONCE, LATER = 200, 20, 70


def test_two_hundred_voice_messages_are_all_there_and_load_when_they_are_played(
    browser, new_server, tmp_path, figure
):
    """Two hundred recordings that a consumer uploaded and sent one by one, as an agent
    gets them. Uploads have an allowance: the server's clock moves on, not the test's."""
    clock = Clock(tmp_path)
    server = new_server(clock.settings).start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    recording = voice_messages.tone(tmp_path, 500, 1)
    media = []
    for batch in range(MANY // AT_ONCE):
        clock.set(batch * LATER)
        media += voice_messages.say(server, consumer, *[recording] * AT_ONCE)
    events = wire.run(wire.read_whole(server.socket_url, consumer.token))
    assert [event["audio"]["media"] for event in events if "audio" in event] == media and len(set(media)) == MANY

    context = browser.new_context(locale="en-GB")
    context.add_init_script(voice_messages.EARS)
    agent = AgentPage(context, server).sign_in(demo, demo.agent)
    opened(agent, server, consumer.conversation)
    players = agent.messages.locator("earshot-audio")
    while (there := players.count()) < MANY:
        agent.messages.evaluate("box => box.scrollTo(0, 0)")
        agent.page.wait_for_function(
            "there => document.querySelectorAll('#messages earshot-audio').length > there", arg=there
        )
    assert players.count() == MANY, "each of them once"
    assert agent.page.evaluate("[window.ears.length, document.querySelectorAll('audio').length]") == [0, 0]
    agent.messages.evaluate("box => box.scrollTo(0, box.scrollHeight)")
    frame = agent.page.evaluate("""async () => {
        const box = document.getElementById('messages'); let worst = 0, last = performance.now();
        for (let i = 0; i < 60; i++) { box.scrollTop -= 200; await new Promise(requestAnimationFrame); \
const now = performance.now(); worst = Math.max(worst, now - last); last = now; }
        return worst; }""")
    play_button(agent, MANY - 1).click()
    agent.page.wait_for_function("() => window.ears.length === 1 && window.ears[0].played.length === 1")

    figure(
        "CA-16",
        f"{MANY} voice messages sent one by one: {players.count()} players, 1 audio element; slowest frame of a scroll "
        f"{frame:.0f} ms",
    )
    context.close()
    server.stop()


def assert_accessible(page: Page, state: str) -> None:
    found = Axe().run(page).response["violations"]
    told = [f"{one['id']} ({one['impact']}): {one['help']}: {one['nodes'][0]['html'][:200]}" for one in found]
    assert not told, f"{state}:\n" + "\n".join(told)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_a_player_is_accessible(browser, server, consumer, signed_in, long_speech, scheme):
    voice_messages.say(server, consumer, long_speech, long_speech)
    context = browser.new_context(locale="en-GB", storage_state=signed_in, color_scheme=scheme, reduced_motion="reduce")
    agent = opened(AgentPage(context, server), server, consumer.conversation)
    assert_accessible(agent.page, "idle, unplayed")
    agent.messages.get_by_role("button", name=SPEED).first.click()
    assert_accessible(agent.page, "speed menu")
    agent.page.keyboard.press("Escape")
    agent.messages.get_by_role("button", name=MORE).first.click()
    assert_accessible(agent.page, "download menu")
    agent.page.keyboard.press("Escape")
    agent.page.locator("#messages").focus()
    agent.page.keyboard.press("c")
    expect(agent.page.get_by_role("region", name="Catch up")).to_contain_text("Catching up")
    assert_accessible(agent.page, "catch-up")
    for scan in ("pending", "blocked", "failed"):
        agent.page.evaluate(
            "scan => { const player = document.querySelector('earshot-audio'); player.show({ms: 40000, wave: "
            "Array(64).fill(50), scan}, '', {media: 'x'}); }",
            scan,
        )
        assert_accessible(agent.page, scan)
    context.close()


def test_audio_that_fails_to_load_can_be_retried(agent, server, consumer, long_speech):
    voice_messages.say(server, consumer, long_speech)
    opened(agent, server, consumer.conversation)
    intercept(agent.page, "**/v1/media/**", lambda route: route.abort())
    play_button(agent).click()
    again = agent.messages.get_by_role("button", name=re.compile("Try again"))
    expect(again).to_be_visible()
    agent.page.unroute("**/v1/media/**")
    again.click()
    agent.page.wait_for_function("() => window.ears.some(audio => audio.currentTime > 0.2)")
