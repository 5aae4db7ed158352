"""What the widget says about who is there and by when an answer comes: before the first word, while the consumer waits,
and when it takes longer. Each fact once, by the reader's clock, and never cut."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from support import api, contact_centre, wire
from support.browser.pages import ConsumerPage

SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
TIME = re.compile(r"\b\d{1,2}:\d\d(?:\s?(?:AM|PM))?")


class Shop:
    """A brand with one skill, of which Dana alone is in charge."""

    def __init__(self, server, demo):
        self.server, self.demo = server, demo
        people = contact_centre.people(server, demo, "dana", "mira")
        self.dana, self.manager = people["dana"], people["mira"]
        self.put("rules", [])
        self.put("automatic", [])
        self.set(opens=True)
        self.put("people", [{"agent": self.dana.id, "skills": ["front"], "capacity": 4}])

    def put(self, section: str, value) -> None:
        contact_centre.put(self.manager, section, value)

    def set(self, opens: bool, **sla: int) -> None:
        """Around the clock, or on no day of the next week but the last."""
        far = (datetime.now(timezone.utc) + timedelta(days=6)).isoweekday()
        week = [{"day": day, "from": 0, "to": 1440} for day in (range(1, 8) if opens else [far])]
        self.put("hours", [{"id": "h", "name": "Hours", "zone": "UTC", "week": week, "holidays": []}])
        sla = {"usual": 900, "urgent": 300, "first": 600, **sla}
        self.put("skills", [contact_centre.skill("front", default=True, hours="h", sla=sla)])

    def dana_is(self, state: str) -> None:        contact_centre.set_presence(self.server, self.dana, state)


@pytest.fixture(scope="module")
def shop(server, demo):
    return Shop(server, demo)


@pytest.fixture(params=SIZES)
def new_page(request, browser, server):
    contexts = []

    def make(**more) -> ConsumerPage:
        more = {"locale": "en-US", "timezone_id": "Europe/Berlin", "reduced_motion": "reduce", **more}
        contexts.append(browser.new_context(viewport=SIZES[request.param], **more))
        return ConsumerPage(contexts[-1], server).open()

    yield make
    for context in contexts:
        context.close()


def header(page: ConsumerPage):
    return page.widget.get_by_role("banner").get_by_role("paragraph")


def assert_uncut(page: ConsumerPage) -> None:
    """Header and line below the messages are whole, and lie on nothing."""
    boxes = page.frame.evaluate(
        """() => Object.fromEntries([".head", ".status", ".scroller", ".typing", ".foot"].map((name) => {
            const found = document.querySelector(name), box = found.getBoundingClientRect();
            const cut = found.scrollHeight > found.clientHeight + 1 || found.scrollWidth > found.clientWidth + 1;
            return [name, { top: box.top, bottom: box.bottom, left: box.left, right: box.right, cut }];
        }))"""
    )
    assert not boxes[".status"]["cut"] and not boxes[".typing"]["cut"], boxes
    assert boxes[".status"]["bottom"] <= boxes[".head"]["bottom"], boxes
    assert boxes[".scroller"]["bottom"] <= boxes[".typing"]["top"] + 1, boxes
    assert boxes[".typing"]["bottom"] <= boxes[".foot"]["top"] + 1, boxes


def all_words(page: ConsumerPage) -> str:
    """Without what only screen readers hear."""
    return page.frame.evaluate("() => [...document.querySelectorAll('.head, .list')].map(e => e.innerText).join('\\n')")


def test_says_before_the_first_word_who_is_there(shop, new_page):
    shop.set(opens=True)
    shop.dana_is("away")
    expect(header(new_page())).to_have_text("Nobody is here right now. Leave a message.")
    shop.dana_is("online")
    page = new_page()
    expect(header(page)).to_have_text("We’re here, and reply within 10 minutes")
    assert_uncut(page)
    shop.set(opens=False)
    page = new_page()
    expect(header(page)).to_have_text(re.compile(r"^Closed until 1:00\sAM (on \w+day|\w+)\. Leave a message\.$"))
    assert_uncut(page)


def test_of_a_closed_shop_it_says_once_when_it_opens_and_does_not_promise_before(shop, new_page):
    shop.set(opens=False)
    text = "Leave us a message. We answer by {expectedResponseTime}."
    shop.put("automatic", [{"id": "a", "on": "offHoursFirst", "text": text, "enabled": True}])
    page = new_page()
    page.say("Do you have tents?")
    expect(header(page)).to_have_text(re.compile(r"^We’re closed right now\. We’ll be back on \w+day at 1:00\sAM$"))
    expect(page.text("We answer by")).to_be_visible()
    words = all_words(page)
    assert words.count("closed") == 1, words
    times = TIME.findall(words)
    assert len(times) >= 3 and all(re.search("[AP]M$", time) for time in times), "one clock, the reader's: " + words
    assert_uncut(page)
    shop.put("automatic", [])


def test_says_that_it_takes_longer_than_was_said(shop, new_page):
    shop.set(opens=True, first=10)
    shop.dana_is("online")
    page = new_page()
    page.say("Where is my parcel?")
    expect(header(page)).to_have_text(re.compile(r"^We’ll reply by \d"))
    expect(header(page)).to_have_text(
        re.compile(r"^Sorry, it takes longer than we said\. We’ll reply by \d{1,2}:\d\d\s[AP]M$")
    )
    assert_uncut(page)
    # Somebody who comes back is told the same.
    page.page.reload()
    expect(header(page.open())).to_have_text(re.compile("^Sorry, it takes longer than we said"))


def test_does_not_say_that_it_is_closed_over_the_name_of_who_answers(shop, new_page):
    shop.set(opens=True)
    shop.dana_is("online")
    page = new_page()
    page.say("Which gas fits?")

    async def take() -> None:
        dana = await contact_centre.AgentConnection(shop.dana).sit(shop.server)
        row = next(c for c, row in dana.rows.items() if "Which gas fits?" in str(row) and row["status"] == "waiting")
        await dana.asks(row, take={})
        await dana.link.close()

    wire.run(take())
    expect(header(page)).to_have_text(re.compile("^You’re chatting with Dana"))
    shop.set(opens=False)
    page.say("Or none?")
    expect(page.text("Or none?")).to_be_visible()
    expect(header(page)).to_have_text(re.compile("^You’re chatting with Dana"))
    assert "closed" not in all_words(page)


def test_the_counter_of_a_text_that_is_too_long_lies_on_nothing(shop, new_page):
    shop.set(opens=True)
    page = new_page()
    page.say("Hello")
    page.composer.fill("x" * 2499)
    counter = page.widget.locator("#counter")
    expect(counter).to_have_text("499 characters too many")
    assert_uncut(page)
    line = page.widget.locator(".typing").bounding_box()
    assert counter.bounding_box()["y"] >= line["y"] + line["height"] - 1
