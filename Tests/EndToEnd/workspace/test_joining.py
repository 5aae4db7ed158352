"""Invitations and forgotten passwords: links that managers and operators hand over, in real browsers."""

import re

import pytest
from playwright.sync_api import expect

from support.browser.pages import AgentPage, sign_in
from support.command import succeed
from support.demo import Demo, Login, discover
from support.server import earshot

PASSWORD = "correct horse battery"


def own_address(server, link: str) -> str:
    """The link as the browser of this test reaches the server."""
    return server.url + link[link.index("/workspace/") :]


def join(page, address: str, name: str | None):
    page.goto(address)
    if name is not None:
        page.get_by_label("Your name").fill(name)
    page.get_by_label(re.compile("^New password")).fill(PASSWORD)
    page.get_by_role("button", name="Join" if name is not None else "Save and sign in").click()


@pytest.fixture
def people(server, demo, new_context):
    manager = AgentPage(new_context(), server).sign_in(demo, demo.manager)
    manager.page.goto(f"{server.url}/workspace/#/admin/people")
    return manager.page


def test_a_manager_invites_a_person_who_joins(server, people, new_context, unique_email):
    people.get_by_role("button", name="Invite someone").click()
    dialog = people.get_by_role("dialog", name="Invite someone")
    dialog.get_by_role("button", name="Create the invitation").click()
    expect(dialog.get_by_text("Enter an email address")).to_be_visible()
    dialog.get_by_label("Name").fill("Nele")
    dialog.get_by_label("Email").fill(unique_email)
    dialog.get_by_role("button", name="Create the invitation").click()
    link = dialog.get_by_role("textbox", name="Link").input_value()
    dialog.get_by_role("button", name="Done").click()
    row = people.get_by_role("row").filter(has_text="Nele")
    expect(row.get_by_text("Invited")).to_be_visible()

    page = new_context().new_page()
    page.goto(own_address(server, link))
    expect(page.get_by_role("heading", name=re.compile("^Join "))).to_be_visible()
    expect(page.get_by_text(unique_email)).to_be_visible()
    assert page.url == f"{server.url}/workspace/", "the token has left the address"
    page.get_by_label(re.compile("^New password")).fill("short")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text("8 to 256 characters")
    join(page, own_address(server, link), "Nele Berg")
    expect(page.get_by_role("navigation").first).to_be_visible()

    again = new_context().new_page()
    again.goto(own_address(server, link))
    expect(again.get_by_role("heading", name="This link no longer works")).to_be_visible()
    again.get_by_role("link", name="Go to sign-in").click()
    expect(again.get_by_role("heading", name="Sign in")).to_be_visible()

    people.reload()
    row = people.get_by_role("row").filter(has_text="Nele Berg")
    expect(row).to_be_visible()
    expect(row.get_by_text("Invited")).to_have_count(0)


def test_a_manager_makes_and_revokes_a_link_for_a_forgotten_password(server, demo, people, new_context, unique_email):
    data = ("--data", str(server.data))
    made = earshot("add", "person", unique_email, "--brand", demo.account, "--name", "Forgetful", "--link", *data)
    assert made.returncode == 0, made.stderr
    page = new_context().new_page()
    join(page, own_address(server, made.stdout.strip().splitlines()[-1]), "Forgetful")
    expect(page.get_by_role("navigation").first).to_be_visible()

    people.reload()
    people.get_by_role("button", name="Edit Forgetful").click()
    dialog = people.get_by_role("dialog", name="Edit Forgetful")
    dialog.get_by_role("button", name="Create a link").click()
    first = dialog.get_by_role("textbox", name="Link").input_value()
    dialog.get_by_role("button", name="Revoke the link").click()
    expect(dialog.get_by_role("button", name="Create a link")).to_be_visible()
    revoked = new_context().new_page()
    revoked.goto(own_address(server, first))
    expect(revoked.get_by_role("heading", name="This link no longer works")).to_be_visible()

    dialog.get_by_role("button", name="Create a link").click()
    expect(dialog.get_by_role("textbox", name="Link")).not_to_have_value(first)
    second = dialog.get_by_role("textbox", name="Link").input_value()
    fresh = new_context().new_page()
    join(fresh, own_address(server, second), None)
    expect(fresh.get_by_role("navigation").first).to_be_visible()
    # The session from before has ended.
    expect(page.get_by_role("dialog", name="Sign in again")).to_be_visible()


def test_an_operator_adds_a_brand_with_its_first_manager(server, new_context, unique_email):
    brand = unique_email.split("@")[0]
    data = ("--data", str(server.data))
    made = earshot("add", "brand", brand, "--name", "New brand", "--administrator", unique_email, *data)
    assert made.returncode == 0, made.stderr
    page = new_context().new_page()
    join(page, own_address(server, made.stdout.strip().splitlines()[-1]), "First manager")
    expect(page.get_by_role("navigation").first).to_be_visible()
    page.goto(f"{server.url}/workspace/#/admin/people")
    expect(page.get_by_role("button", name="Invite someone")).to_be_visible()

    link = earshot("password-link", unique_email, "--brand", brand, *data).stdout.strip().splitlines()[-1]
    again = new_context().new_page()
    join(again, own_address(server, link), None)
    expect(again.get_by_role("navigation").first).to_be_visible()
    for arguments, said in (
        (("password-link", "nobody@b.example", "--brand", brand), "has no nobody@b.example"),
        (("add", "person", unique_email, "--brand", brand, "--name", "X", "--link"), "already"),
        (("add", "person", "no address", "--brand", brand, "--name", "X", "--link"), "e-mail address"),
    ):
        refused = earshot(*arguments, *data)
        assert refused.returncode != 0 and said in refused.stderr, refused


def test_the_sign_in_page_asks_for_a_brand_only_where_there_are_several(new_server, new_context):
    server = new_server().start()
    demo = discover(server)
    page = new_context().new_page()
    answer = page.goto(f"{server.url}/wokspace/")
    assert answer.status == 404
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    page.get_by_role("link", name="Workspace").click()
    expect(page.get_by_text("Your account at Fernweh Outfitters")).to_be_visible()
    account = page.get_by_label("Account", exact=True)
    expect(account).to_have_count(0)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Enter your email and password.")
    sign_in(page, demo, Login(demo.agent.email, "wrong password"))
    expect(page.get_by_role("alert")).to_have_text("Incorrect email or password. Check them and try again.")

    succeed("add", "brand", "tulip", "--name", "Tulip", "--data", str(server.data))
    page.goto(f"{server.url}/workspace/")
    for name in ("Fernweh Outfitters", "Demo", "x" * 65):
        sign_in(page, Demo(name, demo.app, demo.agent, demo.manager), demo.agent)
        expect(page.get_by_role("alert")).to_have_text("Account names are lower case without spaces, e.g. demo.")
    sign_in(page, Demo("tulip", demo.app, demo.agent, demo.manager), demo.agent)
    expect(page.get_by_role("alert")).to_have_text("Incorrect account, email or password. Check them and try again.")
    page.goto(f"{server.url}/workspace/?account=demo")
    expect(page.get_by_text("Your account at demo")).to_be_visible()
    expect(account).to_have_count(0)
    sign_in(page, demo, demo.agent)
    page.get_by_role("button", name="Dana: menu").click()
    page.get_by_role("button", name="Sign out", exact=True).last.click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    # The device keeps the last account.
    page.goto(f"{server.url}/workspace/")
    expect(page.get_by_text("Your account at demo")).to_be_visible()
    page.get_by_role("button", name="Another brand").click()
    expect(account).to_be_focused()
    server.stop()


@pytest.fixture
def unique_email(request):
    return f"{re.sub('[^a-z]', '', request.node.name.lower())[:24]}@demo.example"
