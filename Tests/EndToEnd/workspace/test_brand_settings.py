"""The brand page of the settings: what a manager changes there is what consumers see."""

import re

import pytest
import requests
from playwright.sync_api import expect

from support.browser.accessibility import assert_accessible
from support.browser.interception import intercept
from support.browser.pages import ConsumerPage, signed_in_state

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
COLORS = {"desktop": ("#7a1f5c", "rgb(122, 31, 92)"), "phone": ("#ffd400", "rgb(255, 212, 0)")}
HEADER = "element => getComputedStyle(element).backgroundColor"


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.manager)


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


@pytest.fixture
def page(browser, server, signed_in, size):
    context = browser.new_context(viewport=SIZES[size], storage_state=signed_in, reduced_motion="reduce")
    opened = context.new_page()
    opened.goto(f"{server.url}/workspace/#/admin/brand")
    expect(opened.get_by_label("Color", exact=True)).to_be_visible()
    yield opened
    context.close()


def assert_accessible_in_both_schemes(page, state: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, f"{state}, {scheme}")


def may_embed(server, demo, origin: str) -> bool:
    answer = requests.get(
        f"{server.url}/v1/availability?account={demo.account}&app={demo.app}", headers={"Origin": origin}, timeout=20
    )
    assert answer.status_code in (200, 403), answer.text
    return answer.status_code == 200


def save(page) -> None:
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.get_by_role("region", name="Unsaved changes in Brand")).to_have_count(0)


def test_what_a_manager_sets_is_what_consumers_see(browser, page, server, demo, size):
    color, shown = COLORS[size]
    name, welcome = f"Fernweh on the {size}", f"Welcome on the {size}!"
    preview = page.get_by_role("figure", name="Preview of the widget")
    page.get_by_label("Name", exact=True).first.fill(name)
    page.get_by_label("Color", exact=True).fill(color)
    page.get_by_label("Welcome text").fill(welcome)
    expect(preview).to_contain_text(name)
    expect(preview).to_contain_text(welcome)
    expect(page.get_by_text("It’s easy to read.")).to_be_visible()
    assert_accessible_in_both_schemes(page, "brand, changed")
    save(page)
    page.reload()
    expect(page.get_by_label("Color", exact=True)).to_have_value(color)
    expect(page.get_by_label("Welcome text")).to_have_value(welcome)

    context = browser.new_context(viewport=SIZES[size])
    consumer = ConsumerPage(context, server).open()
    expect(consumer.widget.get_by_role("heading", name=name)).to_be_visible()
    expect(consumer.widget.get_by_role("heading", name=welcome)).to_be_visible()
    assert consumer.widget.get_by_role("banner").evaluate(HEADER) == shown
    assert preview.locator(".brand-preview-head").evaluate(HEADER) == shown
    context.close()


LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#e4572e"/>'
    '<circle cx="20" cy="20" r="12" fill="#fff"/></svg>'
)
SIDE = "image => image.complete ? image.naturalWidth : 0"


def test_a_logo_is_shown_to_consumers_until_it_is_removed(browser, page, server, size):
    preview = page.get_by_role("figure", name="Preview of the widget")
    group = page.get_by_role("group", name="Logo")
    picture = page.get_by_label("Picture for the logo")
    picture.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"not a picture"})
    expect(group.get_by_role("alert")).to_contain_text("The browser can’t show this file")
    picture.set_input_files({"name": "logo.svg", "mimeType": "image/svg+xml", "buffer": LOGO.encode()})
    expect(preview.locator("img")).to_be_visible()
    expect(group.get_by_role("alert")).to_have_count(0)
    assert_accessible_in_both_schemes(page, "brand, logo")
    save(page)
    page.reload()
    assert group.get_by_role("img", name="The logo").evaluate(SIDE) == 128

    context = browser.new_context(viewport=SIZES[size])
    consumer = ConsumerPage(context, server).open()
    logo = consumer.widget.get_by_role("banner").locator("img")
    expect(logo).to_be_visible()
    assert logo.evaluate(SIDE) == 128
    group.get_by_role("button", name="Remove").click()
    save(page)
    consumer.page.reload()
    consumer.open()
    expect(consumer.widget.get_by_role("banner").locator(".avatar")).to_have_text("F")
    context.close()


def test_a_color_on_which_text_is_hard_to_read_is_named_before_it_is_saved(page):
    color = page.get_by_label("Color", exact=True)
    color.fill("#787878")
    told = page.get_by_text(re.compile("Hard to read: text on this color has a contrast of 4.4 to 1"))
    expect(told).to_be_visible()
    assert_accessible_in_both_schemes(page, "brand, hard to read")
    color.fill("red")
    expect(page.get_by_text("Enter a color as # and six digits")).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)


def test_a_manager_lets_a_website_embed_the_widget_and_takes_it_back(page, server, demo, size):
    origin = f"https://{size}.example"
    assert not may_embed(server, demo, origin)
    websites = page.get_by_role("group", name=f"Websites that may embed the widget: {demo.app}")
    websites.get_by_role("textbox").fill(f"{size.capitalize()}.example/path")
    page.keyboard.press("Enter")
    expect(websites.get_by_text(origin)).to_be_visible()
    save(page)
    assert may_embed(server, demo, origin)
    websites.get_by_role("button", name=f"Remove: {origin}").press("Enter")
    save(page)
    assert not may_embed(server, demo, origin)


def test_a_refused_change_is_kept_and_explained(page, manager):
    before = manager.session.get(f"{manager.base}/v1/brand", timeout=20).json()["brand"]
    name = page.get_by_label("Name", exact=True).first
    name.fill("x" * 101)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("A name must have 1 to 100 characters.")
    expect(name).to_have_value("x" * 101)
    intercept(page, "**/v1/brand", lambda route: route.abort())
    name.fill("Fernweh")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("No connection. Nothing was saved; your changes are kept here.")
    assert manager.session.get(f"{manager.base}/v1/brand", timeout=20).json()["brand"] == before
    page.unroute("**/v1/brand")
    page.get_by_role("button", name="Discard").click()


def test_a_brand_that_cannot_be_loaded_is_loaded_again(page, server):
    page.route("**/v1/brand", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text("The brand couldn’t be loaded.")).to_be_visible()
    assert_accessible_in_both_schemes(page, "brand, not loaded")
    page.unroute("**/v1/brand")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_label("Color", exact=True)).to_be_visible()
