"""The workspace's menus: opened by mouse, by keyboard and by shortcut, and closed by everything that closes a menu."""

import re

import pytest
from playwright.sync_api import expect

from support import api, wire
from support.browser.pages import AgentPage, signed_in_state

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.manager)


@pytest.fixture(scope="module")
def question(server, demo):
    """A conversation that waits."""
    consumer = api.new_consumer(server.url, demo)

    async def ask():
        client = wire.Client(server.socket_url, consumer.token, "menus")
        await client.connect()
        await client.say("menus-1", "Where is the menu?")
        await client.link.close()

    wire.run(ask())
    return "Where is the menu?"


@pytest.fixture(params=SIZES)
def agent(browser, server, signed_in, question, request):
    context = browser.new_context(viewport=SIZES[request.param], storage_state=signed_in, reduced_motion="reduce")
    context.set_default_timeout(6000)
    page = AgentPage(context, server)
    page.row(question).first.click()
    expect(page.messages).to_be_visible()
    yield page
    context.close()


def more(agent: AgentPage):
    return agent.page.get_by_role("button", name="More actions", exact=True).last


def item(agent: AgentPage, name: str):
    return agent.page.get_by_role("button", name=re.compile(name)).last


def test_escape_closes_only_the_menu_and_returns_the_focus(agent):
    address = agent.page.url
    more(agent).click()
    expect(more(agent)).to_have_attribute("aria-expanded", "true")
    expect(item(agent, "^Transfer")).to_be_focused()
    agent.page.keyboard.press("ArrowDown")
    expect(item(agent, "^Transfer")).not_to_be_focused()
    agent.page.keyboard.press("ArrowUp")
    expect(item(agent, "^Transfer")).to_be_focused()
    agent.page.keyboard.press("Escape")
    expect(more(agent)).to_have_attribute("aria-expanded", "false")
    expect(more(agent)).to_be_focused()
    assert agent.page.url == address


def test_a_click_elsewhere_or_on_the_button_closes_the_menu(agent):
    for close in (lambda: agent.messages.click(position={"x": 5, "y": 5}), lambda: more(agent).click()):
        more(agent).click()
        expect(item(agent, "^Routing details")).to_be_visible()
        close()
        expect(item(agent, "^Routing details")).to_be_hidden()
        expect(more(agent)).to_have_attribute("aria-expanded", "false")


def test_moving_the_focus_out_of_the_menu_closes_it(agent):
    more(agent).click()
    expect(item(agent, "^Transfer")).to_be_focused()
    agent.page.keyboard.press("Shift+Tab")
    expect(more(agent)).to_be_focused()
    expect(more(agent)).to_have_attribute("aria-expanded", "true")
    agent.page.keyboard.press("Shift+Tab")
    expect(more(agent)).to_have_attribute("aria-expanded", "false")
    expect(more(agent)).not_to_be_focused()


def test_a_chosen_item_closes_the_menu_and_returns_the_focus(agent):
    agent.page.context.grant_permissions(["clipboard-write"])
    more(agent).press("Enter")
    item(agent, "^Copy transcript").press("Enter")
    expect(more(agent)).to_have_attribute("aria-expanded", "false")
    expect(more(agent)).to_be_focused()


def to_inbox(agent: AgentPage):
    """On a phone the inbox and a conversation are not shown together. Returns the button of the user's menu."""
    agent.page.evaluate("location.hash = '#/waiting'")
    return agent.page.get_by_role("button", name=re.compile(": menu"))


def test_the_shortcut_opens_the_presence_menu_and_one_menu_closes_the_other(agent):
    user_menu = to_inbox(agent)
    expect(user_menu).to_be_visible()
    agent.page.keyboard.press("Alt+Shift+S")
    expect(item(agent, "^Online")).to_be_focused()
    user_menu.click()
    expect(item(agent, "Sign out")).to_be_visible()
    expect(agent.page.get_by_text("Your status")).to_be_hidden()


def test_a_menu_opens_at_its_button_and_inside_the_page(agent):
    for button in (lambda: more(agent), lambda: to_inbox(agent)):
        button = button()
        button.click()
        panel = agent.page.locator(":popover-open")
        expect(panel).to_have_count(1)
        # It grows while it appears.
        panel.evaluate("panel => Promise.all(panel.getAnimations().map(one => one.finished))")
        at, box, size = button.bounding_box(), panel.bounding_box(), agent.page.viewport_size
        assert 0 <= box["y"] - (at["y"] + at["height"]) <= 8, (at, box)
        assert box["x"] < at["x"] + at["width"] and box["x"] + box["width"] > at["x"], (at, box)
        assert 0 <= box["x"] and box["x"] + box["width"] <= size["width"], (box, size)
        assert box["y"] + box["height"] <= size["height"], (box, size)
        agent.page.keyboard.press("Escape")
