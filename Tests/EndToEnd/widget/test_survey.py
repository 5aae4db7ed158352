"""The consumer's side of the contact centre: expected answer times, ending, the survey, and writing again."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support import api, contact_centre, wire
from support.browser.device_storage import identity
from support.browser.pages import CLOSED, RECORD, ConsumerPage, from_second

ALWAYS = [{"day": day, "from": 0, "to": 1440} for day in range(1, 8)]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture(scope="module")
def manager(server, demo) -> api.Agent:
    """Makes every skill ask, so that the end of any conversation is followed by a survey."""
    made = api.Agent(server.url, demo.account, demo.manager)
    now = made.session.get(f"{server.url}/v1/centre", timeout=20).json()
    for section, value in (
        (
            "survey",
            {"on": True, "csat": True, "nps": True, "words": True, "question": "How did we do?", "openSeconds": 3600},
        ),
        ("skills", [{**skill, "survey": True, "disposition": "off"} for skill in now["skills"]]),
    ):
        answer = made.session.put(
            f"{server.url}/v1/centre/{section}", json={"v": now["v"], "value": value}, headers=made.headers, timeout=20
        )
        assert answer.status_code == 200, answer.text
        now = answer.json()
    return made


@pytest.fixture
def consumer_page(browser, server, demo, manager):
    """A widget whose consumer began elsewhere: how many may begin from one address is limited."""
    body = (
        api.fresh_client()
        .post(f"{server.url}/v1/consumers", json={"account": demo.account, "app": demo.app}, timeout=20)
        .text
    )
    known = {
        "origins": [
            {"origin": server.url, "localStorage": [{"name": f"earshot.{demo.account}.{demo.app}.me", "value": body}]}
        ]
    }
    context = browser.new_context(
        reduced_motion="reduce", timezone_id="Europe/Berlin", locale="en-GB", storage_state=known
    )
    page = ConsumerPage(context, server).open()
    yield page
    context.close()


def answered(page: ConsumerPage, server, agent: api.Agent, text: str) -> None:
    """The consumer says it, and the agent takes the conversation and answers: only who was answered is asked how it
    was."""
    page.say(text)

    async def answer() -> None:
        link = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()})
        await link.until("ready")
        c = found(agent, text)["c"]
        for number, frame in enumerate(
            ({"take": api.new_id(), "c": c}, {"send": api.new_id(), "c": c, "text": f"An answer to: {text}"})
        ):
            await link.send(frame)
            done = await link.until("ok", "no")
            assert "ok" in done, (number, done)
        await link.close()

    wire.run(answer())
    expect(page.text(f"An answer to: {text}")).to_be_visible()


def found(agent: api.Agent, text: str) -> dict:
    """The conversation in which it was said. Searching is eventually right: polls, by requests that take their time."""
    for _ in range(100):
        rows = agent.session.get(f"{agent.base}/v1/search", params={"q": text}, timeout=20).json()["rows"]
        if len(rows) == 1:
            return rows[0]
    raise AssertionError(f"{text} is not found")


def end(page: ConsumerPage) -> None:
    page.widget.get_by_role("button", name="Options").click()
    page.widget.get_by_role("menuitem", name="End conversation").click()
    page.widget.get_by_role("button", name="End", exact=True).click()
    expect(page.text(CLOSED)).to_be_visible()


@pytest.fixture
def open_around_the_clock(manager):
    hours = manager.session.get(f"{manager.base}/v1/centre", timeout=20).json()["hours"]
    contact_centre.put(manager, "hours", [{**one, "week": ALWAYS, "holidays": []} for one in hours])
    yield
    contact_centre.put(manager, "hours", hours)


def test_a_consumer_is_told_the_time_by_which_an_answer_is_expected(consumer_page, server, open_around_the_clock):
    began = datetime.now(BERLIN)
    consumer_page.say("When do you answer?")
    token = identity(consumer_page.frame)["token"]

    async def expected() -> dict:
        """What the server says to another device of the consumer."""
        link = await wire.Link.open(server.socket_url, {"token": token})
        while "by" not in (told := (await link.until("expect"))["expect"]):
            pass
        await link.close()
        return told

    told = wire.run(expected())
    by = datetime.fromtimestamp(told["by"] / 1000, BERLIN)
    assert told["hours"]["open"] and began < by < datetime.now(BERLIN) + timedelta(hours=1), told
    day = "" if by.date() == datetime.now(BERLIN).date() else " tomorrow"
    expect(consumer_page.widget.locator("header")).to_contain_text(f"We’ll reply by {by:%H:%M}{day}")


def test_ending_a_conversation_asks_for_confirmation(consumer_page):
    consumer_page.say("I will think about the end")
    consumer_page.widget.get_by_role("button", name="Options").click()
    consumer_page.widget.get_by_role("menuitem", name="End conversation").click()
    consumer_page.widget.get_by_role("button", name="Keep it open").press("Enter")
    expect(consumer_page.text(CLOSED)).to_have_count(0)
    end(consumer_page)


def test_a_rating_of_one_tap_stays_with_its_conversation(server, agent, consumer_page, manager):
    answered(consumer_page, server, agent, "One tap for the survey")
    end(consumer_page)
    survey = consumer_page.widget.get_by_role("region", name="Your feedback")
    expect(survey).to_contain_text("How did we do?")
    survey.get_by_role("radio", name="Good", exact=True).click()
    expect(survey).to_contain_text("Thank you!")
    manager_sees(consumer_page, manager, "One tap for the survey", 4)
    survey.get_by_role("radio", name="Very good").check()
    manager_sees(consumer_page, manager, "One tap for the survey", 5)
    found = Axe().run(consumer_page.page).response["violations"]
    assert not found, found


def manager_sees(consumer_page, manager, text: str, csat: int) -> None:
    """Polls by the page's own clock: the answer is sent a moment after the tap."""
    for _ in range(100):
        if found(manager, text).get("routing", {}).get("csat") == csat:
            return
        consumer_page.page.wait_for_timeout(50)
    raise AssertionError(found(manager, text))


def test_the_survey_is_answered_by_keyboard_and_survives_a_reload(server, agent, consumer_page, manager):
    answered(consumer_page, server, agent, "Keys for the survey")
    end(consumer_page)
    survey = consumer_page.widget.get_by_role("region", name="Your feedback")
    survey.get_by_role("radio", name="Very bad").focus()
    for _ in range(2):
        consumer_page.page.keyboard.press("ArrowRight")
    survey.get_by_label("Anything else you’d like to tell us?").fill("It was fine.")
    survey.get_by_role("button", name="Send", exact=True).press("Enter")
    manager_sees(consumer_page, manager, "Keys for the survey", 3)
    consumer_page.page.reload()
    consumer_page.open()
    survey = consumer_page.widget.get_by_role("region", name="Your feedback")
    expect(survey.get_by_role("radio", name="Okay")).to_be_checked()


def test_a_spoken_survey_answer_is_not_a_message(server, agent, consumer_page):
    answered(consumer_page, server, agent, "I will speak my answer")
    end(consumer_page)
    survey = consumer_page.widget.get_by_role("region", name="Your feedback")
    survey.get_by_role("radio", name="Good", exact=True).click()
    survey.get_by_role("button", name="Record instead").click()
    expect(survey.get_by_role("timer")).to_have_text(from_second(1))
    survey.get_by_role("button", name="Send voice message").click()
    expect(survey.get_by_text("Your spoken answer")).to_be_visible()
    expect(consumer_page.messages.get_by_role("button", name=re.compile("Play voice message"))).to_have_count(0)


def test_only_one_recorder_of_a_page_listens(server, agent, consumer_page):
    answered(consumer_page, server, agent, "I would like to say two things")
    end(consumer_page)
    survey = consumer_page.widget.get_by_role("region", name="Your feedback")
    survey.get_by_role("radio", name="Good", exact=True).click()
    survey.get_by_role("button", name="Record instead").click()
    expect(survey.get_by_role("timer")).to_have_text(from_second(1))
    consumer_page.widget.get_by_role("button", name=RECORD).last.click()
    told = consumer_page.widget.get_by_role("paragraph").get_by_text(
        "You are already recording on this page. Finish that recording first."
    )
    expect(told).to_be_visible()
    expect(survey.get_by_role("timer")).to_have_text(from_second(2))
    survey.get_by_role("button", name="Delete recording").click()
    consumer_page.widget.get_by_role("button", name="Try again").click()
    expect(consumer_page.widget.get_by_role("timer")).to_have_text(from_second(1))
    expect(told).to_have_count(0)


def test_writing_a_message_ends_the_survey(server, agent, consumer_page):
    answered(consumer_page, server, agent, "Before the survey")
    end(consumer_page)
    survey = consumer_page.widget.get_by_role("region", name="Your feedback")
    expect(survey).to_be_visible()
    consumer_page.say("After the survey")
    expect(survey).to_have_count(0)
    expect(consumer_page.text(CLOSED)).to_be_visible()
