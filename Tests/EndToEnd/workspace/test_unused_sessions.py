"""Sign-ins that nobody uses: a manager chooses when they end, and then people sign in again."""

import pytest
import requests
from playwright.sync_api import expect

from support import api
from support.browser.accessibility import assert_accessible
from support.browser.pages import signed_in_state
from support.demo import discover
from support.server_clock import Clock

MINUTE = 60


@pytest.fixture(scope="module")
def clock(tmp_path_factory) -> Clock:
    return Clock(tmp_path_factory.mktemp("clock"))


@pytest.fixture(scope="module")
def server(new_server, clock):
    server = new_server(clock.settings).start()
    yield server
    server.stop()


def test_people_are_signed_out_after_the_time_that_a_manager_chose(browser, server, clock):
    demo = discover(server)
    context = browser.new_context(
        storage_state=signed_in_state(browser, server, demo, demo.manager), reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{server.url}/workspace/#/admin/people")
    rule = page.get_by_label("Sign people out after")
    expect(rule).to_have_value("720")
    rule.select_option("15")
    expect(page.get_by_text("People are now signed out after 15 minutes without use")).to_be_visible()
    assert_accessible(page, "rule of unused sessions")
    page.reload()
    expect(rule).to_have_value("15")

    agent = api.Agent(server.url, demo.account, demo.agent)

    def status() -> int:
        return agent.session.get(f"{server.url}/v1/session", timeout=20).status_code

    clock.set(14 * MINUTE)
    assert status() == 200, "and it is a use"
    clock.set(28 * MINUTE)
    assert status() == 200
    clock.set(44 * MINUTE)
    assert status() == 401
    # As after a machine was suspended: the page's socket was not there for 16 minutes.
    expect(page.get_by_role("dialog", name="Sign in again")).to_be_visible()
    consumer = api.new_consumer(server.url, demo)
    answer = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20)
    assert answer.status_code == 200, "consumers are not people of the brand"
    context.close()
