"""A brand's page asks whether agents are available before it shows the button, with the script of the how-to."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
import requests
from playwright.sync_api import expect

from support import api, contact_centre
from support.brand_site import Site
from support.browser.pages import ConsumerPage
from support.command import add_app
from support.demo import Demo
from support.server import ROOT

HOW_TO = ROOT / "docs/how-to/show-the-button-when-somebody-is-there.md"


@pytest.fixture(scope="module")
def site():
    made = Site()
    yield made
    made.close()


@pytest.fixture
def evil():
    """A site that no app allows."""
    made = Site("evil.localhost")
    made.page = "<!doctype html><title>Evil</title>"
    yield made
    made.close()


@pytest.fixture(scope="module")
def app(server, demo, site) -> Demo:
    """An app whose pages stand elsewhere."""
    return add_app(server, demo, "elsewhere", site.origin)


@pytest.fixture(scope="module")
def manager(server, demo) -> api.Agent:
    made = api.Agent(server.url, demo.account, demo.manager)
    contact_centre.put(made, "rules", [])
    set_hours(made, opens=True)
    dana = contact_centre.people(server, demo, "dana")["dana"]
    contact_centre.put(made, "people", [{"agent": dana.id, "skills": ["front"], "capacity": 4}])
    contact_centre.set_presence(server, dana, "online")
    return made


def set_hours(manager: api.Agent, opens: bool) -> None:
    """Around the clock, or on no day of the next week but the last."""
    far = (datetime.now(timezone.utc) + timedelta(days=6)).isoweekday()
    days = range(1, 8) if opens else [far]
    contact_centre.put(
        manager,
        "hours",
        [
            {
                "id": "h",
                "name": "Hours",
                "zone": "UTC",
                "week": [{"day": day, "from": 0, "to": 1440} for day in days],
                "holidays": [],
            }
        ],
    )
    contact_centre.put(manager, "skills", [contact_centre.skill("front", default=True, hours="h")])


def pasted(server, app: Demo) -> str:
    script = re.search(r"```html\n(.*?)```", HOW_TO.read_text(), re.S).group(1)
    assert len([line for line in script.splitlines() if line.strip()]) <= 13, "it is to be short"
    for example, real in (
        ("https://chat.example", server.url),
        ("/embed/tulip/shop.js", f"/embed/{app.account}/{app.app}.js"),
        ('"tulip"', json.dumps(app.account)),
        ('"shop"', json.dumps(app.app)),
    ):
        assert example in script
        script = script.replace(example, real)
    return f"<!doctype html><title>A shop</title><h1>Tents</h1>{script}"


@pytest.fixture
def shop(browser, server, app, site):
    """The brand's page, and what the server said to it."""
    context = browser.new_context()
    site.page = pasted(server, app)

    def opened(path: str = "/tents") -> tuple[ConsumerPage, dict]:
        page = context.new_page()
        with page.expect_response(lambda answer: "/v1/availability" in answer.url) as asked:
            page.goto(site.origin + path)
        return ConsumerPage.of(page), asked.value.json()

    yield opened
    context.close()


def test_the_button_is_shown_only_while_agents_are_available(shop, server, app, manager):
    set_hours(manager, opens=True)
    page, told = shop()
    assert told["open"] and told["waiting"] == 0 and 0 < told["within"] <= 600, told
    expect(page.launcher).to_be_visible()
    set_hours(manager, opens=False)
    page, told = shop("/boots")
    assert not told["open"] and not told["hours"]["open"], told
    assert told["by"] == told["hours"]["opens"] + 600_000, told
    # Asked once more behind the page's own question: by then its script has done what it does.
    assert page.page.evaluate(
        "url => fetch(url).then(answer => answer.json())",
        f"{server.url}/v1/availability?account={app.account}&app={app.app}&language=x",
    )
    expect(page.launcher).to_have_count(0)


def test_a_page_of_a_foreign_origin_reads_no_availability(browser, server, app, manager, evil):
    context = browser.new_context()
    page = context.new_page()
    page.goto(evil.origin)
    read = page.evaluate(
        "url => fetch(url).then(answer => answer.text(), problem => problem.name)",
        f"{server.url}/v1/availability?account={app.account}&app={app.app}",
    )
    assert read == "TypeError", read
    context.close()


def test_availability_says_what_the_consumer_is_told_and_nothing_else(server, app, manager, site):
    set_hours(manager, opens=True)
    url = f"{server.url}/v1/availability?account={app.account}&app={app.app}"
    answer = requests.get(url, headers={"Origin": site.origin}, timeout=20)
    assert answer.status_code == 200 and set(answer.json()) == {"open", "hours", "by", "within", "waiting"}, answer.text
    assert answer.headers["access-control-allow-origin"] == site.origin and "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "public, max-age=5" and answer.headers["vary"] == "Origin"
    for origin, code in (("http://evil.example", "origin_refused"), ("null", "origin_refused")):
        refused = requests.get(url, headers={"Origin": origin}, timeout=20)
        assert (refused.status_code, api.code_of(refused)) == (
            403,
            code,
        ) and "access-control-allow-origin" not in refused.headers, refused.text


def test_the_sixty_first_availability_request_at_once_is_refused(server, app):
    """From an address of its own; a second gives one back, so a slow machine may get some more."""
    asked = api.fresh_client()
    answers = [
        asked.get(f"{server.url}/v1/availability?account={app.account}&app={app.app}", timeout=20) for _ in range(200)
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:60] == [200] * 60 and set(statuses) == {200, 429}, statuses
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert api.code_of(refused) == "rate_limited" and int(refused.headers["retry-after"]) >= 1
