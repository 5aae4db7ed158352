"""Links in messages on both sides, canned replies without a name, and free tags that are found again."""

import re

from playwright.sync_api import Locator, expect

from support import contact_centre
from support.browser.pages import AgentPage, ConsumerPage

TEXT = (
    "Is https://shop.example/poles?x=1 the one?\nAsk help@shop.example, call +49 30 123456 or see www.shop.example. "
    "Not https://user:pass@evil.example/, javascript:alert(1), 4111 1111 1111 1111 or 2026-11-24."
)
LINKS = [
    ("https://shop.example/poles?x=1", "https://shop.example/poles?x=1"),
    ("help@shop.example", "mailto:help@shop.example"),
    ("+49 30 123456", "tel:+4930123456"),
    ("www.shop.example", "https://www.shop.example/"),
]
LOOK_ALIKE = "https://аррle.example/login"
TAG = "brokenpole"


def assert_links(message: Locator) -> None:
    links = message.get_by_role("link")
    expect(links).to_have_count(len(LINKS))
    seen = links.evaluate_all("all => all.map(one => [one.textContent, one.href, one.rel, one.target])")
    assert seen == [[text, href, "noopener noreferrer nofollow ugc", "_blank"] for text, href in LINKS]
    assert "one?\nAsk" in message.inner_text() and "4111 1111" not in message.inner_text()
    links.first.focus()
    outline = links.first.evaluate("one => { one.blur(); one.focus({focusVisible: true}); "
                                   "return getComputedStyle(one).outlineStyle; }")
    assert outline != "none", "the focus is not visible"


def test_links_lead_to_the_same_places_on_both_sides(server, demo, manager, new_context):
    text = "Hello {consumer}, this is {agentNickname}."
    contact_centre.put(manager, "canned", [{"id": "hello", "shortcut": "hello", "title": "Greeting", "text": text}])
    consumer = ConsumerPage(new_context(), server).open()
    consumer.composer.fill(TEXT)
    consumer.composer.press("Enter")
    mine = consumer.text("Is https://shop.example")
    expect(mine).to_contain_text("••••")
    assert_links(mine)
    consumer.say(LOOK_ALIKE)
    shown = consumer.text(LOOK_ALIKE).get_by_role("link")
    expect(shown).to_have_text(re.compile(r"^https://аррle\.example/login \(xn--[a-z0-9-]+\.example\)$"))
    agent = AgentPage(new_context(), server).sign_in(demo, demo.agent)
    agent.tab("All").click()
    agent.open_row(LOOK_ALIKE)
    assert_links(agent.messages.get_by_role("listitem").filter(has_text="Is https://shop.example"))
    agent.page.get_by_role("button", name="Take").first.click()
    agent.composer.focus()
    agent.page.keyboard.type("/hello")
    expect(agent.page.get_by_role("option").filter(has_text="/hello")).to_be_visible()
    agent.page.keyboard.press("Enter")
    expect(agent.composer).to_have_value(re.compile("^Hello, this is Dana"))
    agent.composer.press("Enter")
    expect(consumer.text("Hello, this is Dana")).to_be_visible()
    agent.say("See https://shop.example/poles?x=2.")
    theirs = consumer.text("See https://shop.example").get_by_role("link")
    expect(theirs).to_have_attribute("href", "https://shop.example/poles?x=2")
    assert_tag_is_found_again(agent, ConsumerPage(new_context(), server).open())


def assert_tag_is_found_again(agent: AgentPage, other: ConsumerPage) -> None:
    """A tag that is in no setting is found by its words and as a filter, and is suggested for the next conversation."""
    page = agent.page
    details = page.get_by_role("button", name="Details", exact=False).first
    field = page.get_by_label("Add a tag")
    if not field.is_visible():
        details.click()
    field.fill(TAG)
    field.press("Enter")
    expect(page.locator(".tag").filter(has_text=TAG)).to_be_visible()
    page.evaluate("location.hash = '#/search'")
    search = page.get_by_role("searchbox", name="Search conversations")
    results = page.get_by_role("list", name="Search results").get_by_role("listitem")
    search.fill(TAG[:7])
    expect(results).to_have_count(1)
    expect(results.locator("mark")).to_have_text(TAG)
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("combobox", name="Tag").select_option(TAG)
    search.fill("poles")
    expect(results).to_have_count(1)
    expect(results.locator("mark").first).to_have_text("poles")
    results.get_by_role("link").click()
    expect(agent.messages.locator("mark").first).to_have_text("poles")
    other.say("The next consumer")
    page.get_by_role("button", name="Clear").click()
    search.fill("next consumer")
    expect(results.locator("mark")).to_have_text(["next", "consumer"])
    results.get_by_role("link").click()
    expect(agent.messages.locator("mark")).to_have_text(["next", "consumer"])
    expect(page.locator(f"#tag + datalist option[value={TAG}]")).to_have_count(1)
