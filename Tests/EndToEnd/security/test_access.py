"""Every route without credentials, with forged ones, from foreign origins, and without the CSRF value."""

import json

import pytest
import requests

from support import api
from support.network.raw_socket import RawSocket, frame, read_frame, upgrade
from support.routes import documented

NOBODY = api.new_id()
# Routes that anyone may use; the review of this list is the point of bar 39.
OPEN = {
    ("POST", "/v1/consumers"),
    ("POST", "/v1/consumers/sign-in"),
    ("POST", "/v1/login"),
    ("GET", "/v1/login"),
    ("POST", "/v1/login/link"),
    ("POST", "/v1/join/purpose"),
    ("POST", "/v1/join"),
    ("GET", "/v1/live"),
    ("GET", "/v1/ready"),
    ("GET", "/v1/availability"),
    ("GET", "/v1/doctor/{token}"),
    ("GET", "/embed/{account}/{app}.js"),
    ("GET", "/embed/{account}/logo/{version}"),
}
BODIES = {
    ("POST", "/v1/consumers"): {"account": "demo", "app": "shop"},
    ("POST", "/v1/consumers/sign-in"): {"account": "demo", "app": "shop", "idToken": "none"},
    ("POST", "/v1/consumers/me"): {},
    ("POST", "/v1/login"): {"account": "demo", "email": "a@b.example", "password": "not the password"},
    ("GET", "/v1/login"): None,
    ("POST", "/v1/login/link"): {"token": "none"},
    ("GET", "/v1/session"): None,
    ("POST", "/v1/logout"): {},
    ("POST", "/v1/password"): {"old": "old password", "new": "new password"},
    ("GET", "/v1/second-factor"): None,
    ("POST", "/v1/second-factor/set-up"): {},
    ("POST", "/v1/second-factor"): {"setUp": "none", "code": "123456"},
    ("POST", "/v1/second-factor/removal"): {"password": "old password", "code": "123456"},
    ("DELETE", "/v1/agents/{agent}/second-factor"): {},
    ("GET", "/v1/second-factor/rule"): None,
    ("PUT", "/v1/second-factor/rule"): {"required": False},
    ("GET", "/v1/sessions"): None,
    ("DELETE", "/v1/sessions/{session}"): None,
    ("GET", "/v1/sessions/rule"): None,
    ("PUT", "/v1/sessions/rule"): {"idleMinutes": 720},
    ("POST", "/v1/conversations/{conversation}/sign-out"): {},
    ("GET", "/v1/conversations/{conversation}/block"): None,
    ("PUT", "/v1/conversations/{conversation}/block"): {"blocked": True},
    ("PUT", "/v1/conversations/{conversation}/hold"): {"reason": "A lawsuit"},
    ("DELETE", "/v1/conversations/{conversation}/hold"): None,
    ("POST", "/v1/conversations/{conversation}/erasure"): {"reason": "Asked for"},
    ("POST", "/v1/erasures"): {"reason": "Asked for", "issuer": "https://id.example", "subject": "nobody"},
    ("GET", "/v1/retention"): None,
    ("PUT", "/v1/retention"): {"days": 30},
    ("GET", "/v1/identity-provider"): None,
    ("PUT", "/v1/identity-provider"): {"issuer": "https://id.example", "audience": "earshot", "keys": "none"},
    ("POST", "/v1/identity-provider/check"): {"idToken": "none"},
    ("DELETE", "/v1/identity-provider"): {},
    ("GET", "/v1/doctor/{token}"): None,
    ("PATCH", "/v1/agents/{agent}"): {"role": "agent"},
    ("POST", "/v1/agents"): {"email": "someone@demo.example", "name": "Someone", "role": "agent"},
    ("POST", "/v1/agents/{agent}/link"): {},
    ("DELETE", "/v1/agents/{agent}/link"): {},
    ("POST", "/v1/join/purpose"): {"token": "none"},
    ("POST", "/v1/join"): {"token": "none", "password": "a long password"},
    ("POST", "/v1/tickets"): {},
    ("GET", "/v1/uploads"): None,
    ("POST", "/v1/uploads"): {"conversation": NOBODY, "draft": NOBODY},
    ("PATCH", "/v1/uploads/{upload}"): b"bytes",
    ("GET", "/v1/uploads/{upload}"): None,
    ("POST", "/v1/uploads/{upload}/finish"): {"bytes": 5},
    ("DELETE", "/v1/uploads/{upload}"): None,
    ("GET", "/v1/media/{conversation}/{media}.mp3"): None,
    ("GET", "/v1/media/{conversation}/{media}.ogg"): None,
    ("GET", "/v1/media/{conversation}/{media}.m4a"): None,
    ("GET", "/v1/media/{conversation}/{media}/original"): None,
    ("POST", "/v1/clips"): {"draft": NOBODY},
    ("GET", "/v1/clips/{media}.mp3"): None,
    ("GET", "/v1/clips/{media}.ogg"): None,
    ("GET", "/v1/clips/{media}.m4a"): None,
    ("POST", "/v1/clips/{media}/copies"): {"conversation": NOBODY, "draft": NOBODY},
    ("GET", "/v1/brand"): None,
    ("PATCH", "/v1/brand"): {"name": "Other"},
    ("PATCH", "/v1/apps/{app}"): {"name": "Other"},
    ("GET", "/v1/brand/embeds"): None,
    ("GET", "/embed/{account}/logo/{version}"): None,
    ("GET", "/embed/{account}/{app}.js"): None,
    ("GET", "/v1/settings"): None,
    ("PATCH", "/v1/settings"): {"audio": {}},
    ("GET", "/v1/centre"): None,
    ("PUT", "/v1/centre/{section}"): {"v": 1, "value": []},
    ("GET", "/v1/centre/history"): None,
    ("GET", "/v1/centre/history/{v}"): None,
    ("POST", "/v1/centre/undo"): {"v": 1},
    ("POST", "/v1/centre/try"): {},
    ("GET", "/v1/agents"): None,
    ("GET", "/v1/conversations/{conversation}/why"): None,
    ("GET", "/v1/conversations/{conversation}/transcript"): None,
    ("GET", "/v1/conversations/{conversation}/evidence"): None,
    ("GET", "/v1/search"): None,
    ("GET", "/v1/search.csv"): None,
    ("GET", "/v1/tags"): None,
    ("GET", "/v1/views"): None,
    ("PUT", "/v1/views"): {"views": []},
    ("GET", "/v1/audit"): None,
    ("GET", "/v1/profiles"): None,
    ("POST", "/v1/profiles"): {"name": "Night shift", "permissions": []},
    ("PUT", "/v1/profiles/{profile}"): {"name": "Night shift", "permissions": []},
    ("DELETE", "/v1/profiles/{profile}"): None,
    ("GET", "/v1/groups"): None,
    ("POST", "/v1/groups"): {"name": "North", "skills": [], "people": []},
    ("PUT", "/v1/groups/{group}"): {"name": "North", "skills": [], "people": []},
    ("DELETE", "/v1/groups/{group}"): None,
    ("GET", "/v1/keys"): None,
    ("POST", "/v1/keys"): {"name": "Warehouse", "scopes": ["history.read"]},
    ("DELETE", "/v1/keys/{key}"): None,
    ("GET", "/v1/history/conversations"): None,
    ("GET", "/v1/history/conversations/{conversation}"): None,
    ("GET", "/v1/history/recordings/{media}"): None,
    ("GET", "/v1/live"): None,
    ("GET", "/v1/ready"): None,
    ("GET", "/v1/availability"): None,
}
WITH_COOKIE = {
    ("POST", "/v1/logout"),
    ("POST", "/v1/password"),
    ("POST", "/v1/second-factor/set-up"),
    ("POST", "/v1/second-factor"),
    ("POST", "/v1/second-factor/removal"),
    ("DELETE", "/v1/agents/{agent}/second-factor"),
    ("PUT", "/v1/second-factor/rule"),
    ("DELETE", "/v1/sessions/{session}"),
    ("PUT", "/v1/sessions/rule"),
    ("POST", "/v1/conversations/{conversation}/sign-out"),
    ("PUT", "/v1/conversations/{conversation}/block"),
    ("PUT", "/v1/conversations/{conversation}/hold"),
    ("DELETE", "/v1/conversations/{conversation}/hold"),
    ("POST", "/v1/conversations/{conversation}/erasure"),
    ("POST", "/v1/erasures"),
    ("PUT", "/v1/retention"),
    ("POST", "/v1/tickets"),
    ("POST", "/v1/uploads"),
    ("PATCH", "/v1/uploads/{upload}"),
    ("POST", "/v1/uploads/{upload}/finish"),
    ("DELETE", "/v1/uploads/{upload}"),
    ("PATCH", "/v1/brand"),
    ("PATCH", "/v1/apps/{app}"),
    ("PATCH", "/v1/settings"),
    ("PUT", "/v1/centre/{section}"),
    ("POST", "/v1/centre/undo"),
    ("POST", "/v1/centre/try"),
    ("PUT", "/v1/views"),
    ("PATCH", "/v1/agents/{agent}"),
    ("POST", "/v1/profiles"),
    ("PUT", "/v1/profiles/{profile}"),
    ("DELETE", "/v1/profiles/{profile}"),
    ("POST", "/v1/groups"),
    ("PUT", "/v1/groups/{group}"),
    ("DELETE", "/v1/groups/{group}"),
    ("POST", "/v1/keys"),
    ("DELETE", "/v1/keys/{key}"),
    ("POST", "/v1/clips"),
    ("POST", "/v1/clips/{media}/copies"),
}
CHANGING = sorted(route for route in BODIES if route[0] != "GET")
OWN = "the server's own"
FORGED = {
    "none": {},
    "an empty bearer": {"Authorization": "Bearer "},
    "rubbish": {"Authorization": "Bearer rubbish"},
    "another scheme": {"Authorization": "Basic YTpi"},
    "a forged token": {"Authorization": f"Bearer e1.demo.shop.{NOBODY}.{NOBODY}.1763757600.{NOBODY}"},
    "a forged API key": {"Authorization": f"Bearer ek_{NOBODY}_{'A' * 43}"},
    "a forged cookie": {"Cookie": f"earshot={NOBODY}{NOBODY}", "X-Earshot-CSRF": NOBODY, "Origin": OWN},
    "a name that no user has": {"X-Forwarded-User": "dana@demo.example"},
}


def send(base: str, route: tuple[str, str], headers: dict) -> requests.Response:
    method, path = route
    path = path.replace("{section}", "rules").replace("{v}", "1")
    names = (
        "upload", "conversation", "media", "agent", "session", "token", "account", "app", "key", "profile", "group")
    for name in names:
        path = path.replace("{%s}" % name, NOBODY)
    body = BODIES[route]
    session = api.fresh_client()
    headers = {name: base if value is OWN else value for name, value in headers.items()}
    if path.startswith("/v1/uploads/") and method == "PATCH":
        path, kind = f"{path}?offset=0", {"Content-Type": "application/octet-stream"}
        return session.request(method, base + path, data=body, headers={**kind, **headers}, timeout=20)
    return session.request(method, base + path, json=body, headers=headers, timeout=20)


HELD = {"39": 0, "48": 0}


def test_every_documented_route_is_in_the_matrices():
    assert documented() == set(BODIES)
    assert len(OPEN) <= 13


@pytest.mark.parametrize("credentials", FORGED)
def test_no_route_answers_without_credentials(server, credentials):
    for route in sorted(set(BODIES) - OPEN):
        answer = send(server.url, route, FORGED[credentials])
        assert (answer.status_code, api.code_of(answer)) == (401, "not_signed_in"), (route, answer.text)
        HELD["39"] += 1


# What a program may do with a key of every scope; every other route refuses it as one that is not signed in.
PROGRAM = {route for route in BODIES if route[1].startswith("/v1/history/")}


def test_a_program_may_use_the_routes_of_its_scopes_and_no_other(server, manager):
    every = ["history.read", "notes.read", "recordings.read"]
    key = api.key(manager, *every)
    for route in sorted(set(BODIES) - OPEN):
        answer = send(server.url, route, {"Authorization": f"Bearer {key}"})
        wanted = {200, 404} if route in PROGRAM else {401}
        assert answer.status_code in wanted, (route, answer.text)
    for scope, path in (("notes.read", "/v1/history/conversations"), ("history.read", "/v1/history/recordings/x")):
        headers = {"Authorization": f"Bearer {api.key(manager, scope)}"}
        answer = requests.get(server.url + path, headers=headers, timeout=20)
        assert (answer.status_code, api.code_of(answer)) == (403, "forbidden"), answer.text


def test_the_anonymous_matrix_is_complete(figure):
    closed = len(set(BODIES) - OPEN)
    figure(
        "39",
        f"{closed} routes × {len(FORGED)} forged or missing credentials: 401 on {HELD['39']} of "
        f"{closed * len(FORGED)}; {len(OPEN)} routes open to anyone",
    )


@pytest.mark.parametrize(
    "hello",
    [
        {"token": "rubbish"},
        {"token": ""},
        {"ticket": "rubbish"},
        {"token": f"e1.demo.shop.{NOBODY}.{NOBODY}.1763757600.{NOBODY}"},
        {"token": "a" * 400},
    ],
    ids=lambda hello: json.dumps(hello)[:24],
)
def test_a_socket_without_good_credentials_is_closed_as_not_signed_in(server, hello):
    frames = frames_after(server, json.dumps({"hello": hello}))
    assert frames[-1][0] == 8 and int.from_bytes(frames[-1][1][:2]) == 4401, frames


@pytest.mark.parametrize(
    "first",
    [
        '{"hello":{}}',
        '{"hello":{"token":5}}',
        '{"hello":{"ticket":null}}',
        '{"hello":{"token":"t","after":"5"}}',
        '{"hello":{"token":"t","epoch":5}}',
        '{"hello":{"token":"t","v":"x"}}',
        '{"typing":true}',
        "hello",
    ],
)
def test_a_slip_in_hello_does_not_read_as_a_lost_identity(server, first):
    frames = frames_after(server, first)
    bye = json.loads(frames[-2][1])["bye"]
    assert bye["code"] == "bad_request", frames
    assert frames[-1][0] == 8 and int.from_bytes(frames[-1][1][:2]) == 4400, frames


def frames_after(server, first):
    """Everything that a new socket sends after this first frame, which is refused."""
    raw = upgrade(server.port)
    assert raw.head().startswith(b"HTTP/1.1 101")
    raw.send(frame(1, first.encode()))
    frames = []
    while got := read_frame(raw):
        frames.append(got)
    assert not any(b'"ready"' in payload for _, payload in frames)
    return frames


def test_a_socket_sends_nothing_before_hello(server, consumer):
    for first in (
        {"send": "k", "text": "a"},
        {"page": None, "before": 9},
        {"watch": consumer.conversation},
        {"typing": True},
    ):
        raw = upgrade(server.port)
        assert raw.head().startswith(b"HTTP/1.1 101")
        raw.send(frame(1, json.dumps(first).encode()))
        kinds = []
        while got := read_frame(raw):
            kinds.append(got)
        assert kinds[-1][0] == 8 and not any(
            b'"ok"' in payload or b'"events"' in payload for _, payload in kinds
        ), kinds


def test_a_ticket_opens_one_socket_once(server, agent):
    ticket = agent.ticket()
    codes = []
    for _ in range(2):
        raw = upgrade(server.port)
        raw.head()
        raw.send(frame(1, json.dumps({"hello": {"ticket": ticket}}).encode()))
        got = read_frame(raw)
        codes.append(b'"ready"' in got[1])
        raw.close()
    assert codes == [True, False]


# Bar 48.
FOREIGN = ["https://evil.example", "null", "http://localhost", "http://localhost.evil.example", "http://127.0.0.1:1"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_origin_changes_nothing(server, consumer, agent, origin):
    for route in CHANGING:
        for who in ({}, consumer.headers, {**agent.headers, "Cookie": agent.cookie}):
            answer = send(server.url, route, {**who, "Origin": origin})
            assert (answer.status_code, api.code_of(answer)) == (403, "origin_refused"), (route, answer.text)
            HELD["48"] += 1
    assert requests.get(f"{server.url}/v1/session", headers={"Cookie": agent.cookie}, timeout=10).status_code == 200


@pytest.mark.parametrize("csrf", [None, "", "rubbish", "the right one"])
def test_a_cookie_alone_changes_nothing(server, agent, csrf):
    """A browser says where a change comes from, so a cookie without an Origin is as foreign as a wrong one."""
    for route in sorted(WITH_COOKIE):
        for origin in (None, OWN) if csrf != "the right one" else (None,):
            value = agent.headers["X-Earshot-CSRF"] if csrf == "the right one" else csrf
            said = {"Origin": origin, "X-Earshot-CSRF": value, "Cookie": agent.cookie}
            answer = send(server.url, route, {name: value for name, value in said.items() if value is not None})
            assert (answer.status_code, api.code_of(answer)) == (403, "csrf" if origin else "origin_refused"), (
                route,
                answer.text,
            )
            HELD["48"] += 1


def test_our_own_origin_with_the_csrf_value_is_accepted(server, agent):
    answer = send(server.url, ("POST", "/v1/tickets"), {**agent.headers, "Cookie": agent.cookie, "Origin": server.url})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("origin", FOREIGN)
def test_no_socket_opens_for_a_foreign_origin(server, consumer, origin):
    raw = upgrade(server.port, f"Origin: {origin}")
    head = raw.head()
    assert head.startswith(b"HTTP/1.1 403"), head
    HELD["48"] += 1


@pytest.mark.parametrize("route", CHANGING)
def test_get_never_writes(server, agent, route):
    path = route[1].replace("{upload}", NOBODY)
    if ("GET", route[1]) not in BODIES:
        answer = requests.get(server.url + path, headers={"Cookie": agent.cookie}, timeout=10)
        assert answer.status_code in {401, 404, 405}


def test_scripts_cannot_read_the_session_cookie(server, demo):
    answer = requests.post(
        f"{server.url}/v1/login",
        json={"account": demo.account, "email": demo.manager.email, "password": demo.manager.password},
        timeout=20,
    )
    cookie = answer.headers["Set-Cookie"]
    assert all(
        part in cookie.replace("samesite", "SameSite") for part in ("HttpOnly", "SameSite=Strict", "Path=/")
    ), cookie


def test_the_origin_matrix_is_complete(figure):
    tries = len(CHANGING) * len(FOREIGN) * 3 + len(WITH_COOKIE) * 7 + len(FOREIGN)
    figure(
        "48",
        f"{len(CHANGING)} state-changing routes × {len(FOREIGN)} foreign origins × 3 callers, {len(WITH_COOKIE)} "
        "cookie routes × 7 (CSRF value, Origin), "
        f"{len(FOREIGN)} socket upgrades: {HELD['48']} of {tries} refused",
    )


def test_a_forged_host_header_does_not_bypass_the_origin_check(server, agent):
    """Origin is compared with what the server knows of itself, not with what the request claims."""
    head = (
        f"POST /v1/tickets HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nCookie: {agent.cookie}\r\n"
        f"X-Earshot-CSRF: {agent.headers['X-Earshot-CSRF']}\r\nContent-Length: 0\r\n\r\n"
    )
    assert RawSocket(server.port).send(head.encode()).status() in {400, 403, 421}
