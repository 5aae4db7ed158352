"""An empty brand shows what to do first; each step notices by itself that it is done."""

import re

import pytest
from playwright.sync_api import expect

from support.brand_site import Site
from support.browser.accessibility import assert_accessible
from support.browser.pages import AgentPage, ConsumerPage
from support.command import succeed
from support.demo import Demo, Login

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}


@pytest.fixture
def site():
    opened = Site()
    yield opened
    opened.close()


@pytest.fixture
def brand(server, site) -> Demo:
    """A brand as an operator makes it: an app, and one administrator."""
    data = ("--data", str(server.data))
    login = Login("ada@tulip.example", "correct horse battery")
    succeed("add", "brand", "tulip", "--name", "Tulip", *data)
    succeed("add", "app", "shop", "--brand", "tulip", "--name", "Shop", "--origin", site.origin, *data)
    succeed(
        "add", "person", login.email, "--brand", "tulip", "--name", "Ada", "--administrator", *data,
        answer=login.password + "\n")
    return Demo("tulip", "shop", login, login)


def test_an_empty_brand_guides_its_administrator_to_the_first_conversation(browser, server, brand, site):
    context = browser.new_context(
        viewport=DESKTOP, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write", "microphone"])
    workspace = AgentPage(context, server).sign_in(brand, brand.manager)
    page = workspace.page
    steps = page.get_by_role("region", name="Get Tulip ready")
    expect(steps.get_by_role("status")).to_have_text("0 of 4 steps done")
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        expect(steps).to_be_visible()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert_accessible(page, f"first steps, {size}, {scheme}")
    page.set_viewport_size(DESKTOP)

    def done(count: int, name: str) -> None:
        expect(steps.get_by_role("status")).to_have_text(f"{count} of 4 steps done")
        expect(steps.get_by_role("heading", name=f"{name} (done)")).to_be_visible()

    steps.get_by_role("button", name="Copy").click()
    line = f'<script src="{server.url}/embed/tulip/shop.js" async></script>'
    expect(page.get_by_text("Copied. Paste it into your page.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == line
    with context.expect_page() as opened:
        steps.get_by_role("link", name="Open the page").click()
    ConsumerPage.of(opened.value).open().say("Hello me")
    done(1, "Write to yourself")
    steps.get_by_role("button", name="Go online").click()
    done(2, "Go online")
    expect(page.get_by_role("region", name="Offers").get_by_role("button", name="Accept")).to_be_visible()

    steps.get_by_role("link", name="Invite someone").click()
    page.get_by_role("button", name="Invite someone").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Email").fill("eli@tulip.example")
    dialog.get_by_label("Name").fill("Eli")
    dialog.get_by_label("Name").press("Enter")
    expect(dialog.locator(f"input[value*='{server.url}/workspace/#/join/']")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    page.goto(f"{server.url}/workspace/#/all")
    done(3, "Invite a colleague")

    site.page = f'<script src="{server.url}/loader.js" data-account="tulip" data-app="shop"></script>'
    shop = context.new_page()
    shop.goto(f"{site.origin}/poles")
    ConsumerPage.of(shop).open().say("Do you have poles?")
    workspace.row("Do you have poles?").first.click()
    expect(page.get_by_role("region", name="Messages", exact=True)).to_contain_text("Do you have poles?")
    page.goto(f"{server.url}/workspace/#/all")
    expect(page.get_by_role("region", name="You’re ready")).to_be_visible()
    page.get_by_role("button", name="Go to the inbox").click()
    page.reload()
    expect(workspace.row("Do you have poles?")).to_be_visible()
    expect(page.get_by_role("region", name="You’re ready")).to_have_count(0)
    # Who is away is reminded while someone waits, an administrator too.
    away = page.get_by_text("You’re away. You don’t get new conversations.")
    expect(away).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Your status")).click()
    page.get_by_role("button", name=re.compile("^Away")).first.click()
    expect(away).to_be_visible()
    page.get_by_role("button", name="Go online").click()
    expect(away).to_have_count(0)
    context.close()
