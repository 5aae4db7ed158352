"""Pressing and holding the microphone button starts hands-free recording; a short tap explains that."""

import pytest
from playwright.sync_api import expect

from support.browser.pages import RECORD, SEND_VOICE, ConsumerPage, from_second

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HINT = "Hold to record, or tap once more"


class Finger:
    """One finger on the page's glass."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def down(self, on) -> None:
        box = on.bounding_box()
        self.at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [self.at]})

    def move(self, x: float, y: float) -> None:
        self.session.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove", "touchPoints": [{"x": self.at["x"] + x, "y": self.at["y"] + y}]},
        )

    def up(self) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.fixture
def phone(browser, server):
    context = browser.new_context(locale="en-GB", **PHONE)
    yield ConsumerPage(context, server).open()
    context.close()


def timer(consumer: ConsumerPage):
    return consumer.widget.get_by_role("timer")


def test_a_long_press_starts_hands_free_recording(phone):
    finger = Finger(phone.page)
    finger.down(phone.widget.get_by_role("button", name=RECORD))
    expect(timer(phone)).to_be_visible()
    finger.up()
    # The finger is gone, and it goes on; where the finger was, nothing was pressed.
    expect(timer(phone)).to_have_text(from_second(3))
    expect(phone.recorder.get_by_text("Paused")).to_have_count(0)
    phone.page.touchscreen.tap(*middle(phone.widget.get_by_role("button", name=SEND_VOICE)))
    expect(phone.voice).to_be_visible()


def test_sliding_the_finger_away_keeps_recording(phone):
    finger = Finger(phone.page)
    finger.down(phone.widget.get_by_role("button", name=RECORD))
    expect(timer(phone)).to_be_visible()
    finger.move(-120, -200)
    finger.up()
    expect(timer(phone)).to_have_text(from_second(2))


def test_a_short_tap_explains_and_the_next_one_records(phone):
    mic = phone.widget.get_by_role("button", name=RECORD)
    phone.page.touchscreen.tap(*middle(mic))
    expect(phone.widget.get_by_text(HINT).first).to_be_visible()
    expect(timer(phone)).to_have_count(0)
    phone.page.touchscreen.tap(*middle(mic))
    expect(timer(phone)).to_have_text(from_second(1))


def middle(on) -> tuple[float, float]:
    box = on.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
