"""Blocking a consumer from the conversation's details: what it does is said first, and it can be undone."""

import re

import pytest
import requests
from playwright.sync_api import expect

from support import api, wire
from support.browser.accessibility import assert_accessible
from support.browser.interception import intercept
from support.browser.pages import AgentPage, signed_in_state

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
STATE = "Blocked until someone on your team unblocks them"


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.agent)


@pytest.fixture
def question(server, consumer, request):
    """What the consumer wrote."""
    text = f"A question for {request.node.name}"

    async def ask():
        client = wire.Client(server.socket_url, consumer.token, "blocking")
        await client.connect()
        await client.say("blocking-1", text)
        await client.link.close()

    wire.run(ask())
    return text


@pytest.fixture(params=SIZES)
def agent(browser, server, signed_in, question, request):
    context = browser.new_context(viewport=SIZES[request.param], storage_state=signed_in, reduced_motion="reduce")
    page = AgentPage(context, server)
    page.row(question).first.click()
    expect(page.messages).to_be_visible()
    show_details(page)
    yield page
    context.close()


def show_details(agent: AgentPage) -> None:
    details = agent.page.get_by_role("button", name="Details", exact=True)
    card = agent.page.get_by_role("complementary", name="Customer")
    expect(details.or_(card).first).to_be_visible()
    if not card.is_visible():
        details.click()
    expect(agent.page.get_by_role("heading", name="Blocking")).to_be_visible()


def assert_accessible_in_both_schemes(agent: AgentPage, state: str) -> None:
    for scheme in ("light", "dark"):
        agent.page.emulate_media(color_scheme=scheme)
        assert_accessible(agent.page, f"{state}, {scheme}")


def is_blocked(server, consumer: api.Consumer) -> bool:
    answer = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20)
    assert answer.status_code == 200 or api.code_of(answer) == "blocked", answer.text
    return answer.status_code != 200


def test_an_agent_blocks_a_consumer_and_lifts_the_block(agent, server, consumer):
    block = agent.page.get_by_role("button", name="Block this person…")
    dialog = agent.page.get_by_role("dialog", name=re.compile("^Block .+?"))
    expect(block).to_be_enabled()
    assert_accessible_in_both_schemes(agent, "not blocked")
    block.press("Enter")
    expect(dialog.get_by_text("The block has no end.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert_accessible_in_both_schemes(agent, "confirmation")
    agent.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(block).to_be_focused()
    assert not is_blocked(server, consumer)

    block.press("Enter")
    agent.page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Block", exact=True)).to_be_focused()
    agent.page.keyboard.press("Enter")
    expect(agent.page.get_by_text(STATE)).to_be_visible()
    assert is_blocked(server, consumer)
    assert_accessible_in_both_schemes(agent, "blocked")

    agent.page.reload()
    expect(agent.messages.or_(agent.page.get_by_role("complementary", name="Customer")).first).to_be_visible()
    show_details(agent)
    expect(agent.page.get_by_text(STATE)).to_be_visible()
    unblock = agent.page.get_by_role("button", name="Unblock")
    unblock.press("Enter")
    expect(agent.page.get_by_text(STATE)).to_have_count(0)
    expect(block).to_be_focused()
    assert not is_blocked(server, consumer)


def test_a_block_that_fails_changes_nothing_and_says_so(agent, server, consumer):
    intercept(agent.page, "**/block", lambda route: route.abort())
    agent.page.get_by_role("button", name="Block this person…").click()
    dialog = agent.page.get_by_role("dialog", name=re.compile("^Block .+?"))
    dialog.get_by_role("button", name="Block", exact=True).click()
    expect(dialog.get_by_role("alert")).to_have_text("That didn’t work. Nothing was changed; try again.")
    assert not is_blocked(server, consumer)
    agent.page.unroute("**/block")
    dialog.get_by_role("button", name="Block", exact=True).click()
    expect(agent.page.get_by_text(STATE)).to_be_visible()
    assert is_blocked(server, consumer)


def is_signed_in(server, consumer: api.Consumer) -> bool:
    answer = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20)
    assert answer.status_code == 200 or api.code_of(answer) == "not_signed_in", answer.text
    return answer.status_code == 200


def test_an_agent_signs_a_consumer_out_everywhere(agent, server, consumer):
    button = agent.page.get_by_role("button", name="Sign out everywhere…")
    dialog = agent.page.get_by_role("dialog", name=re.compile("^Sign .+ out everywhere"))
    button.press("Enter")
    expect(dialog.get_by_text("This can’t be undone.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert_accessible_in_both_schemes(agent, "confirmation of signing out")
    agent.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    assert is_signed_in(server, consumer)

    intercept(agent.page, "**/sign-out", lambda route: route.abort())
    button.press("Enter")
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    expect(dialog.get_by_role("alert")).to_have_text("That didn’t work. Nothing was changed; try again.")
    assert is_signed_in(server, consumer)
    agent.page.unroute("**/sign-out")
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    expect(agent.page.get_by_text(re.compile("is signed out everywhere$"))).to_be_visible()
    expect(dialog).to_have_count(0)
    assert not is_signed_in(server, consumer)
