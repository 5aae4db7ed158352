"""Attributes: the server checks their types, and the card shows their current values, however old they are."""

import pytest
from playwright.sync_api import expect

from support import contact_centre, wire
from support.browser.pages import AgentPage, signed_in_state
from support.voice import voice_messages

ATTRIBUTES = [
    {"id": "order", "name": "Order number", "type": "text"},
    {"id": "parcels", "name": "Parcels", "type": "number"},
    {"id": "member", "name": "Club member", "type": "yesNo"},
    {"id": "since", "name": "Member since", "type": "date"},
]
DISPOSITIONS = [{"id": "solved", "name": "Solved"}]
VALUES = {"order": "A-17", "parcels": "3", "member": "yes", "since": "2024-02-29"}
WRONG = {"parcels": "three", "member": "perhaps", "since": "2023-02-29"}
MORE_THAN_A_SNAPSHOT = 55


@pytest.fixture
def listed(agent, manager):
    before = manager.session.get(f"{manager.base}/v1/centre", timeout=20).json()["wrapUp"]
    contact_centre.put(manager, "wrapUp", {"dispositions": DISPOSITIONS, "tags": [], "attributes": ATTRIBUTES})
    yield
    contact_centre.put(manager, "wrapUp", before)


def test_the_card_shows_current_values_whose_events_are_not_loaded(browser, server, demo, agent, consumer, listed):
    voice_messages.say(server, consumer, "I bought something")

    async def work() -> None:
        connection = await contact_centre.AgentConnection(agent).sit(server)
        asks = connection.asks
        assert "ok" in await asks(consumer.conversation, take={})
        for name, value in WRONG.items():
            answer = await asks(consumer.conversation, attribute={"name": name, "value": value})
            assert answer["code"] == "bad_request", answer
        for name, value in {**VALUES, "parcels": "2"}.items():
            assert "ok" in await asks(consumer.conversation, attribute={"name": name, "value": value})
        assert "ok" in await asks(consumer.conversation, attribute={"name": "parcels", "value": VALUES["parcels"]})
        assert "ok" in await asks(consumer.conversation, dispose="solved")
        for number in range(MORE_THAN_A_SNAPSHOT):
            assert "ok" in await asks(consumer.conversation, text=f"Answer {number}")
        await connection.link.close()

    wire.run(work())
    context = browser.new_context(storage_state=signed_in_state(browser, server, demo, demo.agent))
    page = AgentPage(context, server)
    page.page.goto(f"{server.url}/workspace/#/all/{consumer.conversation}")
    card = page.page.get_by_role("complementary")
    expect(page.messages.get_by_text("Answer 54")).to_be_visible()
    expect(page.page.get_by_text("Club member: yes")).to_have_count(0)
    expect(card.get_by_label("Order number")).to_have_value("A-17")
    expect(card.get_by_label("Parcels")).to_have_value("3")
    expect(card.get_by_label("Club member")).to_have_value("yes")
    expect(card.get_by_label("Member since")).to_have_value("2024-02-29")
    expect(card.get_by_text("Solved", exact=True)).to_be_visible()
    # A change while the page is open shows too.
    card.get_by_label("Parcels").fill("4")
    card.get_by_label("Parcels").press("Enter")
    expect(page.page.get_by_text("set Parcels: 4")).to_be_visible()
    expect(card.get_by_label("Parcels")).to_have_value("4")
    context.close()
