"""As each role, and as a profile of one permission with what it needs: all that the workspace offers is allowed, and
all that is allowed is offered."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support import api, contact_centre, wire
from support.browser.accessibility import assert_accessible
from support.demo import Login

DECLARED = (Path(__file__).parents[3] / "Web/protocol/permissions.ts").read_text().split("\n  },")
# The permissions that a brand's profile can have, with what each needs.
NEEDS = {
    re.search(r'id: "([\w.]+)"', one)[1]: re.findall(r'"([\w.]+)"', re.search(r"needs: \[([^\]]*)\]", one)[1])
    for one in DECLARED
    if "custom: true" in one
}
assert len(NEEDS) > 15, NEEDS
# The permissions of the built-in profiles.
ROLES = {
    role: {re.search(r'id: "([\w.]+)"', one)[1] for one in DECLARED if re.search(rf'builtIn: \[.*"{role}"', one)}
    for role in ("agent", "manager", "administrator")
}
assert len(ROLES["agent"]) < len(ROLES["manager"]) < len(ROLES["administrator"]), ROLES

# What is offered in a conversation, and the permission that it needs: by whose conversation it is.
ANSWER, CLOSE, NOTES = "conversations.answer", "conversations.close", "notes.read"
OFFERS: dict[str, dict[str, tuple[str, str]]] = {
    "waiting": {
        "Take": ("button", ANSWER),
        "Reply to": ("textbox", ANSWER),
        "Mark as urgent": ("button", ANSWER),
        "Transfer…": ("button", "conversations.transferOthers"),
        "Download as evidence": ("link", "conversations.export"),
    },
    "colleague's": {
        "Join": ("button", "conversations.join"),
        "Take over": ("button", "conversations.takeOver"),
        "Transfer…": ("button", "conversations.transferOthers"),
        "Return to queue": ("button", "conversations.transferOthers"),
        "Close conversation": ("button", "conversations.closeOthers"),
        "Private note": ("textbox", NOTES),
    },
    "own": {
        "Reply to": ("textbox", ANSWER),
        "Promise to be back…": ("button", ANSWER),
        "Transfer…": ("button", ANSWER),
        "Return to queue": ("button", ANSWER),
        "Close conversation": ("button", CLOSE),
    },
}
SETTINGS = (
    "Skills,Opening hours,Routing rules,Workload,Timeouts and absence,Automatic messages,Canned replies,Wrap-up,Survey,"
    "Voice messages,Calls,Privacy,History"
)
SECTIONS = {
    "settings.change": SETTINGS.split(","),
    "seats.change": ["People"],
    "brand.change": ["Brand"],
    "retention.change": ["Privacy"],
    "audit.read": ["Audit"],
    "identityProvider.change": ["Customer sign-in"],
    "people.change": ["People", "Profiles"],
    "keys.manage": ["API keys"],
}


def closure(permission: str) -> set[str]:
    """The permission with all that it needs, as the page Profiles switches them on."""
    found = {permission, "conversations.read"}
    while True:
        wider = found | {need for one in found for need in NEEDS[one]}
        if wider == found:
            return found
        found = wider


class World:
    """Omar with a profile of his own, and Mira, who changes it."""

    def __init__(self, server, demo):
        self.server, self.demo = server, demo
        people = contact_centre.people(server, demo, "dana", "mira")
        self.dana, self.mira = people["dana"], people["mira"]
        entry = next(entry for entry in contact_centre.logins(server) if entry["name"].startswith("Omar"))
        self.login = Login(entry["email"], entry["password"])
        self.sign_in()
        self.profile = self.ask("POST", "/v1/profiles", {"name": "One", "permissions": []})["profile"]["id"]

    def ask(self, method: str, path: str, body: dict) -> dict:
        answer = self.mira.session.request(
            method, self.mira.base + path, json=body, headers=self.mira.headers, timeout=20
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def sign_in(self) -> None:
        """Signs Omar in once for requests and for the browser: sign-ins are throttled."""
        self.omar = api.Agent(self.server.url, self.demo.account, self.login)
        self.cookies = [
            {"name": one.name, "value": one.value, "url": self.server.url} for one in self.omar.session.cookies
        ]

    def become(self, role: str) -> None:
        """Gives Omar the built-in profile of a role, which signs him out."""
        self.ask("PATCH", f"/v1/agents/{self.omar.id}", {"profile": "built-in", "role": role})
        self.sign_in()

    def give(self, profile: str) -> None:
        self.ask("PATCH", f"/v1/agents/{self.omar.id}", {"profile": profile})

    def prepare(self, permissions: set[str]) -> dict[str, str]:
        """A conversation that waits, one of Dana and one of Omar, who then has these permissions alone."""
        self.give("built-in")
        conversations = self.converse()
        self.ask("PUT", f"/v1/profiles/{self.profile}", {"name": "One", "permissions": sorted(permissions)})
        self.give(self.profile)
        return conversations

    def converse(self) -> dict[str, str]:
        asked = {kind: api.new_consumer(self.server.url, self.demo) for kind in OFFERS}
        wire.run(self.begin(asked))
        return {kind: consumer.conversation for kind, consumer in asked.items()}

    async def begin(self, asked: dict[str, api.Consumer]) -> None:
        for kind, consumer in asked.items():
            live = await wire.Link.open(self.server.socket_url, {"token": consumer.token})
            await live.until("ready")
            await live.send({"send": "1", "text": "Where is my marmalade?"})
            await live.until("ok")
            await live.close()
            taker = {"colleague's": self.dana, "own": self.omar}.get(kind)
            if taker is not None:
                live = await wire.Link.open(self.server.socket_url, {"ticket": taker.ticket()})
                await live.until("ready")
                await live.send({"take": api.new_id(), "c": consumer.conversation})
                await live.until("ok")
                await live.close()


@pytest.fixture(scope="module")
def world(server, demo):
    return World(server, demo)


@pytest.fixture
def new_page(world, browser):
    contexts = []

    def make() -> Page:
        size = {"width": 1440, "height": 900}
        contexts.append(browser.new_context(viewport=size, reduced_motion="reduce"))
        contexts[-1].add_cookies(world.cookies)
        return contexts[-1].new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page):
    return new_page()


def collect_refusals(page: Page) -> list[str]:
    """Everything that the server refuses to this page from now on because of a permission."""
    refused: list[str] = []

    def heard(frame) -> None:
        if '"forbidden"' in str(frame) or '"unknown_frame"' in str(frame):
            refused.append(str(frame))

    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    page.on("websocket", lambda socket: socket.on("framereceived", heard))
    return refused


def open_conversation(page: Page, world: World, conversation: str) -> Locator | None:
    """Opens it with its menu. `None`: the person does not see it."""
    page.goto(f"{world.server.url}/workspace/#/all/{conversation}")
    here = page.get_by_role("region", name=re.compile("^Conversation with Visitor"))
    gone = page.get_by_role("heading", name="This conversation can’t be opened")
    expect(here.get_by_text("Where is my marmalade?").or_(gone)).to_be_visible()
    if gone.is_visible():
        return None
    here.get_by_role("button", name="More actions").click()
    return here


@pytest.mark.parametrize("permission", NEEDS)
def test_offers_what_one_permission_allows_and_nothing_else(page, world, permission):
    has = closure(permission)
    if ACTS.get(permission, ("", None))[0] == "colleague's":
        has |= {"conversations.all"}
    check_offers(page, world, world.prepare(has), has)


def check_offers(page: Page, world: World, conversations: dict[str, str], has: set[str]) -> None:
    refused = collect_refusals(page)
    for kind, offers in OFFERS.items():
        here = open_conversation(page, world, conversations[kind])
        assert (here is not None) == (kind != "colleague's" or "conversations.all" in has), kind
        if here is None:
            continue
        expect(here.get_by_role("button", name=re.compile("^Routing details"))).to_be_visible()
        for name, (role, needed) in offers.items():
            offer = here.get_by_role(role, name=re.compile(f"^{re.escape(name)}"))
            # What was someone's who may no longer answer is back in the queue.
            is_allowed = needed in has and (kind != "own" or ANSWER in has)
            expect_offer(offer, is_allowed, f"{name}, {kind}, with {sorted(has)}")
        if ANSWER not in has:
            expect(here.get_by_text("You can read this conversation.")).to_be_visible()
        card = page.get_by_role("complementary", name="Customer")
        expect(card.get_by_text("Conversation ID")).to_be_visible()
        expect_offer(card.get_by_role("combobox", name="Add a tag"), ANSWER in has, f"Add a tag, with {sorted(has)}")
        page.keyboard.press("Escape")
    status = page.get_by_role("button", name=re.compile("^Your status"))
    expect_offer(status, ANSWER in has, f"Your status, with {sorted(has)}")
    visit_pages(page, world, has)
    assert refused == []


def expect_offer(offer: Locator, is_allowed: bool, message: str) -> None:
    """Waits: parts of the page are loaded when they are first shown."""
    if is_allowed:
        expect(offer.first, message).to_be_visible()
    else:
        expect(offer, message).to_have_count(0)


def visit_pages(page: Page, world: World, has: set[str]) -> None:
    """Opens every page and section that is offered, and the ones that are not by their address."""
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    names = {link.get_attribute("aria-label") for link in links.all()}
    sections = {name for one in has for name in SECTIONS.get(one, [])}
    expected = {"Inbox"} | ({"Search"} if "history.search" in has else set())
    expected |= ({"Live wall"} if "wall.read" in has else set()) | ({"Settings"} if sections else set())
    assert names == expected
    page.goto(f"{world.server.url}/workspace/#/search")
    allowed(page, page.get_by_role("searchbox", name="Search conversations"), "to search.", "history.search" in has)
    page.goto(f"{world.server.url}/workspace/#/wall")
    allowed(page, page.get_by_role("table", name="Queues"), "to see the live wall.", "wall.read" in has)
    page.goto(f"{world.server.url}/workspace/#/admin")
    nav = page.get_by_role("navigation", name="Sections")
    allowed(page, nav, "to change settings.", bool(sections))
    if not sections:
        return
    links = nav.get_by_role("link")
    assert {link.inner_text() for link in links.all()} == sections
    for link in links.all():
        name = link.inner_text()
        link.click()
        # The navigation has a heading of this name too where it is that of a group.
        expect(page.get_by_role("heading", name=name, exact=True).last).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert page.get_by_text("couldn’t be loaded").count() == 0, name
    if "audit.read" not in has:
        page.goto(f"{world.server.url}/workspace/#/admin/audit")
        expect(page.get_by_role("heading", name="You don’t have permission to see this section.")).to_be_visible()


def allowed(page: Page, shown: Locator, what: str, is_allowed: bool) -> None:
    refusal = page.get_by_role("heading", name=f"You don’t have permission {what}")
    expect(shown if is_allowed else refusal).to_be_visible()
    expect(refusal if is_allowed else shown).to_have_count(0)


# What a person does with one permission, on whose conversation, and what is then to be seen.
def reply(page: Page, here: Locator) -> None:
    here.get_by_role("textbox", name=re.compile("^Reply to")).fill("It is in the post.")
    page.keyboard.press("Enter")
    expect(here.get_by_text("Assigned to you")).to_be_visible()


def write_note(page: Page, here: Locator) -> None:
    here.get_by_role("textbox", name=re.compile("^Private note")).fill("Ask Lea.")
    page.keyboard.press("Enter")
    expect(here.get_by_role("list").get_by_text("Ask Lea.")).to_be_visible()


def press(name: str, then: str | re.Pattern):
    def act(page: Page, here: Locator) -> None:
        here.get_by_role("button", name=re.compile(f"^{re.escape(name)}")).last.click()
        expect(page.get_by_text(then).first).to_be_visible()

    return act


def close(then: str | re.Pattern):
    """Nobody has answered: the page warns first."""

    def act(page: Page, here: Locator) -> None:
        here.get_by_role("button", name="Close conversation").last.click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile("Close anyway|Skip and close")).click()
        expect(page.get_by_text(then).first).to_be_visible()

    return act


def join_and_leave(page: Page, here: Locator) -> None:
    here.get_by_role("button", name="Join", exact=True).click()
    expect(here.get_by_text("You joined.", exact=False).first).to_be_visible()
    here.get_by_role("button", name="Leave", exact=True).click()
    expect(here.get_by_role("button", name="Join", exact=True)).to_be_visible()


ACTS = {
    "conversations.answer": ("waiting", reply),
    "notes.read": ("waiting", write_note),
    "conversations.close": ("own", close(re.compile(r"^Closed\. (Next|You)"))),
    "conversations.closeOthers": ("colleague's", close("You closed the conversation.")),
    "conversations.transferOthers": ("colleague's", press("Return to queue", "Returned to the queue")),
    "conversations.takeOver": ("colleague's", press("Take over", "Assigned to you")),
    "conversations.join": ("colleague's", join_and_leave),
}


@pytest.mark.parametrize("permission", ACTS)
def test_what_one_permission_offers_is_not_refused(page, world, permission):
    kind, act = ACTS[permission]
    keeps_own = {ANSWER} if kind == "own" else set()
    conversations = world.prepare(closure(permission) | {"conversations.all"} | keeps_own)
    refused = collect_refusals(page)
    here = open_conversation(page, world, conversations[kind])
    assert here is not None
    if act in (reply, write_note, join_and_leave):
        page.keyboard.press("Escape")
    act(page, here)
    assert refused == []


def test_the_page_follows_a_change_of_the_profile(page, world):
    conversations = world.prepare({"conversations.all"})
    here = open_conversation(page, world, conversations["waiting"])
    page.keyboard.press("Escape")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, f"a conversation that can only be read, {scheme}")
    expect(here.get_by_role("textbox")).to_have_count(0)
    world.ask("PUT", f"/v1/profiles/{world.profile}", {"name": "One", "permissions": [ANSWER, "conversations.all"]})
    expect(here.get_by_role("textbox", name=re.compile("^Reply to"))).to_be_visible()
    expect(here.get_by_text("You can read this conversation.")).to_have_count(0)


def test_search_results_without_words_have_a_preview(page, world):
    world.prepare({"conversations.all", "history.search"})
    page.goto(f"{world.server.url}/workspace/#/search")
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("search").get_by_label("Status").select_option("waiting")
    results = page.get_by_role("list", name="Search results")
    expect(results.get_by_role("link").first).to_be_visible()
    results.get_by_role("listitem").first.hover()
    results.get_by_role("button", name=re.compile("^Preview the conversation")).first.click()
    preview = page.get_by_role("dialog", name=re.compile("^Preview"))
    expect(preview.get_by_text("Where is my marmalade?")).to_be_visible()
    preview.get_by_role("button", name="Close").click()
    results.get_by_role("link").first.focus()
    page.keyboard.press("p")
    expect(preview.get_by_text("Where is my marmalade?")).to_be_visible()
    preview.get_by_role("button", name="Open conversation").click()
    expect(page.get_by_role("region", name=re.compile("^Conversation with Visitor"))).to_be_visible()


@pytest.mark.parametrize("role", ROLES)
def test_offers_what_a_role_allows_and_nothing_else(new_page, world, role):
    if role != "agent":
        world.become(role)
    else:
        world.give("built-in")
    check_offers(new_page(), world, world.converse(), ROLES[role])
