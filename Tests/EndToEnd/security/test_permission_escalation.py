"""Somebody who may change settings, and nothing else, tries to reach every conversation of the brand."""

import pytest
import requests

from support import api
from support.identity_provider import IdentityProvider

WIDEST = ["settings.change", "conversations.all"]


@pytest.fixture(scope="module")
def provider(tmp_path_factory, manager) -> IdentityProvider:
    made = IdentityProvider(tmp_path_factory.mktemp("provider"))
    answer = send(manager, "PUT", "/v1/identity-provider", made.setting())
    assert answer.status_code == 200, answer.text
    return made


@pytest.fixture(scope="module")
def settler(manager, agent) -> api.Agent:
    """Dana with a profile that has as little as `settings.change` can be had with."""
    answer = send(manager, "POST", "/v1/profiles", {"name": "Settings", "permissions": ["settings.change"]})
    if answer.status_code != 200:
        assert api.code_of(answer) == "bad_request" and "needs conversations.all" in answer.text
        answer = send(manager, "POST", "/v1/profiles", {"name": "Settings", "permissions": WIDEST})
    assert answer.status_code == 200, answer.text
    profile = answer.json()["profile"]["id"]
    assert send(manager, "PATCH", f"/v1/agents/{agent.id}", {"profile": profile}).status_code == 200
    return agent


def send(agent: api.Agent, method: str, path: str, body: dict) -> requests.Response:
    return agent.session.request(method, agent.base + path, json=body, headers=agent.headers, timeout=20)


def sign_in(server, demo, token: str) -> requests.Response:
    body = {"account": demo.account, "app": demo.app, "idToken": token}
    origin = {"Origin": server.url}
    return api.fresh_client().post(f"{server.url}/v1/consumers/sign-in", json=body, headers=origin, timeout=20)


def test_settings_alone_do_not_come_without_seeing_everything(manager):
    answer = send(manager, "POST", "/v1/profiles", {"name": "Alone", "permissions": ["settings.change"]})
    assert (answer.status_code, api.code_of(answer)) == (400, "bad_request"), answer.text


def test_they_give_themselves_no_skill(settler):
    centre = settler.session.get(f"{settler.base}/v1/centre", timeout=20).json()
    seats = [seat for seat in centre["people"] if seat["agent"] != settler.id]
    seats.append({"agent": settler.id, "skills": [skill["id"] for skill in centre["skills"]], "capacity": 3})
    answer = send(settler, "PUT", "/v1/centre/people", {"v": centre["v"], "value": seats})
    assert (answer.status_code, api.code_of(answer)) == (403, "forbidden"), answer.text


def test_they_cannot_sign_in_as_a_consumer_by_a_key_of_their_own(server, demo, settler, provider, tmp_path):
    ada = sign_in(server, demo, provider.token("ada"))
    assert ada.status_code == 200, ada.text
    own = IdentityProvider(tmp_path)
    answer = send(settler, "PUT", "/v1/identity-provider", own.setting(keys=own.public_key))
    assert (answer.status_code, api.code_of(answer)) == (403, "forbidden"), answer.text
    assert sign_in(server, demo, own.token("ada")).status_code == 401
    assert sign_in(server, demo, provider.token("ada")).json()["conversation"] == ada.json()["conversation"]


def test_they_neither_shorten_the_retention_nor_list_what_is_held(settler, manager):
    before = manager.session.get(f"{manager.base}/v1/retention", timeout=20).json()["days"]
    answer = send(settler, "PUT", "/v1/retention", {"days": 1})
    assert (answer.status_code, api.code_of(answer)) == (403, "forbidden"), answer.text
    assert settler.session.get(f"{settler.base}/v1/retention", timeout=20).status_code == 403
    assert manager.session.get(f"{manager.base}/v1/retention", timeout=20).json()["days"] == before
