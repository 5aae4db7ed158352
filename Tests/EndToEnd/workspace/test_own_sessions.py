"""Where a person is signed in: the list of their browsers, signing out of one and of all others."""

import re

import pytest
import requests
from playwright.sync_api import expect

from support.browser.accessibility import assert_accessible
from support.browser.interception import intercept
from support.browser.pages import AgentPage, signed_in_state

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.agent)


@pytest.fixture(params=SIZES)
def agent(browser, server, signed_in, request):
    context = browser.new_context(viewport=SIZES[request.param], storage_state=signed_in, reduced_motion="reduce")
    page = AgentPage(context, server)
    expect(page.page.get_by_role("heading", name="Inbox")).to_be_visible()
    yield page
    context.close()


class Elsewhere:
    """The same person in another browser."""

    def __init__(self, server, demo, browser: str):
        self.base, self.session = server.url, requests.Session()
        self.session.headers["User-Agent"] = browser
        login = {"account": demo.account, "email": demo.agent.email, "password": demo.agent.password}
        assert self.session.post(f"{self.base}/v1/login", json=login, timeout=60).status_code == 200

    @property
    def is_signed_in(self) -> bool:
        return self.session.get(f"{self.base}/v1/session", timeout=20).status_code == 200


def user_menu(agent: AgentPage):
    return agent.page.get_by_role("button", name=re.compile(": menu"))


def opened(agent: AgentPage):
    user_menu(agent).click()
    agent.page.get_by_role("button", name="Where you’re signed in").press("Enter")
    dialog = agent.page.get_by_role("dialog", name="Where you’re signed in")
    expect(dialog).to_be_visible()
    return dialog


def assert_accessible_in_both_schemes(agent: AgentPage, state: str) -> None:
    for scheme in ("light", "dark"):
        agent.page.emulate_media(color_scheme=scheme)
        assert_accessible(agent.page, f"{state}, {scheme}")


def test_a_person_signs_out_of_one_browser_and_of_all_others(agent, server, demo):
    phone, script = Elsewhere(server, demo, PHONE), Elsewhere(server, demo, "a script")
    dialog = opened(agent)
    sessions = dialog.get_by_role("listitem")
    expect(sessions).to_have_count(3)
    expect(sessions.first).to_contain_text("Chrome on Linux")
    expect(sessions.first).to_contain_text("This browser")
    expect(sessions.first.get_by_role("button")).to_have_count(0)
    expect(sessions.filter(has_text="Unknown browser")).to_have_count(1)
    assert_accessible_in_both_schemes(agent, "sessions")

    dialog.get_by_role("button", name=re.compile("Sign out Safari on iPhone")).press("Enter")
    expect(sessions).to_have_count(2)
    assert not phone.is_signed_in and script.is_signed_in

    dialog.get_by_role("button", name="Sign out everywhere else").press("Enter")
    expect(dialog.get_by_text("The other browser is signed out immediately.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert_accessible_in_both_schemes(agent, "confirmation")
    agent.page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Sign out everywhere else")).to_be_focused()
    assert script.is_signed_in
    dialog.get_by_role("button", name="Sign out everywhere else").press("Enter")
    dialog.get_by_role("button", name="Sign out 1 browser").press("Enter")
    expect(sessions).to_have_count(1)
    expect(dialog.get_by_text("You’re signed in only here.")).to_be_visible()
    assert not script.is_signed_in

    agent.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(user_menu(agent)).to_be_focused()
    agent.page.reload()
    expect(agent.page.get_by_role("heading", name="Inbox")).to_be_visible()


def test_sessions_that_cannot_be_loaded_are_loaded_again(agent):
    held = []
    intercept(agent.page, "**/v1/sessions", lambda route: held.append(route))
    dialog = opened(agent)
    expect(dialog.get_by_role("status")).to_have_text("Loading…")
    assert len(held) == 1
    held.pop().abort()
    expect(dialog.get_by_role("alert")).to_contain_text("Your sessions couldn’t be loaded.")
    assert_accessible_in_both_schemes(agent, "sessions not loaded")
    agent.page.unroute("**/v1/sessions")
    dialog.get_by_role("button", name="Try again").press("Enter")
    expect(dialog.get_by_role("listitem")).to_have_count(1)
    expect(dialog.get_by_role("alert")).to_have_count(0)
