"""The page API keys: a manager makes a key, copies it, and revokes it."""

import pytest
import requests
from playwright.sync_api import expect

from support.browser.accessibility import assert_accessible
from support.browser.pages import signed_in_state

SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(params=SIZES)
def page(request, browser, server, demo):
    context = browser.new_context(
        viewport=SIZES[request.param], storage_state=signed_in_state(browser, server, demo, demo.manager),
        reduced_motion="reduce")
    opened = context.new_page()
    opened.goto(f"{server.url}/workspace/#/admin/keys")
    yield opened
    context.close()


def check(page, where: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, f"{where}, {scheme}")


def status(server, key: str) -> int:
    return requests.get(
        f"{server.url}/v1/history/conversations", headers={"Authorization": f"Bearer {key}"}, timeout=20
    ).status_code


def test_a_manager_makes_a_key_copies_it_and_revokes_it(page, server):
    expect(page.get_by_text("No API keys yet.")).to_be_visible()
    check(page, "no keys")
    page.get_by_role("button", name="Create an API key").click()
    page.get_by_role("button", name="Create the key").click()
    expect(page.get_by_role("alert")).to_have_count(1)
    page.get_by_role("textbox", name="Name").fill("Warehouse")
    page.get_by_role("switch", name="Download recordings").check()
    page.get_by_label("Expires").select_option("365")
    check(page, "the form")
    page.get_by_role("textbox", name="Name").press("Enter")
    shown = page.get_by_role("textbox", name="API key")
    expect(shown).to_be_visible()
    key = shown.input_value()
    check(page, "a new key")
    assert status(server, key) == 200
    page.get_by_role("button", name="Done").click()
    row = page.get_by_role("row", name="Warehouse")
    expect(row).to_contain_text("Read conversations")
    expect(row).to_contain_text("Download recordings")
    expect(row).to_contain_text("Never")
    page.reload()
    expect(row).to_contain_text("Today")
    assert key not in page.content()
    check(page, "a list of keys")
    row.get_by_role("button", name="Revoke Warehouse").click()
    page.get_by_role("button", name="Keep").click()
    assert status(server, key) == 200
    row.get_by_role("button", name="Revoke Warehouse").click()
    page.get_by_role("button", name="Revoke now").click()
    expect(page.get_by_text("No API keys yet.")).to_be_visible()
    assert status(server, key) == 401
