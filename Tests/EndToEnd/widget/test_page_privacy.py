"""What the loader tells the server about the page that it runs on."""

import json
import re

import pytest
from playwright.sync_api import expect

from support.browser.pages import ConsumerPage

SECRET = "s3cret-of-the-page"


@pytest.fixture
def visit(browser, server):
    """Opens the widget on a page whose address has secrets; returns the page and what the widget registered."""
    context = browser.new_context()

    def visit(attributes: str = "") -> tuple[ConsumerPage, dict]:
        def page(route):
            answer = route.fetch()
            html = answer.text().replace("<script src=", f"<script {attributes} src=", 1)
            route.fulfill(response=answer, body=html)

        context.route(re.compile(r"/demo/\?"), page)
        path = f"/demo/?reset={SECRET}&campaign=spring%20sale&email={SECRET}%40shop.example#otp={SECRET}"
        shop = ConsumerPage(context, server, path)
        assert shop.page.evaluate("location.href").count(SECRET) == 3, "the premise: the address has secrets"
        with shop.page.expect_request(lambda request: request.url.endswith("/v1/consumers")) as registered:
            shop.open()
        return shop, json.loads(registered.value.post_data)

    yield visit
    context.close()


def test_only_origin_and_path_of_the_page_reach_the_server(visit, server):
    _, registered = visit()
    assert registered["page"] == f"{server.url}/demo/"
    assert registered["pageParameters"] == {}
    assert SECRET not in json.dumps(registered)


def test_parameters_that_the_brand_names_reach_the_server_and_no_others(visit, server):
    _, registered = visit('data-page-parameters="campaign,article"')
    assert registered["page"] == f"{server.url}/demo/"
    assert registered["pageParameters"] == {"campaign": "spring sale"}
    assert SECRET not in json.dumps(registered)


def test_the_loader_asks_for_microphone_sound_and_camera_only(visit):
    shop, _ = visit()
    expect(shop.page.locator("iframe")).to_have_attribute("allow", "microphone; autoplay; camera")
