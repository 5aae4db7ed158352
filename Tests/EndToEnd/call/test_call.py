"""Calls between two real browsers on one machine: what one says the other hears, and both agree on the end."""

import re
import shutil
from statistics import median

import pytest
from playwright.sync_api import expect

from support.browser import device_storage
from support.browser.accessibility import assert_accessible
from support.browser.pages import AgentPage
from support.browser.calls import BARE, CLOCK, FRAMES, SPEAKING, Caller, BrandSide, heard, loudness, talking, turn_on
from support.voice import speech

OWN_FRAMES = "document.querySelector('.call-own').getVideoPlaybackQuality().totalVideoFrames"
TEXT = "My kettle leaks. Can you call me?"


@pytest.fixture(scope="module")
def launch(browser_type):
    """Launches Chromium with this file as its microphone."""
    launched = []

    def make(microphone, *more):
        browser = browser_type.launch(
            executable_path=shutil.which("chromium"),
            headless=True,
            args=[*SPEAKING, f"--use-file-for-fake-audio-capture={microphone}", *more],
        )
        launched.append(browser)
        return browser

    yield make
    for browser in launched:
        browser.close()


@pytest.fixture(scope="module")
def theirs(launch, microphone):
    # Two cameras, as a phone has.
    return launch(microphone, "--use-fake-device-for-media-stream=device-count=2")


@pytest.fixture(scope="module")
def ours(launch, other_speech):
    return launch(other_speech)


@pytest.fixture(scope="module")
def session(ours, server, demo):
    """What a browser keeps of an agent who signed in."""
    context = ours.new_context()
    AgentPage(context, server).sign_in(demo, demo.agent)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def sides(theirs, ours, server, demo, session, manager, request):
    """A customer and the agent who answers them."""
    turn_on(manager, voice=True, video=True, requests=True)
    text = f"{TEXT} ({request.node.name})"
    desktop = {"width": 1440, "height": 900}
    contexts = [
        # New consumers are throttled by their network address; the tests' own come from several.
        theirs.new_context(locale="en-US", storage_state=device_storage.newcomer(server, demo)),
        ours.new_context(locale="en-US", viewport=desktop, storage_state=session),
    ]
    caller = Caller(contexts[0], server, text)
    brand = BrandSide(contexts[1], server, demo, text)
    yield caller, brand
    for context in contexts:
        context.close()


def in_call(caller: Caller, brand: BrandSide, kind: str) -> None:
    brand.invite(kind)
    expect(caller.call.get_by_text(re.compile(f"invites you to a {kind} call"))).to_be_visible()
    caller.accept()
    talking(caller.call, brand.call)


def test_both_hear_each_other_and_mute_is_silence(sides, microphone, other_speech):
    caller, brand = sides
    brand.invite("voice")
    expect(caller.call.get_by_text("Dana invites you to a voice call")).to_be_visible()
    assert caller.frame.evaluate("window.opened.length") == 0, "the microphone is asked for after Accept"
    assert caller.frame.evaluate("window.tones") > 0, "it rings"
    assert_accessible(caller.consumer.page, "the invitation")
    caller.accept()
    talking(caller.call, brand.call)
    assert_accessible(brand.page, "the call")
    customer, agent = speech.decode(microphone), speech.decode(other_speech)
    at_brand, at_customer = heard(brand.page, 5), heard(caller.frame, 5)
    assert speech.likeness(at_brand, customer) >= speech.SAME > speech.likeness(at_brand, agent)
    assert speech.likeness(at_customer, agent) >= speech.SAME > speech.likeness(at_customer, customer)

    caller.press("Mute microphone")
    expect(brand.call.get_by_text(re.compile("is muted"))).to_be_visible()
    # What was said before still arrives.
    muted = heard(brand.page, 4)
    assert loudness(muted[len(muted) // 2 :]) < 0.01 < loudness(at_brand)
    caller.press("Unmute microphone")
    expect(brand.call.get_by_text(re.compile("is muted"))).to_have_count(0)

    brand.press("End call")
    for call in (caller.call, brand.call):
        expect(call).to_be_hidden()
    expect(caller.consumer.widget.get_by_text(re.compile(r"^Voice call, 0:\d\d$"))).to_be_visible()
    expect(brand.agent.messages.get_by_text(re.compile(r"^Voice call, 0:\d\d$"))).to_be_visible()
    for page in (caller.frame, brand.page):
        assert page.evaluate("window.opened.length && window.opened.every(track => track.readyState === 'ended')")


def test_pictures_arrive_and_a_camera_can_be_turned_off_and_on(sides):
    caller, brand = sides
    in_call(caller, brand, "video")
    theirs = brand.call.get_by_label(re.compile("^Camera of"))
    expect(theirs).to_be_visible()
    expect(caller.call.get_by_label("Camera of Dana")).to_be_visible()
    before = brand.page.evaluate(FRAMES)
    brand.page.wait_for_function(f"before => ({FRAMES})() > before + 10", arg=before)
    # The bar moves with what the customer says.
    brand.page.wait_for_function("() => parseFloat(document.querySelector('.call-level').style.scale) > 0.05")
    brand.press("Picture in picture")
    brand.page.wait_for_function("() => document.pictureInPictureElement?.className === 'call-theirs'")
    caller.press("Turn camera off")
    expect(theirs).to_be_hidden()
    caller.press("Turn camera on")
    expect(theirs).to_be_visible()
    before = brand.page.evaluate(FRAMES)
    brand.page.wait_for_function(f"before => ({FRAMES})() > before + 10", arg=before)
    caller.press("End call")
    expect(brand.call).to_be_hidden()


def test_a_declined_and_a_cancelled_invitation_say_so_on_both_sides(sides):
    caller, brand = sides
    brand.invite("voice")
    caller.press("Decline")
    expect(caller.consumer.widget.get_by_text("Voice call declined")).to_be_visible()
    expect(brand.agent.messages.get_by_text(re.compile("declined the call"))).to_be_visible()
    expect(brand.call).to_be_hidden()
    brand.invite("voice")
    expect(caller.call.get_by_role("button", name="Accept")).to_be_visible()
    brand.press("Cancel call")
    expect(caller.call).to_be_hidden()
    missed = caller.consumer.widget.get_by_text("Voice call missed")
    expect(missed).to_be_visible()
    caller.consumer.widget.get_by_role("button", name="Leave a voice message").last.click()
    expect(caller.consumer.widget.get_by_role("timer")).to_be_visible()


def test_a_reload_returns_to_the_call(sides, microphone):
    caller, brand = sides
    in_call(caller, brand, "voice")
    caller.consumer.page.reload()
    caller.consumer.open_anyhow()
    talking(caller.call, brand.call)
    assert speech.likeness(heard(brand.page, 5), speech.decode(microphone)) >= speech.SAME
    caller.press("End call")
    expect(brand.call).to_be_hidden()


def test_a_closed_page_ends_the_call_on_the_other_side(sides):
    caller, brand = sides
    in_call(caller, brand, "voice")
    brand.page.get_by_role("button", name=re.compile("^Transfer")).click()
    expect(brand.page.get_by_role("alert").get_by_text("There is a call. A transfer ends it.")).to_be_visible()
    brand.page.get_by_role("button", name="Cancel").click()
    brand.page.get_by_role("button", name="Close conversation").click()
    expect(brand.page.get_by_text("Closing the conversation ends it")).to_be_visible()
    brand.page.get_by_role("button", name="Cancel").click()
    caller.consumer.page.close()
    expect(brand.call).to_be_hidden()
    expect(brand.agent.messages.get_by_text(re.compile(r"^Voice call, 0:\d\d$"))).to_be_visible()


def test_of_two_tabs_one_answers(sides, server):
    caller, brand = sides
    second = Caller.__new__(Caller)
    context = caller.consumer.page.context
    second.consumer = type(caller.consumer)(context, server).open()
    brand.invite("voice")
    for tab in (caller, second):
        expect(tab.call.get_by_role("button", name="Accept")).to_be_visible()
    caller.accept()
    talking(caller.call, brand.call)
    expect(second.call.get_by_text(re.compile("in this call in another tab"))).to_be_visible()
    caller.press("End call")
    for call in (second.call, brand.call):
        expect(call).to_be_hidden()


def test_a_closed_widget_shows_that_somebody_calls(sides):
    caller, brand = sides
    caller.consumer.widget.get_by_role("button", name="Close").click()
    expect(caller.consumer.launcher).to_have_attribute("aria-expanded", "false")
    brand.invite("voice")
    expect(caller.consumer.launcher).to_have_accessible_name("Messages (1)")
    caller.consumer.launcher.click()
    caller.accept()
    talking(caller.call, brand.call)
    caller.press("End call")
    expect(brand.call).to_be_hidden()
    expect(caller.consumer.launcher).to_have_accessible_name("Messages")


def test_a_customer_asks_to_be_called(sides):
    caller, brand = sides
    menu = caller.consumer.widget.get_by_role("button", name="Options")
    menu.click()
    caller.consumer.widget.get_by_role("menuitem", name="Ask for a voice call").click()
    expect(caller.consumer.widget.get_by_text("You asked to be called")).to_be_visible()
    menu.click()
    expect(caller.consumer.widget.get_by_role("menuitem", name="End conversation")).to_be_visible()
    expect(caller.consumer.widget.get_by_role("menuitem", name="Ask for a voice call")).to_have_count(0)
    caller.consumer.widget.get_by_role("menuitem", name="End conversation").press("Escape")
    wish = brand.page.get_by_role("button", name="Start a voice call. Wants a call · just now")
    expect(wish).to_be_visible()
    wish.click()
    caller.accept()
    talking(caller.call, brand.call)
    expect(wish).to_have_count(0)
    brand.press("End call")
    expect(caller.call).to_be_hidden()
    menu.click()
    expect(caller.consumer.widget.get_by_role("menuitem", name="Ask for a voice call")).to_be_visible()


def test_nobody_can_ask_for_a_call_where_the_brand_does_not_allow_it(sides, manager):
    caller, _ = sides
    turn_on(manager, requests=False)
    menu = caller.consumer.widget.get_by_role("button", name="Options")
    entries = caller.consumer.widget.get_by_role("menuitem")

    def open_menu():
        menu.click()
        expect(entries.last).to_have_text("End conversation")

    open_menu()
    expect(entries).to_have_count(1)
    turn_on(manager, requests=True, video=False)
    entries.last.press("Escape")
    open_menu()
    expect(entries).to_have_text(["Ask for a voice call", "End conversation"])


def test_a_recording_is_kept_when_a_call_begins(sides):
    caller, brand = sides
    caller.consumer.record(2)
    brand.invite("voice")
    caller.accept()
    talking(caller.call, brand.call)
    expect(caller.consumer.recorder.get_by_text("Your recording is saved")).to_be_visible()
    caller.press("End call")
    expect(brand.call).to_be_hidden()
    caller.consumer.send_voice()


def test_an_agent_shows_the_screen_and_is_still_heard(sides, other_speech):
    caller, brand = sides
    in_call(caller, brand, "video")
    brand.press("Share screen")
    expect(brand.call.get_by_role("button", name="Stop sharing")).to_be_visible()
    shown = caller.frame.locator(".call-theirs")
    expect(shown).to_have_attribute("aria-label", "Screen of Dana")
    before = caller.frame.evaluate(FRAMES)
    assert speech.likeness(heard(caller.frame, 5), speech.decode(other_speech)) >= speech.SAME
    assert caller.frame.evaluate(FRAMES) > before + 5
    brand.press("Stop sharing")
    expect(shown).to_have_attribute("aria-label", "Camera of Dana")
    caller.press("End call")
    expect(brand.call).to_be_hidden()


def test_of_two_cameras_the_other_one_can_be_taken(sides):
    caller, brand = sides
    in_call(caller, brand, "video")
    label = "window.opened.filter(track => track.kind === 'video').at(-1).label"
    first = caller.frame.evaluate(label)
    expect(brand.call.get_by_role("button", name="Switch camera")).to_have_count(0)
    caller.press("Switch camera")
    expect(caller.call.get_by_role("button", name="Turn camera off")).to_be_visible()
    # Only the own picture: on a bare page, too, Chromium sends no frame of its second fake camera.
    while caller.frame.evaluate(label) == first or caller.frame.evaluate(OWN_FRAMES) < 10:
        pass
    open_cameras = "window.opened.filter(track => track.kind === 'video' && track.readyState === 'live').length"
    assert caller.frame.evaluate(open_cameras) == 1
    caller.press("End call")
    expect(brand.call).to_be_hidden()
    assert caller.frame.evaluate("window.opened.every(track => track.readyState === 'ended')")


def test_a_call_is_offered_only_while_it_can_work(sides, server):
    caller, brand = sides
    button = brand.page.get_by_role("button", name="Start a voice call")
    expect(button).to_be_enabled()
    assert caller.frame.evaluate("window.opened.length") == 0

    block(caller.consumer.page, "microphone")
    caller.consumer.page.reload()
    brand.page.reload()
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("title", re.compile("has blocked the microphone for this page"))

    caller.consumer.page.close()
    brand.page.reload()
    expect(button).to_have_attribute("title", re.compile("doesn’t have the page open right now"))
    expect(button).to_be_disabled()
    button.click(force=True)
    expect(brand.page.get_by_role("status").get_by_text("have the page open right now")).to_be_visible()
    expect(brand.call).to_have_count(0)


def test_a_customer_without_a_camera_is_called_all_the_same(sides):
    caller, brand = sides
    block(caller.consumer.page, "camera")
    caller.consumer.page.reload()
    brand.page.reload()
    button = brand.page.get_by_role("button", name="Start a video call")
    expect(button).to_have_attribute("title", re.compile("has no camera. They will see you"))
    expect(button).to_be_enabled()


def test_the_other_side_is_told_that_the_phone_took_the_microphone(sides):
    caller, brand = sides
    in_call(caller, brand, "voice")
    muted = brand.call.get_by_text(re.compile("is muted"))
    # What a browser does when the phone rings; the fake microphone never does it.
    caller.frame.evaluate("window.opened.at(-1).dispatchEvent(new Event('mute'))")
    expect(muted).to_be_visible()
    caller.frame.evaluate("window.opened.at(-1).dispatchEvent(new Event('unmute'))")
    expect(muted).to_have_count(0)
    caller.press("End call")
    expect(brand.call).to_be_hidden()


def test_another_microphone_can_be_chosen_in_a_call(sides, other_speech):
    caller, brand = sides
    in_call(caller, brand, "voice")
    choice = brand.call.get_by_role("combobox", name="Microphone")
    label = "window.opened.at(-1).label"
    first = brand.page.evaluate(label)
    labels = choice.locator("option").all_inner_texts()
    choice.select_option(next(one for one in labels if one != first))
    brand.page.wait_for_function(f"first => ({label}) !== first", arg=first)
    assert brand.page.evaluate("window.opened.filter(track => track.readyState === 'live').length") == 1
    assert speech.likeness(heard(caller.frame, 5), speech.decode(other_speech)) >= speech.SAME
    caller.press("End call")
    expect(brand.call).to_be_hidden()


def test_the_first_sound_comes_about_as_soon_as_without_earshot(sides, nightly, figure):
    caller, brand = sides
    for page in (caller.consumer.page, brand.page):
        page.context.add_init_script(f"({CLOCK})()")
        page.reload()
    caller.consumer.open_anyhow()
    ours, bare = [], []
    for _ in range(5 if nightly else 1):
        in_call(caller, brand, "voice")
        ours.append(caller.frame.evaluate("window.sound.arrived - window.sound.clicked"))
        brand.press("End call")
        expect(caller.call).to_be_hidden()
        bare.append(caller.frame.evaluate(BARE))
    figure("calls", f"from Accept to the first sound: {median(ours):.0f} ms, without Earshot {median(bare):.0f} ms")
    # How long it takes is judged where the machine has nothing else to do.
    if nightly:
        assert median(ours) <= median(bare) + 150, (ours, bare)


def block(page, name: str) -> None:
    """The person has blocked this device for the page's widget."""
    session = page.context.new_cdp_session(page)
    where = session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    session.send(
        "Browser.setPermission", {"permission": {"name": name}, "setting": "denied", "browserContextId": where}
    )
