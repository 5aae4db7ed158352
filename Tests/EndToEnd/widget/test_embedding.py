"""The widget on a page of another origin: the launcher from its first paint, and each mistake in embedding it, which
the page, its console and the server's log say in words."""

import re
import shutil

import pytest
import requests
from playwright.sync_api import Page, expect

from support.brand_site import Site
from support.browser import device_storage
from support.browser.pages import ConsumerPage, signed_in_state
from support.command import add_app
from support.identity_provider import IdentityProvider

NOT_HERE = "Messages are not available on this page"
LOOK = """button => { const [own, icon] = [getComputedStyle(button), getComputedStyle(button, '::before')];
  return { ground: own.backgroundColor, ink: icon.backgroundColor, shape: icon.clipPath,
    left: button.getBoundingClientRect().left }; }"""


class Shop(ConsumerPage):
    """A page of a brand's own site, and what is in its console."""

    def __init__(self, page: Page, address: str):
        self.page = page
        self.console: list[str] = []
        page.on("console", lambda message: self.console.append(message.text))
        page.goto(address)

    def hears(self, words: str) -> None:
        while not any(words in line for line in self.console):
            self.page.wait_for_event("console")


@pytest.fixture
def site():
    made = Site()
    yield made
    made.close()


@pytest.fixture
def visit(new_context, site):
    """Opens the brand's page with these lines on it."""

    def visit(lines: str, context=None) -> Shop:
        site.page = f"<!doctype html><title>A shop</title><h1>A shop</h1>{lines}"
        return Shop((context or new_context()).new_page(), f"{site.origin}/")

    return visit


def line(server, account: str, app: str) -> str:
    return f'<script src="{server.url}/embed/{account}/{app}.js"></script>'


def patch(manager, path: str, **fields) -> None:
    answer = manager.session.patch(f"{manager.base}{path}", json=fields, headers=manager.headers, timeout=20)
    assert answer.status_code == 200, answer.text


@pytest.fixture
def own(server, demo, site) -> str:
    """The line of an app that this site may embed."""
    app = f"own-{site.server.server_port}"
    add_app(server, demo, app, site.origin)
    return line(server, demo.account, app)


@pytest.fixture(scope="module")
def visitor_state(server, demo) -> dict:
    return device_storage.newcomer(server, demo)


@pytest.fixture
def visitor(new_context, server, visitor_state) -> Shop:
    """A visitor on the server's own page. There browsers let the widget store things, as where a shop is on the same
    site as the server."""
    return Shop(new_context(storage_state=visitor_state).new_page(), f"{server.url}/demo/")


def test_the_launcher_has_the_brands_look_before_it_is_opened(visit, server, demo, manager, site, own):
    before = manager.session.get(f"{manager.base}/v1/brand", timeout=20).json()["brand"]
    app = re.search(r"own-\d+", own)[0]
    patch(manager, "/v1/brand", color="#ffd400")
    patch(manager, f"/v1/apps/{app}", side="left", icon="question", label="Messages and questions")
    shop = visit(own)
    look = shop.launcher.evaluate(LOOK)
    assert (look["ground"], look["ink"]) == ("rgb(255, 212, 0)", "rgb(18, 22, 20)")
    assert look["left"] == 20
    expect(shop.launcher).to_have_attribute("title", "Messages and questions")
    assert not shop.page.locator("iframe").count(), "the premise: no widget was loaded yet"
    shop.open()
    opened = shop.launcher.evaluate(LOOK)
    assert opened["shape"] != look["shape"] and opened["ground"] == look["ground"]
    shop.page.keyboard.press("Escape")
    shop.launcher.click()
    shop.launcher.click()
    assert shop.launcher.evaluate(LOOK)["shape"] == look["shape"]
    patch(manager, "/v1/brand", color=before["color"])
    # An attribute of the page overrides the setting.
    painted = visit(own.replace("<script ", '<script data-color="#123456" data-label="Messages!" '))
    assert painted.launcher.evaluate(LOOK)["ground"] == "rgb(18, 52, 86)"
    expect(painted.launcher).to_have_attribute("title", "Messages!")


def test_a_page_of_an_origin_that_is_not_allowed_says_so_and_works_once_it_is_allowed(
    visit, browser, new_context, server, demo, manager, site
):
    shop = visit(line(server, demo.account, demo.app))
    sentence = f"Earshot: origin {site.origin} is not allowed for app {demo.app} of {demo.account}."
    shop.hears(sentence)
    shop.console.clear()
    shop.launcher.click()
    expect(shop.widget.get_by_role("heading", name=NOT_HERE)).to_be_visible()
    expect(shop.widget.get_by_text(f"earshot set app {demo.app} --brand {demo.account} --add-origin {site.origin}")
           ).to_be_visible()
    shop.hears(sentence)
    shop.widget.get_by_role("button", name="Close messages").click()
    expect(shop.launcher).to_have_attribute("aria-expanded", "false")
    assert server.log_tail(10_000).count(f"The widget was refused: origin {site.origin}") == 1
    workspace = new_context(storage_state=signed_in_state(browser, server, demo, demo.manager)).new_page()
    workspace.goto(f"{server.url}/workspace/#/admin/brand")
    app = workspace.get_by_role("group", name=f"App {demo.app}")
    expect(app.locator("code")).to_have_text(line(server, demo.account, demo.app).replace("></", " async></"))
    seen = app.get_by_role("list", name="Pages that loaded this app").get_by_role("listitem")
    expect(seen).to_contain_text(f"{site.origin} was refused: it is not one of the websites above.")
    seen.get_by_role("button", name="Allow this website").click()
    expect(seen).to_contain_text(f"{site.origin} may embed the widget now. Reload the page.")
    # Here the page's policy keeps the microphone from the widget, which says so, and nothing else.
    site.headers = {"Permissions-Policy": "microphone=()"}
    allowed = visit(line(server, demo.account, demo.app)).open()
    allowed.say("Allowed now")
    allowed.hears(f'Permissions-Policy: microphone=(self "{server.url}") allows them.')
    assert [words for words in allowed.console if words.startswith("Earshot")] == allowed.console[-1:]
    expect(seen).to_contain_text(f"{site.origin} opened the widget: all right.")
    patch(manager, f"/v1/apps/{demo.app}", origins=[])


def test_a_brand_or_an_app_that_does_not_exist_shows_no_launcher_and_is_named_in_the_console(visit, server, demo):
    for account, app, words in (
        ("tulpi", "shop", "there is no brand tulpi on"), (demo.account, "shopp", "there is no app shopp of"),
    ):
        shop = visit(line(server, account, app))
        shop.hears(f"Earshot: {words}")
        expect(shop.launcher).to_have_count(0)
        # The line without the settings of an app learns of it when the launcher is pressed.
        old = visit(f'<script src="{server.url}/loader.js" data-account="{account}" data-app="{app}"></script>')
        old.launcher.click()
        expect(old.widget.get_by_text(words)).to_be_visible()
        old.hears(f"Earshot: {words}")


def test_the_script_is_the_same_compressed(server, demo):
    url = f"{server.url}/embed/{demo.account}/{demo.app}.js"
    plain = requests.get(url, headers={"Accept-Encoding": "identity"}, timeout=20)
    packed = requests.get(url, headers={"Accept-Encoding": "gzip"}, timeout=20)
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert packed.text == plain.text and packed.headers["ETag"] != plain.headers["ETag"]
    assert int(packed.headers["Content-Length"]) < 2600


@pytest.mark.parametrize("answer", ["''", "null", "undefined", "fetch('/nowhere').then((answer) => answer.text())"])
def test_a_sign_in_that_gives_no_token_means_that_nobody_is_signed_in(visitor, answer):
    shop = visitor
    shop.page.evaluate(f"Earshot.identify(() => {answer})")
    shop.open().say(f"Nobody knows me: {answer}")
    if "fetch" in answer:
        shop.hears("Earshot: the sign-in gave a text that is no ID token.")
    shop.page.evaluate(f"Earshot.identify(() => {answer}, {{ required: true }})")
    expect(shop.widget.get_by_role("heading", name="Sign in to write to us")).to_be_visible()
    expect(shop.composer).to_be_hidden()


def test_a_refused_token_can_be_tried_again_and_does_not_shut_anyone_out(visitor, manager, tmp_path):
    provider = IdentityProvider(tmp_path)
    saved = manager.session.put(
        f"{manager.base}/v1/identity-provider", json=provider.setting(), headers=manager.headers, timeout=20)
    assert saved.status_code == 200, saved.text
    shop = visitor.open()
    shop.say("Before anyone signed in")
    good, bad = provider.token("ada"), provider.token("ada", iss="https://id.demo.example/")
    shop.page.evaluate("token => { window.token = token; Earshot.identify(() => window.token); }", bad)
    screen = shop.widget.get_by_role("heading", name="We couldn’t sign you in")
    expect(screen).to_be_visible()
    shop.hears("Earshot: the sign-in was refused (id_token_refused).")
    edge = shop.frame.evaluate("document.querySelector('.status-screen p').getBoundingClientRect().left")
    assert edge >= 16, "the text does not stick to the edge"
    shop.widget.get_by_role("button", name="Continue without signing in").click()
    expect(shop.text("Before anyone signed in")).to_be_visible()

    shop.page.evaluate("Earshot.identify(() => window.token)")
    expect(screen).to_be_visible()
    shop.page.evaluate("token => { window.token = token; }", good)
    shop.widget.get_by_role("button", name="Try again").click()
    expect(shop.composer).to_be_visible()
    expect(shop.messages.filter(has_text="Before anyone signed in")).to_have_count(0)
    shop.say("Only Ada may read this")

    # The page's person is gone: what was theirs is not shown to the next visitor.
    shop.page.evaluate("Earshot.identify(() => '')")
    expect(shop.text("Before anyone signed in")).to_be_visible()
    expect(shop.messages.filter(has_text="Only Ada")).to_have_count(0)


def test_a_page_without_https_says_that_it_has_no_microphone(site, server, demo, browser_type):
    app, origin = "plain", f"http://shop.test:{site.server.server_port}"
    add_app(server, demo, app, origin)
    site.page = f"<!doctype html><title>A shop</title>{line(server, demo.account, app)}"
    arguments = ["--host-resolver-rules=MAP shop.test 127.0.0.1"]
    browser = browser_type.launch(executable_path=shutil.which("chromium"), headless=True, args=arguments)
    shop = Shop(browser.new_context().new_page(), origin).open()
    shop.hears("Earshot: voice messages do not work on this page. It has to come over https.")
    browser.close()
