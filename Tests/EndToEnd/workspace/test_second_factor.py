"""The second factor: set up, used, required and removed, in a real browser, with pyotp as the person's app."""

import io
import re
import time

import pyotp
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from support import api
from support.browser.accessibility import assert_accessible
from support.browser.pages import sign_in
from support.demo import Login, discover
from support.server import earshot
from support.server_clock import HOUR, Clock

TITLE = "Two-factor authentication"


class App:
    """An authenticator app, whose clock is the server's."""

    def __init__(self, link: str, world: "World"):
        self.totp, self.world = pyotp.parse_uri(link), world

    def code(self) -> str:
        """A code that no one used: the server's clock goes on by a minute."""
        self.world.advance(60)
        return self.totp.at(time.time() + self.world.offset)


class World:
    """A server with a clock, and its people."""

    def __init__(self, new_server, folder):
        self.clock, self.offset = Clock(folder), 0
        self.server = new_server(self.clock.settings).start()
        self.demo = discover(self.server)

    def advance(self, seconds: int) -> None:
        self.offset += seconds
        self.clock.set(self.offset)

    def page(self, new_context) -> Page:
        page = new_context().new_page()
        page.goto(f"{self.server.url}/workspace/")
        return page

    def type_password(self, page: Page, login: Login) -> None:
        sign_in(page, self.demo, login)

    def command(self, *arguments: str):
        return earshot(*arguments, "--brand", self.demo.account, "--data", str(self.server.data))


@pytest.fixture(scope="module")
def world(new_server, tmp_path_factory):
    return World(new_server, tmp_path_factory.mktemp("clock"))


def read_qr(page: Page) -> str:
    """What a camera reads from the page."""
    picture = page.get_by_role("img", name="QR code").screenshot()
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)).convert("L"))
    assert len(found) == 1, "the QR code can be read"
    return found[0].text


def set_up(page: Page, world: World) -> tuple[App, list[str]]:
    """From the shown secret to the saved recovery codes."""
    link = page.get_by_role("link", name="Open in an app").get_attribute("href")
    assert read_qr(page) == link
    app = App(link, world)
    typed = page.locator(".secret-key").inner_text().replace(" ", "")
    assert typed == app.totp.secret
    field = page.get_by_label("6-digit code from the app")
    assert (field.get_attribute("autocomplete"), field.get_attribute("inputmode")) == ("one-time-code", "numeric")
    code = app.code()
    field.fill("000000" if code != "000000" else "000001")
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("alert")).to_contain_text("This code is wrong")
    field.fill(f"{code[:3]} {code[3:]}")
    page.get_by_role("button", name="Turn on").click()
    codes = page.get_by_role("list", name="Save your recovery codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    saved = download.value.path().read_text().split()
    assert saved == codes.all_inner_texts() and download.value.suggested_filename == "earshot-recovery-codes.txt"
    page.get_by_role("button", name="I saved them").click()
    return app, saved


def open_dialog(page: Page):
    page.get_by_role("button", name=re.compile(": menu")).click()
    page.get_by_role("button", name=TITLE).press("Enter")
    dialog = page.get_by_role("dialog", name=TITLE)
    expect(dialog).to_be_visible()
    return dialog


def sign_out(page: Page) -> None:
    page.get_by_role("button", name=re.compile(": menu")).click()
    page.get_by_role("button", name="Sign out", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()


def expect_inbox(page: Page) -> None:
    expect(page.get_by_role("heading", name="Inbox")).to_be_visible()


def test_a_person_sets_it_up_signs_in_with_it_and_turns_it_off(world, new_context):
    page, login = world.page(new_context), world.demo.agent
    world.type_password(page, login)
    expect_inbox(page)
    dialog = open_dialog(page)
    assert_accessible(page, "second factor, off")
    dialog.get_by_role("button", name="Set it up").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert_accessible(page, "second factor, set-up")
    app, recovery = set_up(page, world)
    expect(dialog.get_by_text("10 recovery codes are left.")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    sign_out(page)

    # The page knows the brand and the address from before only where the person did not sign out.
    world.type_password(page, login)
    field = page.get_by_label("Code", exact=True)
    expect(field).to_be_focused()
    assert (field.get_attribute("autocomplete"), field.get_attribute("inputmode")) == ("one-time-code", "numeric")
    assert_accessible(page, "sign-in, second step")
    code = app.code()
    field.fill("12")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This code is wrong")
    field.fill(code)
    page.get_by_role("button", name="Sign in").click()
    expect_inbox(page)

    elsewhere = world.page(new_context)
    world.type_password(elsewhere, login)
    elsewhere.get_by_label("Code", exact=True).fill(code)
    elsewhere.get_by_role("button", name="Sign in").click()
    expect(elsewhere.get_by_role("alert")).to_contain_text("already used")
    elsewhere.get_by_role("button", name="Use a recovery code").click()
    elsewhere.get_by_label("Recovery code").fill(recovery[4].upper())
    elsewhere.get_by_role("button", name="Sign in").click()
    expect(elsewhere.get_by_text("9 recovery codes are left.")).to_be_visible()
    assert_accessible(elsewhere, "sign-in with a recovery code")
    elsewhere.get_by_role("button", name="Continue").click()
    expect_inbox(elsewhere)

    world.advance(HOUR)
    dialog = open_dialog(page)
    dialog.get_by_role("button", name="Turn off").click()
    dialog.get_by_label("Password").fill("not the password")
    dialog.get_by_label("Code or recovery code").fill(app.code())
    dialog.get_by_role("button", name="Turn off two-factor authentication").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The password is wrong")
    assert_accessible(page, "second factor, turning off")
    dialog.get_by_label("Password").fill(login.password)
    dialog.get_by_role("button", name="Turn off two-factor authentication").click()
    expect(dialog.get_by_role("button", name="Set it up")).to_be_visible()


def test_a_brand_requires_it_and_everyone_without_one_sets_it_up_first(world, new_context):
    manager, login = world.page(new_context), world.demo.manager
    world.type_password(manager, login)
    expect_inbox(manager)
    manager.goto(f"{world.server.url}/workspace/#/admin/people")
    rule = manager.get_by_role("switch", name="Require two-factor authentication")
    rule.click()
    expect(manager.get_by_text("Set up your own first")).to_be_visible()
    expect(rule).not_to_be_checked()
    manager.get_by_role("link", name="Inbox").first.click()
    dialog = open_dialog(manager)
    dialog.get_by_role("button", name="Set it up").click()
    set_up(manager, world)
    dialog.get_by_role("button", name="Close").click()
    manager.goto(f"{world.server.url}/workspace/#/admin/people")

    agent = world.page(new_context)
    world.type_password(agent, world.demo.agent)
    expect_inbox(agent)
    rule.click()
    expect(rule).to_be_checked()
    expect(agent.get_by_role("dialog", name="Sign in again")).to_be_visible()
    agent.reload()
    expect(agent.get_by_role("heading", name="Set up two-factor authentication")).to_be_visible()
    assert_accessible(agent, "second factor, required")
    told = api.Agent(world.server.url, world.demo.account, world.demo.agent)
    refused = told.session.get(f"{world.server.url}/v1/agents", timeout=20)
    assert (refused.status_code, api.code_of(refused)) == (403, "second_factor_setup_required")
    set_up(agent, world)
    expect_inbox(agent)
    assert told.session.get(f"{world.server.url}/v1/agents", timeout=20).status_code == 200

    manager.reload()
    name = told.body["agent"]["name"]
    manager.get_by_role("button", name=f"Edit {name}").click()
    form = manager.get_by_role("dialog", name=f"Edit {name}")
    form.get_by_role("button", name="Turn off").click()
    form.get_by_role("button", name="Turn off").click()
    expect(form.get_by_text("Not set up.")).to_be_visible()
    expect(agent.get_by_role("dialog", name="Sign in again")).to_be_visible()
    form.get_by_role("button", name="Cancel").click()
    expect(rule).to_be_checked()
    rule.click()
    expect(rule).not_to_be_checked()


def test_the_command_line_removes_it_for_the_last_administrator(world, new_context):
    login = world.demo.manager
    page = world.page(new_context)
    world.type_password(page, login)
    expect(page.get_by_label("Code", exact=True)).to_be_visible()
    unknown = world.command("second-factor", "remove", "nobody@shop.example")
    assert unknown.returncode == 1 and "has no nobody@shop.example" in unknown.stderr, unknown.stderr
    removed = world.command("second-factor", "remove", login.email)
    assert removed.returncode == 0 and login.email in removed.stdout, removed.stderr
    again = world.command("second-factor", "remove", login.email)
    assert again.returncode == 1 and "has no second factor" in again.stderr, again.stderr
    page.get_by_role("button", name="Back").click()
    world.type_password(page, login)
    expect_inbox(page)
    manager = api.Agent(world.server.url, world.demo.account, login)
    entries = manager.session.get(f"{world.server.url}/v1/audit?what=person.secondFactorRemoved", timeout=20).json()
    assert entries["entries"][0]["by"] == "operator" and entries["entries"][0]["detail"] == manager.id


def test_no_secret_is_in_the_log_or_in_the_database(world, new_context):
    page = world.page(new_context)
    world.type_password(page, world.demo.agent)
    expect_inbox(page)
    dialog = open_dialog(page)
    dialog.get_by_role("button", name="Set it up").click()
    app, recovery = set_up(page, world)
    raw = app.totp.byte_secret()
    places = [world.server.log().encode()]
    places += [path.read_bytes() for path in world.server.data.glob("earshot.sqlite*")]
    assert len(places) > 1 and any(b"second_factor" in place for place in places)
    for place in places:
        assert raw not in place and app.totp.secret.encode() not in place
        assert not any(code.encode() in place or code.replace("-", "").encode() in place for code in recovery)
