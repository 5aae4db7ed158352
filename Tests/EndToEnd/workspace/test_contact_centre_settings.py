"""The contact centre's settings in a real browser: changed by keyboard, in force at once, conflicts shown, undone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from support import api
from support.browser.pages import AgentPage, signed_in_state


@pytest.fixture(scope="module")
def signed_in(browser, server, demo):
    return signed_in_state(browser, server, demo, demo.manager)


@pytest.fixture
def settings(browser, server, signed_in):
    """Opens a section of the settings."""
    context = browser.new_context(storage_state=signed_in, reduced_motion="reduce")

    def opened(section: str) -> Page:
        page = context.new_page()
        page.goto(f"{server.url}/workspace/#/admin/{section}")
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        return page

    yield opened
    context.close()


def centre(manager: api.Agent) -> dict:
    answer = manager.session.get(f"{manager.base}/v1/centre", timeout=20)
    assert answer.status_code == 200, answer.text
    return answer.json()


def put(manager: api.Agent, section: str, value, seen: int):
    return manager.session.put(
        f"{manager.base}/v1/centre/{section}", json={"v": seen, "value": value}, headers=manager.headers, timeout=20
    )


def said(page: Page, text: str) -> Locator:
    """On the page, and not where it is said to those who listen."""
    return page.get_by_role("region", name="Settings").get_by_text(text)


def press_to(page: Page, name: str, presses: int = 200) -> None:
    """Walks with Tab until something of this name has the focus."""
    for _ in range(presses):
        page.keyboard.press("Tab")
        if (
            page.evaluate(
                "() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? "
                "e.labels?.[0]?.textContent ?? e.textContent; }"
            )
            == name
        ):
            return
    raise AssertionError(f"the keyboard does not come to {name}")


def test_a_manager_changes_a_setting_by_keyboard_and_it_takes_effect_at_once(settings, manager):
    before = centre(manager)["survey"]
    page = settings("survey")
    expect(page.get_by_label("Question")).to_have_value(before["question"])
    press_to(page, "Question")
    page.keyboard.press("Control+a")
    page.keyboard.type("How was it today?")
    page.keyboard.press("Control+s")
    expect(said(page, "Survey saved.")).to_be_visible()
    assert centre(manager)["survey"] == {**before, "question": "How was it today?"}
    press_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Question")).to_have_value(before["question"])
    assert centre(manager)["survey"] == before


def test_saving_a_section_changes_only_what_was_edited(settings, manager):
    """What the forms do not show comes back untouched: one value changes in each, and nothing else."""
    for section, act in {
        "silence": lambda page: page.get_by_role("textbox", name="Add a reason").fill("Dentist"),
        "capacity": lambda page: page.get_by_label("Workload may exceed capacity by").fill("0.25"),
    }.items():
        before = centre(manager)[section]
        page = settings(section)
        act(page)
        page.keyboard.press("Enter")
        page.keyboard.press("Control+s")
        expect(said(page, " saved.")).to_be_visible()
        after = centre(manager)[section]
        changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        assert changed == {{"silence": "awayReasons", "capacity": "slack"}[section]}, (before, after)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("change undone").first).to_be_attached()
        assert centre(manager)[section] == before


def test_an_invalid_value_is_explained_at_its_field_and_not_sent(settings, manager):
    before = centre(manager)
    page = settings("survey")
    page.get_by_label("Question").fill("")
    expect(page.get_by_text("This is required.")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_label("Question")).to_be_focused()
    assert centre(manager)["v"] == before["v"]
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Question")).to_have_value(before["survey"]["question"])


def test_the_server_checks_while_a_manager_types_and_names_the_field(settings, manager):
    before = centre(manager)
    page = settings("skills")
    page.get_by_role("button", name=re.compile("^General")).first.click()
    priority = page.get_by_label("Queue priority")
    with page.expect_response(lambda answer: answer.url.endswith("/v1/centre/skills?validate=1")) as checked:
        priority.fill("1001")
    assert checked.value.status == 422
    expect(page.get_by_text("At most 1000 %.")).to_be_visible()
    expect(priority).to_have_attribute("aria-invalid", "true")
    with page.expect_response(lambda answer: answer.url.endswith("/v1/centre/skills?validate=1")) as checked:
        priority.fill("1000")
    assert checked.value.status == 204
    expect(page.get_by_text("At most 1000 %.")).to_have_count(0)
    assert centre(manager) == before, "a check stores nothing"
    page.get_by_role("button", name="Discard").click()


def test_two_managers_editing_the_same_section_are_both_warned(settings, manager):
    before = centre(manager)
    page = settings("survey")
    page.get_by_label("Question").fill("Mine?")
    other = put(manager, "survey", {**before["survey"], "nps": not before["survey"]["nps"]}, before["v"])
    assert other.status_code == 200, other.text
    expect(page.get_by_text("Someone else changed this while you were editing:")).to_be_visible()
    expect(page.get_by_text(re.compile("0 to 10: (off → on|on → off)"))).to_be_visible()
    stale = put(manager, "survey", before["survey"], before["v"])
    assert (stale.status_code, api.code_of(stale)) == (409, "stale"), stale.text
    page.get_by_role("button", name="Discard mine").click()
    expect(page.get_by_label("Question")).to_have_value(before["survey"]["question"])
    assert put(manager, "survey", before["survey"], centre(manager)["v"]).status_code == 200


def test_the_history_shows_each_change_and_can_undo_it(settings, manager):
    before = centre(manager)
    changed = put(manager, "survey", {**before["survey"], "question": "And now?"}, before["v"])
    assert changed.status_code == 200, changed.text
    page = settings("history")
    newest = page.get_by_role("listitem").filter(has_text="changed Survey").first
    newest.get_by_role("button", name="Show changes").click()
    expect(newest.get_by_text(f"question: “{before['survey']['question']}” → “And now?”")).to_be_visible()
    # The history may have taken back such a change before: what it shows says nothing of this one.
    # It asks first, and says what it will do.
    newest.get_by_role("button", name=re.compile("^Undo:")).click()
    asks = newest.get_by_role("group", name="Undo this change? Survey will change at once:")
    expect(asks.get_by_text(f"question: “And now?” → “{before['survey']['question']}”")).to_be_visible()
    asks.get_by_role("button", name="Keep it").click()
    expect(newest.get_by_role("button", name=re.compile("^Undo:"))).to_be_focused()
    assert centre(manager)["survey"]["question"] == "And now?"
    page.keyboard.press("Enter")
    with page.expect_response("**/v1/centre/undo") as undone:
        asks.get_by_role("button", name="Undo this change").click()
    assert undone.value.status == 200
    expect(page.get_by_text("undid a change to Survey").first).to_be_visible()
    assert centre(manager)["survey"] == before["survey"]


def test_the_rule_tester_explains_which_rule_matches(settings, manager):
    before = centre(manager)
    skill = before["skills"][0]["id"]
    mine = [
        {
            "id": "e2e-gold",
            "name": "Gold first",
            "on": True,
            "conditions": [{"of": "attribute.tier", "test": "is", "value": "gold"}],
            "skill": skill,
            "urgent": True,
        },
        {
            "id": "e2e-shop",
            "name": "The shop",
            "on": True,
            "conditions": [{"of": "page", "test": "contains", "value": "/e2e"}],
            "skill": skill,
            "urgent": False,
        },
    ]
    saved = put(manager, "rules", mine + before["rules"], before["v"])
    assert saved.status_code == 200, saved.text
    try:
        page = settings("rules")
        bench = page.locator("form").filter(has=page.get_by_role("heading", name="Test rules"))
        bench.get_by_label("Page address").fill("/e2e/shoes")
        bench.get_by_role("button", name="Test", exact=True).click()
        expect(bench.get_by_text("“The shop” applies")).to_be_visible()
        expect(bench.get_by_role("listitem").filter(has_text="Gold first")).to_contain_text("Doesn’t match")
        bench.get_by_label("Attributes, one per line").fill("tier = gold")
        bench.get_by_role("button", name="Test", exact=True).click()
        expect(bench.get_by_text("“Gold first” applies")).to_be_visible()
        expect(bench.get_by_role("listitem").filter(has_text="The shop")).to_contain_text(
            "Matches, but a rule above applies"
        )
    finally:
        assert put(manager, "rules", before["rules"], centre(manager)["v"]).status_code == 200


def test_rules_and_opening_hours_move_by_arrow_keys(settings, manager):
    before = centre(manager)
    skill = before["skills"][0]["id"]
    rules = [
        {"id": f"e2e-{name}", "name": name, "on": True, "conditions": [], "skill": skill, "urgent": False}
        for name in ("one", "two")
    ]
    assert put(manager, "rules", rules, before["v"]).status_code == 200
    try:
        page = settings("rules")
        page.get_by_role("button", name="Drag two or use the arrow keys to move it").focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Control+s")
        expect(said(page, "Routing rules saved.")).to_be_visible()
        assert [rule["id"] for rule in centre(manager)["rules"]] == ["e2e-two", "e2e-one"]
    finally:
        assert put(manager, "rules", before["rules"], centre(manager)["v"]).status_code == 200


def test_a_draft_survives_moving_through_all_sections(settings, manager):
    before = centre(manager)["survey"]
    page = settings("survey")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.get_by_label("Question").fill("Kept while I look around?")
    sections = page.get_by_role("navigation", name="Sections")
    for name in (
        "Skills",
        "People",
        "Opening hours",
        "Routing rules",
        "Workload",
        "Timeouts and absence",
        "Automatic messages",
        "Canned replies",
        "Wrap-up",
        "Voice messages",
        "History",
        "Audit",
    ):
        sections.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=name, exact=True, level=2).first).to_be_visible()
    sections.get_by_role("link", name="Survey").click()
    expect(page.get_by_label("Question")).to_have_value("Kept while I look around?")
    expect(sections.get_by_role("img", name="not saved")).to_have_count(1)
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_label("Question")).to_have_value(before["question"])
    assert not errors, errors


def test_only_managers_open_the_settings_and_others_are_told_why(browser, server, demo, agent):
    refused = put(agent, "survey", centre(agent)["survey"], 1)
    assert (refused.status_code, api.code_of(refused)) == (403, "forbidden")
    context = browser.new_context()
    page = AgentPage(context, server).sign_in(demo, demo.agent).page
    page.goto(f"{server.url}/workspace/#/admin")
    expect(page.get_by_role("heading", name="You don’t have permission to change settings.")).to_be_visible()
    page.goto(f"{server.url}/workspace/#/wall")
    expect(page.get_by_role("heading", name="You don’t have permission to see the live wall.")).to_be_visible()
    context.close()


@pytest.mark.parametrize(
    "section",
    [
        "skills",
        "people",
        "hours",
        "rules",
        "capacity",
        "silence",
        "automatic",
        "canned",
        "wrapUp",
        "survey",
        "voice",
        "privacy",
        "history",
        "audit",
    ],
)
def test_each_section_is_accessible(settings, section):
    page = settings(section)
    expect(page.get_by_text("Loading the settings")).to_have_count(0)
    found = Axe().run(page).response["violations"]
    told = [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {violation['nodes'][0]['html'][:160]}"
        for violation in found
    ]
    assert not told, "\n".join(told)


def test_the_wall_counts_waiting_conversations_and_links_to_them(browser, server, demo, signed_in):
    context = browser.new_context(storage_state=signed_in)
    page = context.new_page()
    page.goto(f"{server.url}/workspace/#/wall")
    expect(page.get_by_role("table", name="Queues")).to_be_visible()
    total = page.locator("dl div").filter(has_text="In queue").locator("dd")
    before = int(total.inner_text()) + int(
        page.locator("dl div").filter(has_text="Assigned").locator("dd").inner_text()
    )
    consumer = api.new_consumer(server.url, demo)
    say(server, consumer)
    page.wait_for_function(
        """(before) => [...document.querySelectorAll("dl div")].filter((one) => /^(In \
queue|Assigned)/.test(one.textContent))
            .reduce((sum, one) => sum + parseInt(one.querySelector("dd").textContent, 10), 0) > before""",
        arg=before,
    )
    assert not Axe().run(page).response["violations"]
    shown = next(
        name
        for name in ("In queue", "Assigned")
        if page.locator("dl div").filter(has_text=name).locator("dd").inner_text() != "0"
    )
    page.locator("dl div").filter(has_text=shown).get_by_role("link").click()
    behind = page.get_by_role("complementary")
    expect(behind.get_by_role("link").filter(has_text="I wait for the wall")).to_be_visible()
    page.keyboard.press("Escape")
    expect(behind).to_have_count(0)
    context.close()


def say(server, consumer) -> None:
    from support import wire

    async def talk():
        client = wire.Client(server.socket_url, consumer.token, "wall")
        await client.connect()
        await client.say("wall-1", "I wait for the wall")
        await client.settle()
        await client.link.close()

    wire.run(talk())
