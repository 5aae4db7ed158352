"""Consumers' sign-in can be tried: in the demo shop, and with a pasted token on the page of the settings."""

import requests
from playwright.sync_api import expect

from support import api
from support.browser.pages import AgentPage, ConsumerPage


def test_the_demo_shop_signs_its_consumer_in(server, demo, new_context):
    shop = ConsumerPage(new_context(), server)
    shop.page.get_by_role("button", name="Sign in").click()
    shop.open().say("Where is my Dusk tent?")
    shop.page.goto(f"{server.url}/demo/product.html")
    shop.open()
    expect(shop.text("Where is my Dusk tent?")).to_be_visible()
    agent = AgentPage(new_context(), server).sign_in(demo, demo.agent)
    agent.tab("All").click()
    agent.open_row("Where is my Dusk tent?")
    expect(agent.page.get_by_text("carla@demo.example").first).to_be_visible()
    # The open widget covers the shop's buttons.
    shop.launcher.click()
    shop.page.get_by_role("button", name="Sign out Carla").click()
    shop.open()
    expect(shop.text("Where is my Dusk tent?")).to_have_count(0)


def test_a_manager_pastes_a_token_and_reads_why_others_were_refused(server, demo, new_context):
    token = requests.post(f"{server.url}/demo/id-token", timeout=20).json()["idToken"]
    foreign = requests.post(f"{server.url}/demo/id-token", headers={"Origin": "https://evil.example"}, timeout=20)
    assert foreign.status_code == 403, foreign.text
    refused = requests.post(
        f"{server.url}/v1/consumers/sign-in", timeout=20,
        json={"account": demo.account, "app": demo.app, "idToken": token[:-4] + "AAAA"},
    )
    assert api.code_of(refused) == "id_token_refused"
    page = AgentPage(new_context(), server).sign_in(demo, demo.manager).page
    page.evaluate("location.hash = '#/admin/signIn'")
    expect(page.get_by_label("Issuer")).to_have_value("earshot-demo")
    expect(page.get_by_text("Its signature is wrong").first).to_be_visible()
    page.get_by_label("ID token").fill(token)
    page.get_by_role("button", name="Check token").click()
    status = page.get_by_role("status").filter(has_text="This token signs a customer in.")
    expect(status).to_contain_text("Carla Demo")
    expect(status).to_contain_text("EdDSA")
    page.get_by_label("ID token").fill("no token")
    page.get_by_role("button", name="Check token").click()
    expect(page.get_by_role("status").filter(has_text="id_token_malformed")).to_contain_text("This token is refused.")
