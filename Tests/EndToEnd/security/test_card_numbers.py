"""Card numbers that people write are masked before anything is stored."""

import random

from playwright.sync_api import expect

from support import api, wire
from support.browser.pages import AgentPage, ConsumerPage
from support.contact_centre import AgentConnection
from support.demo import discover


def made_number() -> str:
    """A number that Visa could have issued: it begins with 4 and its check digit is right."""
    digits = [4] + [random.randrange(10) for _ in range(14)]
    doubled = sum(d * 2 - 9 * (d > 4) for d in digits[::-2]) + sum(digits[-2::-2])
    return "".join(map(str, digits)) + str(-doubled % 10)


def in_groups(number: str) -> str:
    return " ".join(number[i : i + 4] for i in range(0, 16, 4))


def masked(number: str) -> str:
    return f"•••• •••• •••• {number[-4:]}"


def texts(events: list[dict]) -> list[str]:
    return [event["text"] for event in events if "text" in event]


def holders(server, words: list[str]) -> list[str]:
    """The files of the data folder, and the log, that hold any of these words."""
    found = [
        f"{path.name}: {word}"
        for path in server.data.rglob("*")
        if path.is_file()
        for word in words
        if word.encode() in path.read_bytes()
    ]
    return found + [f"log: {word}" for word in words if word in server.log()]


def test_no_file_holds_a_card_number(new_server):
    server = new_server().start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    whole, noted, pieces, sent = made_number(), made_number(), made_number(), made_number()

    async def story():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": api.new_id(), "text": f"my card is {in_groups(whole)}"})
        own = await link.until("events")
        accepted = await link.until("ok")
        for text in (pieces[:4], pieces[4:12], pieces[12:]):
            await link.send({"send": api.new_id(), "text": text})
            await link.until("ok")
        dana = await AgentConnection(api.Agent(server.url, demo.account, demo.agent)).sit(server)
        await dana.asks(consumer.conversation, take={})
        assert "ok" in await dana.asks(consumer.conversation, note={"text": noted})
        assert "ok" in await dana.asks(consumer.conversation, attribute={"name": "card", "value": noted})
        assert "ok" in await dana.asks(consumer.conversation, text=f"did you mean {sent}?")
        log = await dana.log(consumer.conversation)
        await link.close()
        await dana.link.close()
        return own, accepted, log

    own, accepted, log = wire.run(story())
    assert texts(own["events"])[-1] == f"my card is {masked(whole)}"
    assert own["events"][-1]["n"] == accepted["n"]
    assert texts(log) == [
        f"my card is {masked(whole)}", pieces[:4], pieces[4:12], "••••", f"did you mean {'•' * 12}{sent[-4:]}?",
    ]
    assert holders(server, [whole, in_groups(whole), noted, pieces, sent]) == []
    server.stop()
    assert holders(server, [whole, in_groups(whole), noted, pieces, sent]) == []


def test_the_sender_and_the_agent_see_the_mask(new_server, new_context):
    server = new_server().start()
    demo = discover(server)
    number = made_number()
    shop = ConsumerPage(new_context(), server).open()
    shop.composer.fill(f"charge {in_groups(number)} please")
    shop.composer.press("Enter")
    expect(shop.text(f"charge {masked(number)} please")).to_be_visible()
    expect(shop.text(in_groups(number))).to_have_count(0)
    workspace = AgentPage(new_context(), server).sign_in(demo, demo.agent)
    workspace.open_row(masked(number))
    expect(workspace.text(f"charge {masked(number)} please")).to_be_visible()
    expect(workspace.page.get_by_text(in_groups(number))).to_have_count(0)
    shop.page.reload()
    shop.open()
    expect(shop.text(f"charge {masked(number)} please")).to_be_visible()


def test_a_brand_that_needs_card_numbers_keeps_them(new_server, new_context):
    server = new_server().start()
    demo = discover(server)
    manager = AgentPage(new_context(), server).sign_in(demo, demo.manager)
    manager.page.goto(f"{server.url}/workspace/#/admin/privacy")
    mask = manager.page.get_by_role("switch", name="Mask card numbers")
    expect(mask).to_be_checked()
    mask.click()
    save = manager.page.get_by_role("button", name="Save", exact=True)
    save.click()
    expect(save).to_have_count(0)
    manager.page.reload()
    expect(mask).not_to_be_checked()
    number = made_number()
    shop = ConsumerPage(new_context(), server).open()
    shop.say(f"charge {number} please")
    shop.page.reload()
    shop.open()
    expect(shop.text(f"charge {number} please")).to_be_visible()
