"""The demo: its one-click links, and what a newcomer meets first. Its first start may be ended at any moment: the next
one completes it."""

import sqlite3
from contextlib import closing

import requests
from playwright.sync_api import expect

from support import api
from support.browser.pages import ConsumerPage
from support.command import fail, succeed
from support.demo import discover, one_click_links
from support.server import PATIENCE


def test_a_demo_whose_first_start_was_ended_is_completed_by_the_next_start(new_server):
    server = new_server().start()
    logins = server.data / "demo-logins.json"
    before = logins.read_text()
    server.stop()
    # As it is after the first of seven people was stored.
    with closing(sqlite3.connect(server.data / "earshot.sqlite")) as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM agent WHERE email <> 'dana@demo.example'")
        database.commit()
    logins.rename(server.data / "demo-logins.json.new")
    server.start()
    assert logins.read_text() == before
    demo = discover(server)
    for login in (demo.agent, demo.manager):
        assert api.Agent(server.url, demo.account, login).id
    server.stop()


def test_a_demo_without_its_logins_is_refused_with_what_to_do(new_server):
    server = new_server().start()
    server.stop()
    (server.data / "demo-logins.json").unlink()
    assert server.start_and_fail() != 0
    assert "set passwords with earshot set-password" in server.log()


def test_a_newcomer_signs_in_with_one_click_and_only_their_own_conversation_rings(new_server, new_context):
    # Started in its own folder, with the pages where the program finds them.
    server = new_server({"EARSHOT_WEB": None})
    server.arguments = ["demo"]
    server.start()
    links = one_click_links(server.log())
    assert set(links) == {"Dana", "Mira"}
    dana = new_context().new_page()
    dana.goto(links["Dana"])
    expect(dana.get_by_role("button", name="Dana: menu")).to_be_visible()
    assert "enter" not in dana.url, "the token has left the address"
    shop = ConsumerPage(new_context(), server).open()
    shop.say("Which of your tents is the lightest?")
    offers = dana.get_by_role("region", name="Offers")
    expect(offers.get_by_text("Which of your tents is the lightest?")).to_be_visible()
    expect(offers.get_by_role("article")).to_have_count(1)
    expect(shop.widget.get_by_text("Nobody is in the shop")).to_have_count(0)

    again = new_context().new_page()
    again.goto(links["Dana"])
    expect(again.get_by_role("heading", name="This link no longer works")).to_be_visible()
    expect(again.get_by_text("earshot demo-links")).to_be_visible()
    again.get_by_role("link", name="Go to sign-in").click()
    expect(again.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()

    fresh = one_click_links(succeed("demo-links", "--data", str(server.data)))
    replaced = {"token": links["Mira"].rsplit("/")[-1]}
    refused = requests.post(f"{server.url}/v1/login/link", json=replaced, timeout=PATIENCE)
    assert (refused.status_code, api.code_of(refused)) == (404, "link_invalid"), refused.text
    again.goto(fresh["Mira"])
    expect(again.get_by_role("button", name="Mira: menu")).to_be_visible()
    server.stop()
    assert "No demo with one-click links runs" in fail("demo-links", "--data", str(server.data))


def test_one_click_links_are_not_printed_where_others_reach_the_demo(new_server):
    server = new_server({"EARSHOT_PUBLIC_URL": "https://chat.shop.example"}).start()
    assert "/enter/" not in server.log()
    assert discover(server).account == "demo"
    assert "No demo with one-click links runs" in fail("demo-links", "--data", str(server.data))
    server.stop()
