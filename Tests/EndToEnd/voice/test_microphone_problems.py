"""Each problem with a microphone is recognised and explained with a way to fix it, and leaves no microphone open."""

import re
import shutil
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, expect

from support.brand_site import Site
from support.browser import device_storage
from support.browser.pages import RECORD, SEND_VOICE, STOP, ConsumerPage, from_second, seconds_of
from support.command import add_app
from support.voice import speech

FAKE_DEVICE, FAKE_YES = "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"
# Remembers every stream that the page got, so that a test can see whether one is still open.
WATCHED = """window.streams = []; const real = navigator.mediaDevices?.getUserMedia?.bind(navigator.mediaDevices);
  if (real) navigator.mediaDevices.getUserMedia = async c => { window.asked = c; const s = await real(c); \
window.streams.push(s); return s; };"""
OPEN = "window.streams.flatMap(s => s.getTracks()).filter(t => t.readyState === 'live').length"


@pytest.fixture
def launch(browser_type):
    """Launches Debian's Chromium with exactly these devices and answers."""
    launched = []

    def make(*arguments: str):
        browser = browser_type.launch(
            executable_path=shutil.which("chromium"),
            headless=True,
            args=[*arguments, "--autoplay-policy=no-user-gesture-required"],
        )
        launched.append(browser)
        return browser

    yield make
    for browser in launched:
        browser.close()


@pytest.fixture
def newcomer(server, demo):
    return partial(device_storage.newcomer, server, demo)


def shop(context: BrowserContext, server, script: str = "") -> ConsumerPage:
    context.add_init_script(WATCHED + script)
    return ConsumerPage(context, server).open()


def press(consumer: ConsumerPage) -> None:
    consumer.widget.get_by_role("button", name=RECORD).click()


def says(consumer: ConsumerPage, words: str) -> None:
    expect(consumer.recorder).to_contain_text(words)
    assert consumer.frame.evaluate(OPEN) == 0, "a microphone stayed open"


def can_still_write(consumer: ConsumerPage) -> None:
    consumer.recorder.get_by_role("button", name="Close").click()
    consumer.say("then I write")


def test_no_microphone(launch, server, newcomer):
    consumer = shop(launch(FAKE_YES).new_context(storage_state=newcomer()), server)
    press(consumer)
    says(consumer, "No microphone was found")
    expect(consumer.recorder.get_by_role("button", name="Try again")).to_be_focused()
    can_still_write(consumer)


def test_a_press_before_the_conversation_is_there_is_not_lost(launch, server):
    """On a slow line the microphone can be pressed before the server has answered who this consumer is."""
    context = launch(FAKE_DEVICE, FAKE_YES).new_context()
    held = []
    context.route("**/v1/consumers", lambda route: held.append(route))
    consumer = ConsumerPage(context, server)
    with consumer.page.expect_response(re.compile(r"recorder-manager.*\.js")):
        consumer.open()
        press(consumer)
    expect(consumer.widget.get_by_role("button", name=RECORD)).to_have_attribute("aria-busy", "true")
    assert len(held) == 1
    held[0].continue_()
    expect(consumer.recorder.get_by_role("button", name=SEND_VOICE)).to_be_visible()


def test_a_denied_permission_says_how_to_grant_it_and_needs_no_reload(launch, server, newcomer):
    browser = launch(FAKE_DEVICE)
    context = browser.new_context(storage_state=newcomer())
    permit = browser.new_browser_cdp_session()
    consumer = shop(context, server)
    consumer.frame.evaluate("window.here = 1")
    where = next(
        info["browserContextId"]
        for info in permit.send("Target.getTargets")["targetInfos"]
        if info["type"] == "page" and server.url in info["url"]
    )
    permission = {"permission": {"name": "microphone"}, "origin": server.url, "browserContextId": where}
    permit.send("Browser.setPermission", {**permission, "setting": "denied"})
    press(consumer)
    says(consumer, "The microphone is blocked for this page. Click the icon at the left of the address")
    permit.send("Browser.setPermission", {**permission, "setting": "granted"})
    says(consumer, "The microphone is allowed now")
    consumer.recorder.get_by_role("button", name="Try again").click()
    expect(consumer.widget.get_by_role("timer")).to_have_text(from_second(1))
    assert consumer.frame.evaluate("window.here") == 1, "the page was not reloaded"


def answered_with(route, **headers) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, headers={**answer.headers, **headers})


def test_a_page_whose_policy_forbids_the_microphone(launch, server, newcomer):
    context = launch(FAKE_DEVICE, FAKE_YES).new_context(storage_state=newcomer())
    context.route(re.compile("/demo/"), lambda route: answered_with(route, **{"permissions-policy": "microphone=()"}))
    consumer = shop(context, server)
    press(consumer)
    says(consumer, "The page around this chat does not let it use the microphone")
    can_still_write(consumer)


@pytest.fixture
def brand():
    """A brand's own site, at another address than ours."""
    site = Site()

    def serve(page: str) -> str:
        site.page = page
        return f"{site.origin}/"

    yield serve
    site.close()


def test_an_iframe_that_does_not_allow_the_microphone(launch, server, demo, brand):
    """The shop of a brand at another address, whose own embedding forgot the allow list."""
    context = launch(FAKE_DEVICE, FAKE_YES).new_context()
    context.add_init_script("Object.defineProperty(HTMLIFrameElement.prototype, 'allow', {set() {}});")
    context.add_init_script(WATCHED)
    app = add_app(server, demo, "framed", brand("").rstrip("/"))
    page = context.new_page()
    page.goto(
        brand(
            f"<!doctype html><title>A shop</title><script src='{server.url}/loader.js' data-account='{app.account}' "
            f"data-app='{app.app}'></script>"
        )
    )
    consumer = ConsumerPage.of(page).open()
    press(consumer)
    says(consumer, "The page around this chat does not let it use the microphone")


def test_our_own_origin_forbids_the_microphone(launch, server, newcomer):
    context = launch(FAKE_DEVICE, FAKE_YES).new_context(storage_state=newcomer())
    context.route(
        re.compile("/widget/\\?"), lambda route: answered_with(route, **{"permissions-policy": "microphone=()"})
    )
    context.add_init_script(WATCHED)
    page = context.new_page()
    page.goto(f"{server.url}/widget/?account=demo&app=shop")
    page.get_by_role("button", name=RECORD).click()
    expect(page.get_by_role("group", name=RECORD)).to_contain_text("Permissions-Policy")


def test_a_page_without_https(launch, server):
    """Any other name than localhost is no safe place without TLS."""
    browser = launch(FAKE_DEVICE, FAKE_YES, "--host-resolver-rules=MAP chat.test 127.0.0.1")
    context = browser.new_context()
    # The server does not know that name; for this test it need not.
    context.route("**/v1/consumers", lambda route: route.fulfill(response=route.fetch(
        url=f"{server.url}/v1/consumers", headers={**route.request.headers, "origin": server.url})))
    page = context.new_page()
    page.goto(f"http://chat.test:{server.port}/widget/?account=demo&app=shop")
    page.get_by_role("button", name=RECORD).click()
    expect(page.get_by_role("group", name=RECORD)).to_contain_text(
        "Recording needs a secure connection (https)"
    )


FAILS = """navigator.mediaDevices.getUserMedia = async () => { throw new DOMException(%r, %r); };"""


@pytest.mark.parametrize("name, message, words", [
    ("NotReadableError", "Could not start audio source", "Another program is using the microphone"),
    ("NotAllowedError", "Permission dismissed", "The microphone prompt was dismissed. Try again, and choose “Allow”."),
    ("NotAllowedError", "Permission denied by system", "Your computer does not let this browser use the microphone"),
])
def test_problems_that_only_a_person_or_hardware_causes(launch, server, newcomer, name, message, words):
    consumer = shop(launch(FAKE_DEVICE).new_context(storage_state=newcomer()), server, FAILS % (message, name))
    press(consumer)
    says(consumer, words)


def test_a_browser_that_cannot_record(launch, server, newcomer):
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES).new_context(storage_state=newcomer()), server, "delete window.MediaRecorder;"
    )
    press(consumer)
    says(consumer, "This browser cannot record sound")


def wave(path, *effect: str):
    speech.need("sox")
    speech.run("sox", "-n", "-r", "48000", "-c", "1", "-b", "16", str(path), *effect)
    return path


def test_a_microphone_that_is_silent_is_noticed_and_another_can_be_chosen(launch, server, newcomer, tmp_path):
    silence = wave(tmp_path / "silence.wav", "trim", "0", "10")
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={silence}").new_context(
            storage_state=newcomer()
        ),
        server,
    )
    press(consumer)
    expect(consumer.recorder).to_contain_text("We can’t hear anything")
    menu = consumer.recorder.get_by_role("combobox", name="Microphone")
    expect(menu).to_be_visible()
    other = menu.locator("option").last.get_attribute("value")
    menu.select_option(other)
    consumer.frame.wait_for_function("device => window.asked.audio.deviceId?.exact === device", arg=other)
    expect(consumer.widget.get_by_role("timer")).to_have_text(re.compile("^0:0[01]"))
    assert consumer.frame.evaluate(OPEN) == 1, "the silent one was closed"


def test_a_quiet_voice_is_not_reported_as_silence(launch, server, newcomer, microphone):
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={microphone}").new_context(
            storage_state=newcomer()
        ),
        server,
    )
    consumer.record(5)
    expect(consumer.recorder).not_to_contain_text("We can’t hear anything")
    expect(consumer.recorder).not_to_contain_text("very loud")


def test_a_distorted_voice_is_noticed(launch, server, newcomer, tmp_path):
    loud = wave(tmp_path / "loud.wav", "synth", "10", "square", "300", "gain", "-n", "0")
    script = """const ask = navigator.mediaDevices.getUserMedia; navigator.mediaDevices.getUserMedia = () =>
      ask({audio: {echoCancellation: false, noiseSuppression: false, autoGainControl: false}});"""
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={loud}").new_context(
            storage_state=newcomer()
        ),
        server,
        script,
    )
    press(consumer)
    expect(consumer.recorder).to_contain_text("very loud")


def test_unplugging_the_microphone_keeps_the_recording(launch, server, newcomer, microphone):
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={microphone}").new_context(
            storage_state=newcomer()
        ),
        server,
    )
    consumer.record(3)
    consumer.frame.evaluate(
        "for (const track of window.streams.at(-1).getTracks()) { track.stop(); track.dispatchEvent(new "
        "Event('ended')); }"
    )
    says(consumer, "The microphone was disconnected. Your recording is saved.")
    consumer.send_voice()
    assert seconds_of(consumer.voice.get_attribute("aria-label")) >= 3


@pytest.mark.parametrize("way", ["stop", "send", "delete", "close the widget", "leave the page"])
def test_every_way_to_end_a_recording_closes_the_microphone(launch, server, newcomer, microphone, way):
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={microphone}").new_context(
            storage_state=newcomer()
        ),
        server,
    )
    consumer.record(1)
    assert consumer.frame.evaluate(OPEN) == 1, "the premise: it is open"
    frame = consumer.frame
    if way == "leave the page":
        frame.evaluate("dispatchEvent(new Event('pagehide'))")
    elif way == "close the widget":
        consumer.widget.get_by_role("button", name="Close messages").click()
    else:
        consumer.widget.get_by_role(
            "button", name={"stop": STOP, "send": SEND_VOICE, "delete": "Delete recording"}[way]
        ).click()
    frame.wait_for_function(f"() => {OPEN} === 0")


@pytest.mark.parametrize(
    "why, words, script",
    [
        (
            "none",
            "This browser can’t save your recording",
            "Object.defineProperty(window, 'indexedDB', {get() { throw new DOMException('', 'SecurityError'); }});",
        ),
        (
            "full",
            "This device is full",
            "IDBObjectStore.prototype.put = function () { throw new DOMException('', 'QuotaExceededError'); };",
        ),
    ],
)
def test_a_device_without_storage_still_records_and_says_so(launch, server, newcomer, microphone, why, words, script):
    consumer = shop(
        launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={microphone}").new_context(
            storage_state=newcomer()
        ),
        server,
        script,
    )
    press(consumer)
    expect(consumer.recorder).to_contain_text(words)
    expect(consumer.widget.get_by_role("timer")).to_have_text(from_second(3))
    consumer.send_voice()


# The switches, in the page


def with_settings(context: BrowserContext, audio: dict) -> None:
    def answer(route):
        response = route.fetch()
        body = response.json()
        body["settings"] = {"v": 1000, "audio": {"on": True, "ms": 120_000, "keep": 20, **audio}}
        route.fulfill(response=response, json=body)

    context.route(re.compile("/v1/consumers"), answer)


@pytest.mark.parametrize(
    "why, words",
    [
        ("brand", "Voice messages are turned off."),
        ("role", "Voice messages are turned off for you."),
        ("channel", "Voice messages are turned off here."),
    ],
)
def test_a_microphone_disabled_by_the_brand_says_why(launch, server, newcomer, why, words):
    context = launch(FAKE_DEVICE, FAKE_YES).new_context(storage_state=newcomer())
    with_settings(context, {"on": False, "why": why})
    consumer = shop(context, server)
    mic = consumer.widget.get_by_role("button", name=f"{RECORD}. {words}")
    expect(mic).to_have_attribute("aria-disabled", "true")
    mic.click(force=True)
    expect(consumer.widget.get_by_text(words).first).to_be_visible()
    expect(consumer.recorder).to_be_hidden()


@pytest.mark.parametrize("embedding", [
    "<script src='/loader.js' data-account='demo' data-app='shop' data-enable-audio-sharing='false'></script>",
    "<script src='/loader.js'></script><script src='/off.js'></script>",
])
def test_a_page_switches_voice_messages_off(launch, server, newcomer, embedding):
    context = launch(FAKE_DEVICE, FAKE_YES).new_context(storage_state=newcomer())
    context.route(
        re.compile("/demo/$"),
        lambda route: route.fulfill(body=f"<!doctype html><title>A shop</title>{embedding}", content_type="text/html"),
    )
    context.route("**/off.js", lambda route: route.fulfill(
        body="Earshot.init({account: 'demo', app: 'shop', enableAudioSharing: false})", content_type="text/javascript"))
    consumer = shop(context, server)
    mic = consumer.widget.get_by_role("button", name=f"{RECORD}. Voice messages are turned off on this page.")
    expect(mic).to_have_attribute("aria-disabled", "true")


def test_the_brands_limit_ends_a_recording_with_an_explanation(launch, server, newcomer, microphone):
    context = launch(FAKE_DEVICE, FAKE_YES, f"--use-file-for-fake-audio-capture={microphone}").new_context(
        storage_state=newcomer()
    )
    with_settings(context, {"ms": 15_000})
    consumer = shop(context, server)
    press(consumer)
    expect(consumer.recorder).to_contain_text("10 s left")
    expect(consumer.widget.get_by_role("timer")).to_have_text(re.compile("^0:0[4-9]"))
    expect(consumer.recorder).to_contain_text("That is the longest a voice message can be")
    consumer.send_voice()
    assert 14 <= seconds_of(consumer.voice.get_attribute("aria-label")) <= 15
