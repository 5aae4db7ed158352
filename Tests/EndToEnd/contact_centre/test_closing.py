"""What is said is protected: closing warns and can be undone, a word after it opens nothing, and who loses a
conversation is told."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support import api, contact_centre
from support.browser.pages import CLOSED, AgentPage, ConsumerPage, signed_in_state

SURVEY = {"on": True, "csat": True, "nps": False, "words": False, "question": "How was it?", "openSeconds": 3600}


@pytest.fixture(scope="module")
def asking(manager) -> None:
    """Every end of a conversation is followed by a survey, and no wrap-up code is wanted."""
    skills = manager.session.get(f"{manager.base}/v1/centre", timeout=20).json()["skills"]
    contact_centre.put(manager, "survey", SURVEY)
    contact_centre.put(manager, "skills", [{**skill, "survey": True, "disposition": "off"} for skill in skills])


@pytest.fixture
def question(request) -> str:
    """What the consumer asks, in each test something else."""
    return f"Is the tent waterproof? {request.node.originalname[5:20]}"


@pytest.fixture
def people(browser, server, demo, asking, question):
    """A consumer who spoke and wrote, and the agent who opened and took it."""
    contexts = [
        browser.new_context(locale="en-GB", reduced_motion="reduce"),
        browser.new_context(
            locale="en-GB", reduced_motion="reduce", storage_state=signed_in_state(browser, server, demo, demo.agent)
        ),
    ]
    shopper, agent = ConsumerPage(contexts[0], server).open(), AgentPage(contexts[1], server)
    shopper.record(1)
    shopper.send_voice()
    shopper.say(question)
    agent.tab("All").click()
    agent.open_row(question)
    agent.page.get_by_role("button", name="Take", exact=True).click()
    yield shopper, agent
    for context in contexts:
        context.close()


def test_closing_warns_is_undone_and_thanks_open_nothing(people):
    shopper, agent = people
    page = agent.page
    dialog = page.get_by_role("dialog", name="Close this conversation?")
    page.get_by_role("button", name="Close conversation").click()
    expect(dialog.get_by_text("2 messages without an answer")).to_be_visible()
    expect(dialog.get_by_text(re.compile(r"1 voice message that no one has played \(0:0\d\)"))).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    agent.say("It is, up to three metres of water.")
    page.get_by_role("button", name="Close conversation").click()
    expect(dialog.get_by_text("without an answer")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Close anyway")).to_be_focused()
    page.keyboard.press("Enter")
    expect(shopper.text(CLOSED)).to_be_visible()
    survey = shopper.widget.get_by_role("region", name="Your feedback")
    expect(survey).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(agent.text("You took the close back")).to_be_visible()
    expect(shopper.text("This conversation is open again.")).to_be_visible()
    expect(survey).to_have_count(0)

    page.get_by_role("button", name="Close conversation").click()
    page.keyboard.press("Enter")
    expect(survey).to_be_visible()
    shopper.say("Thanks!")
    agent.tab("Mine").click()
    mine = page.get_by_role("list", name="Mine: Wrote after the close")
    mine.get_by_role("link").filter(has_text="Thanks!").click()
    expect(page.get_by_text("wrote after the close.", exact=False).first).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    expect(survey).to_be_visible()
    page.get_by_role("button", name="No answer needed").last.click()
    expect(agent.text("You said that no answer is needed")).to_be_visible()
    expect(mine).to_have_count(0)
    survey.get_by_role("radio", name="Good", exact=True).click()
    expect(survey).to_contain_text("Thank you!")
    expect(shopper.text(CLOSED)).to_have_count(2)


def test_taking_over_asks_while_somebody_writes_and_who_had_it_is_told(browser, server, demo, people, question):
    _, agent = people
    context = browser.new_context(
        locale="en-GB", reduced_motion="reduce", storage_state=signed_in_state(browser, server, demo, demo.manager)
    )
    manager = AgentPage(context, server)
    manager.tab("All").click()
    manager.row(question).first.click()
    dialog = manager.page.get_by_role("dialog", name=re.compile("is writing$"))
    # What somebody types is told for six seconds: they go on until the other has pressed.
    expect(manager.messages.get_by_text(question)).to_be_visible()
    agent.composer.press_sequentially("Three metres")
    for letter in " and I will look how deep it was tested, one moment":
        agent.composer.press_sequentially(letter)
        if manager.messages.get_by_text(re.compile("is typing$")).count() > 0:
            break
    expect(manager.messages.get_by_text(re.compile("is typing$"))).to_be_visible()
    manager.page.get_by_role("button", name="Take over").click()
    expect(dialog.get_by_role("button", name="Take over")).to_be_focused()
    agent.page.evaluate("location.hash = '#/closed'")
    manager.page.keyboard.press("Enter")
    told = agent.page.get_by_text(re.compile(r"took over the conversation with"))
    expect(told).to_be_visible()
    agent.page.get_by_role("button", name="Open", exact=True).click()
    expect(agent.messages.get_by_text(question)).to_be_visible()
    # What was not sent stays, to be copied.
    expect(agent.page.get_by_text(re.compile("^Three metres"))).to_be_visible()
    context.close()


def test_no_answer_is_needed_to_a_last_thanks(people):
    shopper, agent = people
    agent.say("It is.")
    shopper.say("Perfect, thank you")
    expect(agent.text("Perfect, thank you")).to_be_visible()
    expect(agent.page.get_by_role("button", name="No answer needed")).to_be_visible()
    agent.page.locator("#messages").focus()
    agent.page.keyboard.press("y")
    expect(agent.text("You said that no answer is needed")).to_be_visible()
    expect(agent.page.get_by_role("button", name="No answer needed")).to_have_count(0)
