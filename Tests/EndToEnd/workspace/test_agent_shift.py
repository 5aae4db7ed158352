"""A shift in a real browser, by keyboard alone: what rings is accepted, answered, noted, answered by voice, promised,
transferred, closed. And two who accept at the same instant: exactly one answers, and the other is told who was
faster."""

import re

import pytest
from playwright.sync_api import expect

from support import api, wire
from support.browser.pages import AgentPage, from_second
from support.demo import Demo

NOTE = "she was promised a call back, and nobody called"
HAND_OVER = "her invoice is wrong since March"
ANSWER = "Your parcel is in Kiel, and leaves today."
FRONT, BACK = "front", "back"
# Presses the chord at a moment of the clock that both pages share, and keeps whether it meant anything.
ACCEPT_AT = """moment => { window.pressed = new Promise(done => setTimeout(() =>
    done(!dispatchEvent(new KeyboardEvent('keydown', {code: 'KeyN', altKey: true, shiftKey: true, \
cancelable: true}))), moment - Date.now())); null }"""
# Both are there, and neither lies over the other.
APART = """all => { const [a, b] = all.map(one => one.getBoundingClientRect());
    return a.height > 100 && b.height > 50 && (a.bottom <= b.top || b.bottom <= a.top || a.right <= b.left || b.right \
<= a.left); }"""


def skill(name: str, **more) -> dict:
    return {
        "id": name,
        "name": name.capitalize(),
        "default": False,
        "accept": "offer",
        "offerSeconds": 60,
        "sla": {"usual": 900, "urgent": 300, "first": 600},
        "velocity": 100,
        "disposition": "off",
        "survey": False,
        **more,
    }


@pytest.fixture(scope="module")
def manager(server, demo) -> api.Agent:
    return api.Agent(server.url, demo.account, demo.manager)


def put(manager: api.Agent, section: str, value) -> dict:
    version = manager.session.get(f"{manager.base}/v1/centre", timeout=20).json()["v"]
    answer = manager.session.put(
        f"{manager.base}/v1/centre/{section}", json={"v": version, "value": value}, headers=manager.headers, timeout=20
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def centre(manager, demo) -> dict:
    """Two skills that ring; the first wants to know what it was about, and only the demo's agent answers it."""
    people = manager.session.get(f"{manager.base}/v1/agents", timeout=20).json()["agents"]
    dana = next(person["id"] for person in people if person["email"] == demo.agent.email)
    dispositions = [{"id": "parcel", "name": "Where is my parcel"}, {"id": "other", "name": "Something else"}]
    put(manager, "wrapUp", {"dispositions": dispositions, "tags": ["vip"], "attributes": []})
    put(manager, "rules", [])
    put(
        manager,
        "canned",
        [
            {
                "id": "hello",
                "shortcut": "hello",
                "title": "Greeting",
                "text": "Hello {consumer}, here is {agentNickname}.",
            }
        ],
    )
    put(manager, "skills", [skill(FRONT, default=True, disposition="required"), skill(BACK)])
    return put(manager, "people", [{"agent": dana, "skills": [FRONT], "capacity": 20}])


class Talker:
    """A consumer who writes, and who keeps every byte that came."""

    def __init__(self, server, demo: Demo):
        self.server = server
        self.who = api.new_consumer(server.url, demo)

    def say(self, text: str) -> None:
        async def talk():
            client = wire.Client(self.server.socket_url, self.who.token, text)
            await client.connect()
            await client.say(api.new_id(), text)
            await client.settle()
            await client.link.close()

        wire.run(talk())

    def end(self) -> None:
        """The consumer closes the conversation, which withdraws its offers."""
        async def close():
            link = await wire.Link.open(self.server.socket_url, {"token": self.who.token})
            await link.until("ready")
            await link.send({"close": api.new_id()})
            await link.until("ok")
            await link.close()

        wire.run(close())

    def events(self) -> list[dict]:
        async def look() -> list[dict]:
            client = wire.Client(self.server.socket_url, self.who.token)
            await client.connect()
            await client.link.close()
            return [client.events[n] for n in sorted(client.events)]

        return wire.run(look())


def sign_in(page, demo: Demo) -> None:
    page.get_by_label("Email", exact=True).focus()
    for value in (demo.agent.email, demo.agent.password):
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
        page.keyboard.press("Tab" if value != demo.agent.password else "Enter")
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()


def go_online(page) -> None:
    state = page.get_by_role("button", name=re.compile("^Your status"))
    expect(state).to_be_visible()
    page.keyboard.press("Alt+Shift+S")
    expect(page.get_by_role("button", name=re.compile("^Online"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(state).to_have_accessible_name(re.compile("^Your status: Online"))


def accept(page, text: str) -> None:
    """Waits for the ring, and takes it by its chord."""
    rings = page.get_by_role("region", name="Offers")
    expect(rings.get_by_text(text)).to_be_visible()
    page.keyboard.press("Alt+Shift+N")
    expect(rings).to_be_hidden()
    expect(page.get_by_role("region", name="Messages", exact=True).get_by_text(text)).to_be_visible()


def test_a_shift_by_keyboard_alone(browser, server, demo, centre):
    context = browser.new_context(locale="en-GB")
    agent = AgentPage(context, server)
    page, keys = agent.page, agent.page.keyboard
    page.add_init_script(
        "addEventListener('pointerdown', () => { document.title = 'a pointer was used'; window.pointed = true; }, true)"
    )
    sign_in(page, demo)
    go_online(page)
    first, second = Talker(server, demo), Talker(server, demo)

    first.say("Where is my parcel 4711?")
    accept(page, "Where is my parcel 4711?")
    # A person who writes at once writes a reply: no letter is a shortcut.
    expect(agent.composer).to_be_focused()
    keys.type("/hel")
    expect(page.get_by_role("option", name=re.compile("Greeting"))).to_be_visible()
    keys.press("Enter")
    expect(agent.composer).to_have_value(re.compile("^Hello, here is "))
    keys.press("Enter")
    keys.type(ANSWER)
    keys.press("Enter")
    expect(agent.text(ANSWER)).to_be_visible()

    keys.press("Alt+Shift+P")
    note = page.get_by_role("textbox", name=re.compile("^Private note about"))
    expect(note).to_be_focused()
    keys.type(NOTE)
    keys.press("Enter")
    expect(agent.messages.get_by_text(NOTE)).to_be_visible()
    keys.press("Escape")
    expect(agent.composer).to_be_focused()

    keys.press("Escape")
    keys.press("v")
    expect(agent.recorder).to_be_visible()
    keys.press("v")
    expect(agent.recorder.get_by_role("timer")).to_have_text(from_second(2))
    keys.press("s")
    expect(agent.recorder.get_by_role("button", name="Send voice message")).to_be_focused()
    keys.press("Enter")
    expect(agent.voice).to_be_visible()

    page.locator("#messages").focus()
    keys.press("b")
    expect(page.get_by_role("dialog", name="Promise to be back")).to_be_visible()
    keys.press("3")
    expect(agent.messages.get_by_text(re.compile("^You promised to be back by"))).to_be_visible()

    second.say("My invoice is wrong")
    accept(page, "My invoice is wrong")
    keys.press("Alt+Shift+R")
    dialog = page.get_by_role("dialog", name=re.compile("^Transfer"))
    expect(dialog.get_by_role("searchbox")).to_be_focused()
    keys.type(BACK)
    expect(dialog.get_by_role("radio", name=re.compile("^Back(?! to)"))).to_be_visible()
    keys.press("Tab")
    keys.press("ArrowDown")
    keys.press("Tab")
    keys.type(HAND_OVER)
    press_until_focused(page, dialog.get_by_role("button", name="Transfer"))
    keys.press("Enter")
    expect(dialog).to_be_hidden()
    moved = next(row for row in rows_of(server, demo) if row["c"] == second.who.conversation)
    assert (moved["status"], moved["routing"]["skill"]) == ("waiting", BACK), moved

    keys.press("Alt+Shift+M")
    expect(agent.text(ANSWER)).to_be_visible()
    page.locator("#messages").focus()
    keys.press("Alt+Shift+W")
    about = page.get_by_role("dialog", name="How did it end?")
    expect(about.get_by_role("radio").first).to_be_focused()
    keys.press("Space")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="You have no open conversations")).to_be_visible()
    expect(agent.tab("Mine")).to_be_focused()

    said = first.events()
    assert any(event.get("text") == ANSWER for event in said) and any(
        "audio" in event and event["by"] > 1 for event in said
    ), said
    assert any("callback" in event for event in said) and any("closed" in event for event in said), said
    told = str(said) + str(second.events())
    assert NOTE not in told and HAND_OVER not in told, told
    assert not page.evaluate("window.pointed === true")
    second.end()
    context.close()


def test_closing_a_conversation_continues_with_the_one_due_next(browser, server, demo, centre):
    """Three of mine: each that is closed gives way to the one with the least time left, with the focus in it, until
    none is left."""
    context = browser.new_context(locale="en-GB")
    agent = AgentPage(context, server)
    page, keys = agent.page, agent.page.keyboard
    sign_in(page, demo)
    go_online(page)
    texts = ["The oldest question", "The question between", "The youngest question"]
    for text in texts:
        Talker(server, demo).say(text)
        accept(page, text)
    conversation = page.get_by_role("region", name=re.compile("^Conversation with"))
    # Out of the text field, in which letters are no shortcuts.
    keys.press("Escape")
    for following in texts[:2]:
        keys.press("e")
        expect(page.get_by_role("dialog", name="How did it end?").get_by_role("radio").first).to_be_focused()
        keys.press("Space")
        keys.press("Enter")
        expect(agent.messages.get_by_text(following)).to_be_visible()
        expect(conversation).to_be_focused()
    page.get_by_role("button", name="Close conversation").click()
    page.get_by_role("dialog").get_by_role("radio").first.check()
    page.get_by_role("dialog").get_by_role("button", name="Close conversation").click()
    expect(page.get_by_role("heading", name="You have no open conversations")).to_be_visible()
    expect(agent.tab("Mine")).to_be_focused()
    context.close()


def test_two_agents_accept_at_once_and_one_is_told_who_was_faster(browser, server, demo, manager, centre, nightly):
    put(manager, "skills", [skill(FRONT, default=True, accept="offerToAll"), skill(BACK)])
    people = manager.session.get(f"{manager.base}/v1/agents", timeout=20).json()["agents"]
    put(manager, "people", [{"agent": person["id"], "skills": [FRONT, BACK], "capacity": 20} for person in people])
    contexts = [browser.new_context(locale="en-GB") for _ in range(2)]
    agents = [AgentPage(context, server) for context in contexts]
    for agent, login in zip(agents, (demo.agent, demo.manager), strict=True):
        agent.sign_in(demo, login)
        go_online(agent.page)
    met, wanted = 0, 100 if nightly else 3
    for number in range(3 * wanted):
        if met == wanted:
            break
        text = f"Who is first, {number}?"
        Talker(server, demo).say(text)
        for agent in agents:
            expect(agent.page.get_by_role("region", name="Offers").get_by_text(text)).to_be_visible()
        moment = agents[0].page.evaluate("Date.now() + 500")
        for agent in agents:
            agent.page.evaluate(ACCEPT_AT, moment)
        both = [agent.page.evaluate("window.pressed") for agent in agents]
        for agent in agents:
            expect(agent.page.get_by_role("region", name="Offers").get_by_text(text)).to_be_hidden()
        if both != [True, True]:
            # One page was slower than the server's answer: its offer was gone already, so no agent was too late.
            agents[both.index(True)].close_conversation(anyway=True)
            continue
        met += 1
        for agent in agents:
            expect(agent.messages.get_by_text(text)).to_be_visible()
        for agent in agents:
            conversation = agent.page.get_by_role("region", name=re.compile("^Conversation with"))
            expect(conversation.get_by_text(re.compile("^Assigned to .+$")).first).to_be_visible()
        answering = [agent.page.get_by_role("button", name="Close conversation").count() for agent in agents]
        assert sorted(answering) == [0, 1], answering
        loser = agents[answering.index(0)]
        expect(loser.page.get_by_role("alert").get_by_text(re.compile("took this conversation first"))).to_be_visible()
        agents[answering.index(1)].close_conversation(anyway=True)
    assert met == wanted, f"they met {met} times"
    for context in contexts:
        context.close()


def test_an_offer_covers_none_of_the_agents_controls(browser, server, demo, manager, centre):
    """On every page, wide and on a phone, the page makes way for the card."""
    put(manager, "skills", [skill(FRONT, default=True, accept="offerToAll", offerSeconds=300), skill(BACK)])
    context = browser.new_context(locale="en-GB")
    page = AgentPage(context, server).sign_in(demo, demo.manager).page
    go_online(page)
    talkers = [Talker(server, demo) for _ in range(2)]
    for number, talker in enumerate(talkers):
        talker.say(f"May I come in, {number}?")
    rings = page.get_by_role("region", name="Offers")
    # One is a card, the other a row, which brings its card up.
    other = rings.get_by_role("button", name=re.compile("^Show the offer"))
    expect(other).to_have_count(1)
    said = other.inner_text()
    other.click()
    expect(rings.get_by_role("article")).to_have_count(1)
    expect(other).to_have_count(1)
    assert other.inner_text() != said
    for place in ("all", "admin/people", "wall"):
        page.goto(f"{server.url}/workspace/#/{place}")
        beneath = page.get_by_role("tabpanel") if place == "all" else page.locator("#page")
        for size in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
            page.set_viewport_size(size)
            expect(beneath).to_be_visible()
            # The page makes way in the frame after the one in which the card grew.
            page.wait_for_function(APART, arg=[beneath.element_handle(), rings.element_handle()])
    for talker in talkers:
        talker.end()
    expect(rings).to_be_hidden()
    context.close()


def press_until_focused(page, wanted, limit: int = 30) -> None:
    for _ in range(limit):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{limit} times Tab did not lead to {wanted}")


def rows_of(server, demo: Demo) -> list[dict]:
    """The inbox, as another agent's page gets it."""
    who = api.Agent(server.url, demo.account, demo.manager)

    async def look() -> list[dict]:
        link = await wire.Link.open(server.socket_url, {"ticket": who.ticket()}, origin=server.url)
        rows = (await link.until("ready"))["ready"]["rows"]
        await link.close()
        return rows

    return wire.run(look())
