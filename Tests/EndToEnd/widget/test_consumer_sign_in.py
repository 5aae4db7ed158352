"""Consumers whom the brand's page signs in, in real browsers: the same person on two devices, another person on the
same device, and what remains on the device."""

import re
from pathlib import Path

import pytest
import requests
from playwright.sync_api import expect

from support import api
from support.browser import device_storage
from support.browser.pages import AgentPage, ConsumerPage, signed_in_state
from support.identity_provider import IdentityProvider, encoded

SECRET = "My account number is 4711 and my dog is called Rex"
STORED_DRAFT = """() => new Promise((done, failed) => {
  const open = indexedDB.open('earshot.voice');
  open.onerror = () => failed(open.error);
  open.onsuccess = () => {
    const ask = open.result.transaction('values').objectStore('values').getAllKeys();
    ask.onsuccess = () => { open.result.close(); done(ask.result.some(([, name]) => name.endsWith('draft'))); };
  };
})"""
IN_THE_CLEAR = "What a page stores in the clear"
UNSENT_VISITOR = "A text that the visitor did not send yet"
UNSENT = "A text that Beatrix did not send yet"
ADA = {"name": "Ada Lovelace", "email": "ada@mail.example", "loyalty_number": "L-2041"}


@pytest.fixture(scope="module")
def provider(tmp_path_factory) -> IdentityProvider:
    return IdentityProvider(tmp_path_factory.mktemp("provider"))


@pytest.fixture(scope="module")
def manager_state(browser, server, demo) -> dict:
    return signed_in_state(browser, server, demo, demo.manager)


@pytest.fixture(autouse=True)
def saved(provider, manager):
    claims = [{"claim": "loyalty_number", "label": "Loyalty number"}]
    answer = manager.session.put(
        f"{manager.base}/v1/identity-provider",
        json=provider.setting(claims=claims),
        headers=manager.headers,
        timeout=20,
    )
    assert answer.status_code == 200, answer.text


class Shop(ConsumerPage):
    """The demo shop, whose page signs people in."""

    def __init__(self, context, server, provider: IdentityProvider):
        super().__init__(context, server)
        self.provider = provider
        self.person = ""
        self.claims: dict = {}
        self.lasts = 300
        self.asked = 0
        self.page.expose_function("idToken", self.token)

    def token(self) -> str:
        self.asked += 1
        return self.provider.token(self.person, self.lasts, **self.claims)

    def sign_in(self, person: str, lasts: int = 300, **claims) -> "Shop":
        self.person, self.lasts, self.claims = person, lasts, claims
        with self.page.expect_response(re.compile("/v1/consumers/sign-in")) as answer:
            self.page.evaluate("Earshot.identify(() => idToken())")
        assert answer.value.status == 200, answer.value.text()
        return self

    def sign_out(self) -> None:
        with self.page.expect_response(re.compile(r"/v1/consumers(/me)?$")):
            self.page.evaluate("Earshot.signOut()")


@pytest.fixture
def new_shop(new_context, server, provider):
    return lambda: Shop(new_context(), server, provider)


def test_a_person_has_one_conversation_on_two_devices(new_shop, new_context, server, demo, manager_state):
    anonymous, signed_in, private = api.new_id(), api.new_id(), api.new_id()
    shop = new_shop().open()
    shop.say(f"Anonymous {anonymous}")
    shop.sign_in("ada", **ADA).open()
    expect(shop.messages.filter(has_text="Anonymous")).to_have_count(0)
    shop.say(f"Signed in {signed_in}")

    phone = new_shop().sign_in("ada", **ADA).open()
    expect(phone.text(f"Signed in {signed_in}")).to_be_visible()
    expect(phone.messages.filter(has_text="Anonymous")).to_have_count(0)
    phone.say(f"From the phone {private}")
    expect(shop.text(f"From the phone {private}")).to_be_visible()

    agent = new_context(storage_state=manager_state)
    workspace = AgentPage(agent, server)
    workspace.tab("Waiting").click()
    workspace.open_row(private)
    card = workspace.page.get_by_role("complementary", name="Customer")
    for text in ("Ada Lovelace", "ada@mail.example", "Loyalty number", "L-2041", "verified"):
        expect(card.get_by_text(text, exact=True).first).to_be_visible()
    related = card.get_by_role("listitem").filter(has_text="Anonymous")
    expect(related).to_have_count(1)
    related.get_by_role("link").click()
    expect(workspace.page.get_by_label("Messages", exact=True).get_by_text(f"Anonymous {anonymous}")).to_be_visible()

    shop.sign_out()
    shop.open()
    expect(shop.text(f"Anonymous {anonymous}")).to_be_visible()
    expect(shop.messages.filter(has_text="Signed in")).to_have_count(0)


def test_nothing_of_a_person_remains_on_the_device(
    playwright, browser_type_launch_args, tmp_path, server, provider, browser_name
):
    profile = tmp_path / "profile"
    context = playwright.chromium.launch_persistent_context(str(profile), **browser_type_launch_args)
    shop = Shop(context, server, provider).open()
    shop.say("The visitor's text")
    shop.composer.fill(UNSENT_VISITOR)
    shop.frame.wait_for_function(STORED_DRAFT)
    token = device_storage.identity(shop.frame)["token"]
    shop.page.evaluate("text => localStorage.setItem('premise', text)", IN_THE_CLEAR)
    shop.sign_in("bea-of-the-profile", name="Beatrix Profile").open()
    shop.say(SECRET)
    shop.composer.fill(UNSENT)
    shop.record(1)
    shop.widget.get_by_role("button", name="Stop and listen").click()
    expect(shop.widget.get_by_role("button", name="Delete recording")).to_be_visible()
    shop.sign_out()
    shop.open()
    left = shop.frame.evaluate("() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie")
    assert ".user." not in left, left
    # Another person on the same device has a conversation with nothing in it.
    shop.sign_in("cleo").open()
    expect(shop.messages.filter(has_text="Rex")).to_have_count(0)
    context.close()
    assert files_with(profile, IN_THE_CLEAR), "the premise: what a page stores in the clear is found"
    found = {text: files_with(profile, text) for text in (token, UNSENT_VISITOR, UNSENT, SECRET, "Beatrix Profile")}
    assert not any(found.values()), found


def files_with(folder: Path, text: str) -> list[str]:
    """The files in the folder that hold the text, as UTF-8 or as UTF-16."""
    forms = [text.encode(), text.encode("utf-16-le")]
    files = (path for path in folder.rglob("*") if path.is_file())
    return [str(path.relative_to(folder)) for path in files if any(form in path.read_bytes() for form in forms)]


def test_a_draft_survives_a_reload_encrypted(new_shop):
    shop = new_shop().open()
    shop.sign_in("ines").open()
    shop.composer.fill("A draft of Ines")
    shop.frame.wait_for_function(STORED_DRAFT)
    assert "A draft" not in shop.frame.evaluate("() => JSON.stringify(localStorage)")
    shop.page.reload()
    shop.sign_in("ines").open()
    expect(shop.composer).to_have_value("A draft of Ines")
    shop.sign_in("jon").open()
    expect(shop.composer).to_have_value("")


def test_another_person_on_the_page_gets_their_own_conversation(new_shop):
    shop = new_shop().open()
    shop.sign_in("dora").open()
    shop.say("Only Dora may read this")
    shop.sign_in("emil").open()
    expect(shop.composer).to_be_visible()
    expect(shop.messages.filter(has_text="Dora")).to_have_count(0)
    shop.sign_in("dora").open()
    expect(shop.text("Only Dora may read this")).to_be_visible()


def test_the_conversation_stays_open_with_fresh_tokens_and_closes_without(new_shop):
    shop = new_shop().open()
    sockets = []
    shop.page.on("websocket", lambda socket: sockets.append(socket.url))
    shop.sign_in("fay", lasts=8).open()
    shop.say("Still here")
    before = len(sockets)
    with shop.page.expect_response(re.compile("/v1/consumers/sign-in")):
        pass
    with shop.page.expect_response(re.compile("/v1/consumers/sign-in")):
        pass
    shop.say("After two renewals")
    assert len(sockets) == before and shop.asked >= 3, "renewed in band, on the same socket"
    # The page no longer has a token: its person's session at the brand is over.
    shop.page.evaluate("void (Earshot.user = () => new Promise(() => {}))")
    expect(shop.widget.get_by_role("alert")).to_be_visible()
    expect(shop.messages).to_have_count(0)


def test_a_page_that_has_no_token_at_first_is_asked_again(new_shop):
    shop = new_shop()
    shop.person = "gita"
    shop.page.evaluate("""void Earshot.identify(() =>
      window.hasToken ? idToken() : Promise.reject(new Error('The provider does not answer')))""")
    shop.launcher.click()
    expect(shop.widget.get_by_text("We can’t be reached right now")).to_be_visible()
    shop.page.evaluate("void (window.hasToken = true)")
    expect(shop.composer).to_be_visible()
    shop.say("Signed in at last")
    assert shop.asked == 1


def forged(provider: IdentityProvider, tmp_path) -> dict[str, str]:
    other = IdentityProvider(tmp_path)
    good = provider.token("gus")
    head, body, signature = good.split(".")
    none = encoded(b'{"alg":"none"}')
    return {
        "id_token_malformed": "rubbish",
        "id_token_signature_wrong": other.token("gus"),
        "id_token_expired": provider.token("gus", lasts=-120, iat=1_700_000_000, exp=1_700_000_300),
        "id_token_not_yet_valid": provider.token("gus", iat=4_000_000_000, exp=4_000_000_300),
        "id_token_issuer_wrong": provider.token("gus", iss="https://id.demo.example/"),
        "id_token_audience_wrong": provider.token("gus", aud=["other"]),
        "id_token_subject_invalid": provider.token("", sub=""),
        "id_token_times_invalid": provider.token("gus", exp=None),
        "id_token_lifetime_too_long": provider.token("gus", lasts=25 * 3600),
        "id_token_algorithm_not_allowed": f"{none}.{body}.{signature}",
        "id_token_header_unsupported": provider.token("gus", header={"alg": "RS256", "crit": ["exp"]}),
        "id_token_type_wrong": provider.token("gus", header={"alg": "RS256", "typ": "at+jwt"}),
    }


def test_forged_tokens_open_nothing_and_are_in_the_audit_log(server, demo, manager, provider, tmp_path):
    address = f"{server.url}/v1/consumers/sign-in"
    arrival = {"account": demo.account, "app": demo.app}
    for reason, token in forged(provider, tmp_path).items():
        answer = requests.post(address, json={**arrival, "idToken": token}, timeout=20)
        assert (answer.status_code, api.code_of(answer)) == (401, "id_token_refused"), (reason, answer.text)
        assert "id_token_" not in answer.json()["error"]["text"], "only the audit log has the reason"
    entries = manager.session.get(
        f"{server.url}/v1/audit", params={"what": "consumer.signInFailed"}, timeout=20).json()["entries"]
    assert {"id_token_expired", "id_token_signature_wrong"} <= {one["detail"] for one in entries}
    assert requests.post(address, json={**arrival, "idToken": provider.token("gus")}, timeout=20).ok


def test_tokens_are_not_in_the_server_s_log(server, demo, provider):
    token = provider.token("hal")
    answer = requests.post(
        f"{server.url}/v1/consumers/sign-in", json={"account": demo.account, "app": demo.app, "idToken": token},
        timeout=20)
    log = server.log_tail(10_000)
    for secret in (token, answer.json()["token"]):
        assert secret not in log, "a token in the log"


def test_a_manager_sets_the_provider_and_removes_it(new_context, server, manager, provider, manager_state):
    manager.session.delete(f"{manager.base}/v1/identity-provider", json={}, headers=manager.headers, timeout=20)
    page = new_context(storage_state=manager_state).new_page()
    page.goto(f"{server.url}/workspace/#/admin/signIn")
    expect(page.get_by_text("No identity provider yet")).to_be_visible()
    save = page.get_by_role("button", name="Save provider")
    expect(save).to_be_disabled()
    page.get_by_label("Issuer").fill("https://id.demo.example")
    page.get_by_label("Client ID").fill("earshot-demo")
    page.get_by_label("Public keys").fill(provider.key.read_text())
    save.click()
    expect(page.get_by_role("alert")).to_contain_text("private key")
    page.get_by_label("Public keys").fill(provider.public_key)
    page.get_by_label("Further claims").fill("loyalty_number: Loyalty number")
    save.click()
    expect(page.get_by_text("RS256 key in use")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Further claims")).to_have_value("loyalty_number: Loyalty number")
    page.get_by_role("button", name="Remove provider…").click()
    page.get_by_role("button", name="Remove now").click()
    expect(page.get_by_text("No identity provider yet")).to_be_visible()
