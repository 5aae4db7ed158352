"""Nothing that a person needs is cut off or covered, on a desktop and on a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from support.browser.accessibility import assert_accessible
from support.browser.interception import intercept
from support.browser.pages import signed_in_state

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.manager)


@pytest.fixture(params=SIZES)
def page(request, browser, server, signed_in):
    context = browser.new_context(viewport=SIZES[request.param], storage_state=signed_in, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def opened(page: Page, server, place: str) -> Page:
    page.goto(f"{server.url}/workspace/#/{place}")
    return page


def is_whole(text: Locator) -> bool:
    """Whether all of a text is shown."""
    return text.evaluate("it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight")


def overlap(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    return (
        a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]
    )


@pytest.mark.parametrize("section, name", [("voice", "Voice messages"), ("privacy", "Privacy")])
def test_saved_settings_for_messages_are_told_on_the_page(page, server, section, name):
    opened(page, server, f"admin/{section}")
    switch = page.locator(".admin-body").get_by_role("switch").last
    for _ in range(2):
        switch.press("Space")
        page.get_by_role("button", name="Save", exact=True).press("Enter")
        told = page.locator(".save-done").get_by_text(f"{name} saved.", exact=True)
        expect(told).to_be_visible()
        expect(told).to_be_focused()
        expect(page.locator(".save-done").get_by_role("button")).to_have_count(0)
        assert page.evaluate("innerHeight") >= told.bounding_box()["y"] + told.bounding_box()["height"]


@pytest.mark.parametrize("name", ["Fernweh Outfitters", "Fernweh Outfitters for the Mountains"])
def test_the_brand_above_the_inbox_is_not_cut_off(page, server, demo, name):
    def renamed(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("Fernweh Outfitters", name))

    page.route("**/v1/session", renamed)
    opened(page, server, "waiting")
    account = page.locator("#inbox").get_by_text(name, exact=True)
    expect(account).to_be_visible()
    assert is_whole(account)


def test_a_passing_message_does_not_cover_the_search_field(page, server):
    opened(page, server, "search")
    field = page.get_by_role("searchbox").first
    field.fill("parcel")
    intercept(page, "**/v1/views", lambda route: route.abort())
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("button", name="Save as view").click()
    page.get_by_label("View name").fill("Parcels")
    page.keyboard.press("Enter")
    toast = page.locator(".toast")
    expect(toast).to_be_visible()
    assert not overlap(toast, field)
    assert is_whole(toast)


def test_every_field_of_a_person_is_within_the_page(page, server):
    opened(page, server, "admin/people")
    frame = page.locator(".table-frame")
    for label in ("Capacity: ", "Listening speed: "):
        field = page.get_by_label(label).first
        expect(field).to_be_visible()
        inner, outer = field.bounding_box(), frame.bounding_box()
        assert outer["x"] <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"], label


def test_the_audit_log_names_the_person_who_was_changed(page, server, manager):
    person = next(
        one for one in manager.session.get(f"{server.url}/v1/agents", timeout=20).json()["agents"]
        if one["role"] == "agent"
    )
    for name in (f"{person['name']} II", person["name"]):
        answer = manager.session.patch(
            f"{server.url}/v1/agents/{person['id']}", json={"name": name}, headers=manager.headers, timeout=20
        )
        assert answer.status_code == 200, answer.text
    opened(page, server, "admin/audit")
    changed = page.get_by_role("row").filter(has_text="Changed a person").first.get_by_role("cell").last
    expect(changed).to_have_text(f"{person['name']}: name {person['name']}")


def test_the_audit_log_is_filtered_and_says_from_where_somebody_signed_in(page, server, manager):
    opened(page, server, "admin/audit")
    rows = page.locator("table.audit tbody tr")
    expect(rows.filter(has_text="Signed in").first).to_be_visible()
    page.get_by_label("What").select_option(label="Signed in")
    expect(rows.filter(has_not_text="Signed in")).to_have_count(0)
    expect(rows.first.get_by_role("cell").last).to_have_text(re.compile(r"session \S+ from 127\.0\.0\.1$"))
    page.get_by_label("From").fill("2100-01-01")
    expect(page.get_by_text("No entries match.")).to_be_visible()
    assert_accessible(page, "no entries")
    page.get_by_role("button", name="Clear filters").press("Enter")
    expect(rows.first).to_be_visible()
    assert_accessible(page, "all entries")
    assert is_whole(page.locator(".audit-filters"))
