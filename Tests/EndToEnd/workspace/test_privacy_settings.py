"""The page Privacy: how long conversations are kept, legal holds, and the erasure of a consumer."""

import pytest
from playwright.sync_api import expect

from support import api, wire
from support.browser.accessibility import assert_accessible
from support.browser.pages import signed_in_state
from support.command import succeed

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


@pytest.fixture
def page(browser, server, demo, size):
    context = browser.new_context(
        viewport=SIZES[size], storage_state=signed_in_state(browser, server, demo, demo.manager),
        reduced_motion="reduce")
    opened = context.new_page()
    opened.goto(f"{server.url}/workspace/#/admin/privacy")
    expect(opened.get_by_role("heading", name="Retention")).to_be_visible()
    yield opened
    context.close()


async def say(server, consumer, text: str) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": api.new_id(), "text": text})
    await link.until("ok")
    await link.close()


def test_a_manager_sets_what_customers_see_of_their_history(page, server, manager, size):
    days = page.get_by_label("Days of history for customers")
    expect(days).to_have_value("0")
    days.fill("401")
    expect(page.get_by_text("At most 400.")).to_be_visible()
    days.fill("30")
    page.get_by_role("switch", name="Show customers what was said before a conversation was closed").uncheck()
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.locator(".save-done").get_by_text("Privacy saved.", exact=True)).to_be_visible()
    asked = {"url": f"{manager.base}/v1/settings", "timeout": 20}
    assert manager.session.get(**asked).json()["history"] == {"days": 30, "closed": False}
    assert_accessible(page, f"history of customers, {size}")
    before = {"history": {"days": 0, "closed": True}}
    assert manager.session.patch(**asked, json=before, headers=manager.headers).status_code == 200


def test_a_manager_sets_the_period_holds_a_conversation_and_erases_a_consumer(page, server, demo, size):
    consumer = api.new_consumer(server.url, demo)
    wire.run(say(server, consumer, "Please forget me"))
    days = page.get_by_label("Keep closed conversations for")
    days.fill("4000")
    expect(page.get_by_text("Enter 1 to 3653 days.")).to_be_visible()
    expect(page.get_by_role("button", name="Save period")).to_be_disabled()
    period = {"desktop": "200", "phone": "300"}[size]
    days.fill(period)
    expect(page.get_by_text("Nothing is due to be removed.")).to_be_visible()
    page.get_by_role("button", name="Save period").press("Enter")
    expect(page.get_by_text(f"Closed conversations are kept for {period} days.")).to_be_visible()
    shown = succeed("retention", "show", "--brand", demo.account, "--data", str(server.data))
    assert f"kept for {period} days" in shown

    def name_it(reason: str) -> None:
        page.get_by_label("Conversation", exact=True).fill(f"{server.url}/workspace/#/mine/{consumer.conversation}")
        page.get_by_label("Reason", exact=True).fill(reason)

    name_it("A lawsuit")
    page.get_by_role("button", name="Place legal hold").press("Enter")
    held = page.get_by_role("listitem").filter(has_text="A lawsuit")
    expect(held).to_be_visible()
    name_it("The consumer asked")
    page.get_by_role("button", name="Erase customer…").press("Enter")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, f"privacy, {scheme}")
    page.get_by_role("button", name="Erase for good").press("Enter")
    expect(page.get_by_text("under a legal hold")).to_be_visible()
    held.get_by_role("button", name="Lift hold").press("Enter")
    expect(page.get_by_text("No legal holds.")).to_be_visible()
    receipts = ("retention", "receipts", "--brand", demo.account, "--data", str(server.data))
    before = len(succeed(*receipts).splitlines())
    page.get_by_role("button", name="Erase customer…").press("Enter")
    page.get_by_role("button", name="Erase for good").press("Enter")
    expect(page.get_by_text("The customer is being erased.")).to_be_visible()
    while len(succeed(*receipts).splitlines()) == before:
        pass  # a poll of the outside: the server erases within a second
    page.reload()
    expect(page.get_by_text("Erased on request: 1 conversation").first).to_be_visible()
    page.get_by_text("Show signature").first.click()
    expect(page.get_by_text('"kind":"erasure"').first).to_be_visible()
    assert_accessible(page, "privacy, with a receipt")
