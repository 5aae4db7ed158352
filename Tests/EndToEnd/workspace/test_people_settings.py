"""Managing people in a real browser: names, roles, disabling and enabling, with a warning about the consequences."""

import re

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from support import api
from support.browser.interception import intercept
from support.browser.pages import AgentPage, sign_in, signed_in_state


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.manager)


@pytest.fixture
def table(browser, server, signed_in):
    context = browser.new_context(storage_state=signed_in, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server.url}/workspace/#/admin/people")
    expect(page.get_by_role("columnheader", name="Agent")).to_be_visible()
    yield page
    context.close()


def people(manager: api.Agent) -> list[dict]:
    return manager.session.get(f"{manager.base}/v1/agents", timeout=20).json()["agents"]


def person(manager: api.Agent, email: str) -> dict:
    return next(one for one in people(manager) if one["email"] == email)


def change(manager: api.Agent, of: dict, **what) -> None:
    answer = manager.session.patch(
        f"{manager.base}/v1/agents/{of['id']}", json=what, headers=manager.headers, timeout=20
    )
    assert answer.status_code == 200, answer.text


def log_in(server, demo, login) -> requests.Response:
    return requests.post(
        f"{server.url}/v1/login",
        json={"account": demo.account, "email": login.email, "password": login.password},
        timeout=20,
    )


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("button", name=f"Edit {name}", exact=True))


def form(page: Page, name: str) -> Locator:
    """Opens the form by its button."""
    page.get_by_role("button", name=f"Edit {name}", exact=True).click()
    opened = page.get_by_role("dialog", name=f"Edit {name}")
    expect(opened.get_by_label("Name", exact=True)).to_be_focused()
    return opened


def press_to(page: Page, wanted: Locator, presses: int = 200) -> None:
    for _ in range(presses):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


def test_an_empty_name_or_a_lost_connection_changes_nothing(table, manager, demo):
    before = person(manager, demo.agent.email)
    opened = form(table, before["name"])
    for name, told in (("  ", "This is required."), ("n" * 101, "At most 100 characters.")):
        opened.get_by_label("Name", exact=True).fill(name)
        table.keyboard.press("Enter")
        expect(opened.get_by_text(told)).to_be_visible()
        expect(opened.get_by_label("Name", exact=True)).to_be_focused()
    opened.get_by_label("Name", exact=True).fill("n" * 100)
    intercept(table, "**/v1/agents/*", lambda route: route.abort())
    table.keyboard.press("Enter")
    expect(opened.get_by_role("alert").get_by_text("No connection. Nothing was changed; try again.")).to_be_visible()
    expect(opened.get_by_label("Name", exact=True)).to_have_value("n" * 100)
    table.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(table.get_by_role("button", name=f"Edit {before['name']}", exact=True)).to_be_focused()
    assert person(manager, demo.agent.email) == before


def test_the_last_administrator_cannot_be_demoted_and_nobody_disables_themselves(table, manager, demo):
    me = person(manager, demo.manager.email)
    assert (
        sum(one["role"] == "administrator" for one in people(manager)) == 1
    ), "another administrator would make this pass for the wrong reason"
    expect(row(table, me["name"])).to_contain_text("Administrator · you")
    opened = form(table, me["name"])
    expect(opened.get_by_role("switch", name="Can sign in")).to_be_disabled()
    expect(opened.get_by_text("You can’t turn off your own sign-in. Ask another administrator.")).to_be_visible()
    opened.get_by_role("radio", name=re.compile("^Agent")).check()
    expect(opened.get_by_role("status")).to_contain_text("You will be signed out everywhere immediately.")
    opened.get_by_role("button", name="Save and sign me out").click()
    expect(opened.get_by_role("alert")).to_have_text(
        "At least one administrator must be able to sign in. Make someone else an administrator first."
    )
    opened.get_by_role("button", name="Cancel").click()
    assert person(manager, demo.manager.email) == me


def test_a_manager_disables_and_enables_a_person_by_keyboard(browser, table, server, manager, demo):
    dana = person(manager, demo.agent.email)
    context = browser.new_context()
    theirs = AgentPage(context, server).sign_in(demo, demo.agent).page
    edit = table.get_by_role("button", name=f"Edit {dana['name']}", exact=True)
    press_to(table, edit)
    table.keyboard.press("Enter")
    opened = table.get_by_role("dialog", name=f"Edit {dana['name']}")
    expect(opened.get_by_role("status")).to_have_text("")
    press_to(table, opened.get_by_role("switch", name="Can sign in"), presses=20)
    table.keyboard.press("Space")
    expect(opened.get_by_role("status")).to_contain_text(
        f"{dana['name']} will be signed out everywhere immediately and can’t sign in"
    )
    assert not Axe().run(table).response["violations"]
    press_to(table, opened.get_by_role("button", name="Save and sign them out"), presses=20)
    table.keyboard.press("Enter")
    expect(opened).to_have_count(0)
    expect(row(table, dana["name"])).to_contain_text("Can’t sign in")
    expect(edit).to_be_focused()
    expect(theirs.get_by_role("dialog", name="Sign in again")).to_be_visible()
    assert (person(manager, demo.agent.email)["disabled"], log_in(server, demo, demo.agent).status_code) == (True, 401)
    assert not Axe().run(table).response["violations"]

    undo = table.get_by_role("button", name=f"Undo change to {dana['name']}")
    press_to(table, undo, presses=2)
    table.keyboard.press("Enter")
    expect(row(table, dana["name"])).not_to_contain_text("Can’t sign in")
    expect(edit).to_be_focused()
    assert person(manager, demo.agent.email) == dana
    assert log_in(server, demo, demo.agent).status_code == 200
    context.close()


def test_a_disabled_person_is_shown_as_such_and_can_be_enabled(table, manager, demo):
    dana = person(manager, demo.agent.email)
    change(manager, dana, disabled=True)
    table.reload()
    expect(row(table, dana["name"])).to_contain_text("Can’t sign in")
    opened = form(table, dana["name"])
    opened.get_by_role("switch", name="Can sign in").check()
    expect(opened.get_by_role("status")).to_have_text("")
    opened.get_by_role("button", name="Save", exact=True).click()
    expect(row(table, dana["name"])).to_contain_text("Turned on again.")
    assert person(manager, demo.agent.email) == dana


def test_the_api_keys_of_a_person_who_may_no_longer_sign_in_are_offered_for_revocation(table, server, manager, demo):
    dana = person(manager, demo.agent.email)
    change(manager, dana, role="administrator")
    theirs = api.Agent(server.url, demo.account, demo.agent)
    made = theirs.session.post(
        f"{server.url}/v1/keys", headers=theirs.headers, timeout=20,
        json={"name": "Warehouse", "scopes": ["history.read"]},
    )
    assert made.ok, made.text
    table.reload()
    opened = form(table, dana["name"])
    keys = opened.get_by_role("region", name="API keys")
    expect(keys).to_have_count(0)
    opened.get_by_role("switch", name="Can sign in").uncheck()
    expect(keys).to_contain_text("Warehouse")
    assert not Axe().run(table).response["violations"]
    keys.get_by_role("button", name="Revoke Warehouse").click()
    keys.get_by_role("button", name="Revoke now").click()
    expect(keys).to_have_count(0)
    listed = manager.session.get(f"{server.url}/v1/keys", timeout=20).json()["keys"]
    assert "Warehouse" not in [key["name"] for key in listed]
    opened.get_by_role("button", name="Cancel").click()
    change(manager, person(manager, demo.agent.email), role="agent")


def test_a_changed_role_and_name_take_effect_at_once(table, manager, demo):
    dana = person(manager, demo.agent.email)
    opened = form(table, dana["name"])
    opened.get_by_role("radio", name=re.compile("^Manager")).check()
    expect(opened.get_by_role("status")).to_contain_text("Their role will be Manager from the next sign-in.")
    opened.get_by_label("Name", exact=True).fill("  Zoë Dana ")
    opened.get_by_role("button", name="Save and sign them out").click()
    expect(row(table, "Zoë Dana")).to_contain_text("Manager")
    expect(table.get_by_role("button", name="Edit Zoë Dana")).to_be_focused()
    assert {**dana, "name": "Zoë Dana", "role": "manager"} == person(manager, demo.agent.email)
    table.get_by_role("button", name="Undo change to Zoë Dana").click()
    expect(row(table, dana["name"])).to_contain_text("Change undone.")
    assert person(manager, demo.agent.email) == dana


def test_a_managers_own_new_name_appears_in_their_menu(table, manager, demo):
    me = person(manager, demo.manager.email)
    opened = form(table, me["name"])
    opened.get_by_label("Name", exact=True).fill("Mira the Second")
    expect(opened.get_by_role("status")).to_have_text("")
    opened.get_by_role("button", name="Save", exact=True).click()
    expect(row(table, "Mira the Second")).to_contain_text("Administrator · you")
    table.get_by_role("link", name="Inbox").click()
    expect(table.get_by_role("button", name="Mira the Second: menu")).to_be_visible()
    change(manager, me, name=me["name"])


def test_an_administrator_who_becomes_an_agent_is_signed_out_and_loses_the_settings(table, server, manager, demo):
    """The last of this file: it ends the sessions that the others use."""
    me, dana = person(manager, demo.manager.email), person(manager, demo.agent.email)
    change(manager, dana, role="administrator")
    opened = form(table, me["name"])
    opened.get_by_role("radio", name=re.compile("^Agent")).check()
    opened.get_by_role("button", name="Save and sign me out").click()
    again = table.get_by_role("dialog", name="Sign in again")
    expect(again).to_be_visible()
    sign_in(again, demo, demo.manager)
    expect(table.get_by_role("heading", name="You don’t have permission to change settings.")).to_be_visible()
    other = api.Agent(server.url, demo.account, demo.agent)
    assert person(other, demo.agent.email)["role"] == "administrator"
    change(other, me, role="administrator")
