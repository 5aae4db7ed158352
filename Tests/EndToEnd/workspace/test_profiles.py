"""The page Profiles: a manager makes a profile and a group and gives them to a person, who then sees less."""

import re

import pytest
from playwright.sync_api import expect

from support import api, contact_centre, wire
from support.browser.accessibility import assert_accessible
from support.browser.pages import signed_in_state

SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(params=SIZES)
def page(request, browser, server, demo):
    context = browser.new_context(
        viewport=SIZES[request.param],
        storage_state=signed_in_state(browser, server, demo, demo.manager),
        reduced_motion="reduce",
    )
    opened = context.new_page()
    opened.goto(f"{server.url}/workspace/#/admin/profiles")
    yield opened
    context.close()


def check(page, where: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, f"{where}, {scheme}")


def say(server, consumer: api.Consumer, text: str) -> None:
    async def story():
        live = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await live.until("ready")
        await live.send({"send": "1", "text": text})
        await live.until("ok")
        await live.close()

    wire.run(story())


def found(agent: api.Agent, words: str) -> list[str]:
    answer = agent.session.get(f"{agent.base}/v1/search", params={"q": words}, timeout=20)
    assert answer.status_code == 200, answer.text
    return [row["c"] for row in answer.json()["rows"]]


def test_a_manager_makes_changes_and_removes_a_profile_and_a_group(page):
    expect(page.get_by_text("No groups yet.")).to_be_visible()
    check(page, "no profiles")
    page.get_by_role("button", name="Create a profile").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_count(1)
    dialog.get_by_role("textbox", name="Name").fill("Temps")
    expect(dialog.get_by_role("switch", name="Read conversations")).to_be_disabled()
    for offered in ("Change people", "API keys", "Change the identity provider"):
        expect(dialog.get_by_role("switch", name=offered)).to_have_count(0)
    everything = dialog.get_by_role("switch", name="See every conversation")
    audit = dialog.get_by_role("switch", name="Read the audit log")
    audit.check()
    expect(everything).to_be_checked()
    expect(dialog.get_by_text("Also turned on, because it is needed: See every conversation")).to_be_visible()
    check(page, "the form of a profile")
    everything.uncheck()
    expect(audit).not_to_be_checked()
    expect(dialog.get_by_text(re.compile("^Also turned off.*: Read the audit log$"))).to_be_visible()
    dialog.get_by_role("textbox", name="Name").press("Enter")
    item = page.get_by_role("listitem").filter(has_text="Temps")
    expect(item).to_contain_text("Read conversations · Search · Private notes · Answer · Close")
    for role in ("Agent", "Manager", "Administrator"):
        built_in = page.get_by_role("listitem").filter(has=page.get_by_text(role, exact=True))
        expect(built_in).to_contain_text("Built in")
        expect(built_in.get_by_role("button")).to_have_count(0)
    page.get_by_role("button", name="Create a group").click()
    dialog.get_by_role("textbox", name="Name").fill("North")
    dialog.get_by_role("switch", name="Dana").check()
    check(page, "the form of a group")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("listitem").filter(has_text="North")).to_contain_text("Dana")
    check(page, "a profile and a group")
    for name in ("Temps", "North"):
        item = page.get_by_role("listitem").filter(has_text=name)
        item.get_by_role("button", name="Remove").click()
        item.get_by_role("button", name="Keep").click()
        item.get_by_role("button", name="Remove").click()
        item.get_by_role("button", name="Remove now").click()
        expect(item).to_have_count(0)
    expect(page.get_by_text("No groups yet.")).to_be_visible()


def test_a_person_with_a_profile_sees_only_their_conversations(page, browser, server, demo):
    people = contact_centre.people(server, demo, "dana", "omar", "mira")
    mira, dana = people["mira"], people["dana"]
    outside, inside = api.new_consumer(server.url, demo), api.new_consumer(server.url, demo)
    for consumer in (outside, inside):
        say(server, consumer, "Where is my marmalade?")

    async def take():
        live = await wire.Link.open(server.socket_url, {"ticket": dana.ticket()})
        await live.until("ready")
        await live.send({"take": api.new_id(), "c": inside.conversation})
        await live.until("ok")
        await live.close()

    wire.run(take())
    both = {outside.conversation, inside.conversation}
    assert both <= set(found(dana, "marmalade")), "the premise: she sees both before"
    made = mira.session.post(
        f"{mira.base}/v1/profiles",
        json={"name": "Own", "permissions": ["history.search", "conversations.answer"]},
        headers=mira.headers,
        timeout=20,
    ).json()["profile"]["id"]
    contact_centre.put(mira, "people", [{"agent": dana.id, "skills": [], "capacity": 3}])
    page.goto(f"{server.url}/workspace/#/admin/people")
    page.get_by_role("button", name=re.compile("Edit Dana")).click()
    page.get_by_label("Profile").select_option(made)
    check(page, "a person's form")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    seen = set(found(dana, "marmalade"))
    assert inside.conversation in seen and outside.conversation not in seen
    for path in ("why", "transcript"):
        answer = dana.session.get(f"{dana.base}/v1/conversations/{outside.conversation}/{path}", timeout=20)
        assert answer.status_code == 404, answer.text
        answer = dana.session.get(f"{dana.base}/v1/conversations/{inside.conversation}/{path}", timeout=20)
        assert answer.status_code == 200, answer.text
    context = browser.new_context(
        viewport=page.viewport_size, storage_state=signed_in_state(browser, server, demo, demo.agent)
    )
    workspace = context.new_page()
    workspace.goto(f"{server.url}/workspace/#/mine")
    expect(workspace.get_by_text("Where is my marmalade?").first).to_be_visible()
    hrefs = [link.get_attribute("href") or "" for link in workspace.get_by_role("link").all()]
    assert not [href for href in hrefs if outside.conversation in href], hrefs
    workspace.goto(f"{server.url}/workspace/#/waiting/{outside.conversation}")
    expect(workspace.get_by_role("textbox", name=re.compile("Reply|message", re.I))).to_have_count(0)
    # With the settings but without people, keys and audit, these pages are not offered. The page learns it by itself.
    wider = mira.session.put(
        f"{mira.base}/v1/profiles/{made}",
        json={"name": "Own", "permissions": ["conversations.all", "settings.change"]},
        headers=mira.headers,
        timeout=20,
    )
    assert wider.status_code == 200, wider.text
    workspace.goto(f"{server.url}/workspace/#/admin/skills")
    sections = workspace.get_by_role("navigation", name="Sections").get_by_role("link")
    expect(sections.filter(has_text="Skills")).to_have_count(1)
    for name in ("People", "Brand", "Customer sign-in", "Profiles", "API keys", "Audit"):
        expect(sections.filter(has_text=name)).to_have_count(0)
    context.close()
    removal = mira.session.delete(f"{mira.base}/v1/profiles/{made}", json={}, headers=mira.headers, timeout=20)
    assert removal.status_code == 400, "she has it"
    given = mira.session.patch(
        f"{mira.base}/v1/agents/{dana.id}", json={"profile": "built-in"}, headers=mira.headers, timeout=20
    )
    assert given.status_code == 200, given.text
    assert both <= set(found(dana, "marmalade"))
    contact_centre.put(mira, "people", [])
    assert mira.session.delete(
        f"{mira.base}/v1/profiles/{made}", json={}, headers=mira.headers, timeout=20
    ).status_code == 204


def test_a_person_who_may_not_answer_gets_no_conversation(page, browser, server, demo):
    people = contact_centre.people(server, demo, "dana", "mira")
    mira, dana = people["mira"], people["dana"]
    context = browser.new_context(
        viewport=page.viewport_size,
        storage_state=signed_in_state(browser, server, demo, demo.agent),
        reduced_motion="reduce",
    )
    workspace = context.new_page()
    workspace.goto(f"{server.url}/workspace/#/all")
    # The test may have left her online.
    away = workspace.get_by_role("button", name="Go online")
    expect(away.or_(workspace.get_by_role("button", name=re.compile("^Your status: Online")))).to_be_visible()
    if away.is_visible():
        away.click()
    offers = workspace.get_by_role("region", name="Offers")
    consumer = api.new_consumer(server.url, demo)
    say(server, consumer, "Is anyone there?")
    expect(offers.get_by_role("button", name="Accept").first).to_be_visible()
    made = mira.session.post(
        f"{mira.base}/v1/profiles",
        json={"name": "Reader", "permissions": ["conversations.all"]},
        headers=mira.headers,
        timeout=20,
    ).json()["profile"]["id"]
    page.goto(f"{server.url}/workspace/#/admin/people")
    row = page.get_by_role("row").filter(has_text="Dana")
    given = mira.session.patch(
        f"{mira.base}/v1/agents/{dana.id}", json={"profile": made}, headers=mira.headers, timeout=20
    )
    assert given.status_code == 200, given.text
    # What rang is back in the queue, and her page offers nothing that she may not do.
    expect(offers.get_by_role("button", name="Accept")).to_have_count(0)
    expect(workspace.get_by_role("button", name=re.compile("Go online|status", re.I))).to_have_count(0)
    workspace.goto(f"{server.url}/workspace/#/all/{consumer.conversation}")
    expect(workspace.get_by_text("Returned to the queue: the agent may no longer answer")).to_be_visible()
    expect(workspace.get_by_role("button", name="Take", exact=True)).to_have_count(0)
    expect(workspace.get_by_role("textbox")).to_have_count(0)
    # The people who manage see it, too.
    page.reload()
    expect(row).to_contain_text("Reader")
    expect(row).to_contain_text("Reads only: gets no conversations")
    expect(page.get_by_role("row").filter(has_text="Mira")).not_to_contain_text("Default")
    check(page, "people, one of whom only reads")
    why = mira.session.get(f"{mira.base}/v1/conversations/{consumer.conversation}/why", timeout=20).json()
    hers = [(one["able"], one["text"]) for one in why["agents"] if one["id"] == dana.id]
    assert hers == [(False, "Their profile doesn’t let them answer.")]
    other = api.new_consumer(server.url, demo)
    say(server, other, "And now?")
    workspace.goto(f"{server.url}/workspace/#/all/{other.conversation}")
    expect(workspace.get_by_text("And now?").last).to_be_visible()
    expect(offers.get_by_role("button", name="Accept")).to_have_count(0)
    given = mira.session.patch(
        f"{mira.base}/v1/agents/{dana.id}", json={"profile": "built-in"}, headers=mira.headers, timeout=20
    )
    assert given.status_code == 200, given.text
    expect(offers.get_by_role("button", name="Accept").first).to_be_visible()
    context.close()
    assert mira.session.delete(
        f"{mira.base}/v1/profiles/{made}", json={}, headers=mira.headers, timeout=20
    ).status_code == 204
