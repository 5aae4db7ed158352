"""A list of conversations as CSV: what a search finds, read by another program."""

import csv
import io

from playwright.sync_api import expect

from support import api
from support.browser.pages import AgentPage
from support.voice import voice_messages

FORMULA = '=HYPERLINK("https://evil.example","click")'
WORD = "marmalade"


def listed(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def exports(manager: api.Agent) -> list[str]:
    answer = manager.session.get(f"{manager.base}/v1/audit", params={"what": "history.exported"}, timeout=20)
    return [one["detail"] for one in answer.json()["entries"]]


def test_a_list_has_every_conversation_that_a_search_finds(server, consumer, manager):
    voice_messages.say(server, consumer, f"{WORD}, please", FORMULA)
    before = exports(manager)
    answer = manager.session.get(
        f"{manager.base}/v1/search.csv", params={"q": WORD, "zone": "Asia/Kolkata"}, timeout=20
    )
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="conversations.csv"'
    (line,) = [line for line in listed(answer.text) if line["conversation"] == consumer.conversation]
    assert line["last message"] == f"'{FORMULA}" and WORD in line["found"]
    assert line["channel"] == "web" and line["last activity"].endswith("+05:30")
    assert exports(manager) == [f"conversations: {len(listed(answer.text))}", *before]


def test_a_manager_downloads_what_the_search_shows(server, demo, consumer, new_context):
    voice_messages.say(server, consumer, "The unmistakable word is pomegranate.")
    manager = AgentPage(new_context(), server).sign_in(demo, demo.manager)
    manager.page.evaluate("location.hash = '#/search'")
    manager.page.get_by_role("searchbox", name="Search conversations").fill("pomegranate")
    button = manager.page.get_by_role("button", name="Download as CSV")
    with manager.page.expect_download() as download:
        button.click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        assert [line["conversation"] for line in csv.DictReader(file)] == [consumer.conversation]
    assert download.value.suggested_filename == "conversations.csv"
    expect(button).to_be_enabled()


def test_an_agent_is_not_offered_what_only_managers_may_do(server, demo, consumer, agent, new_context):
    voice_messages.say(server, consumer, "Here is a word: rhubarb.")
    page = AgentPage(new_context(), server).sign_in(demo, demo.agent).page
    page.evaluate("location.hash = '#/search'")
    page.get_by_role("searchbox", name="Search conversations").fill("rhubarb")
    expect(page.get_by_role("list", name="Search results").get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
    assert agent.session.get(f"{agent.base}/v1/search.csv", timeout=20).status_code == 403
