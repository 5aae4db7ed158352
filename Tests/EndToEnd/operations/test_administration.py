"""The operator's commands: setting up, people, apps and brands, passwords, keys; also while the server runs."""

import json
import os
import pty
import re
import sqlite3
import stat
import subprocess
from contextlib import closing

import pytest
import requests
from playwright.sync_api import expect

from support import api, wire
from support.command import earshot, fail, succeed
from support.demo import Login, discover
from support.server import PATIENCE, ROOT, Server, build_folder

# What a socket says before the server closes it, and how long a command may take to reach it.
CLOSED = ("bye",)
WITHIN = PATIENCE


@pytest.fixture
def fresh(tmp_path):
    """An installation that `earshot init` made, and what it printed."""
    data = str(tmp_path / "data")
    told = succeed("init", "--data", data, "--origin", "https://shop.example", "--email", "me@shop.example")
    password = re.search(r"Password\s+(\S+)", told).group(1)
    return data, told, password


def entries(server, manager) -> list[tuple[str, str]]:
    answer = manager.session.get(f"{server.url}/v1/audit?limit=200", timeout=20)
    return [(entry["what"], entry.get("detail", "")) for entry in answer.json()["entries"]]


def sign_in(server, demo, email: str, password: str) -> int:
    body = {"account": demo.account, "email": email, "password": password}
    return api.fresh_client().post(f"{server.url}/v1/login", json=body, timeout=60).status_code


async def agent_link(server, agent):
    link = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()}, origin=server.url)
    await link.until("ready")
    return link


def test_init_makes_an_installation_that_one_can_sign_in_to(fresh, tmp_path):
    data, told, password = fresh
    assert "earshot serve" in told and "earshot doctor" in told
    assert stat.S_IMODE(os.stat(data).st_mode) == 0o700
    assert succeed("list", "brands", "--data", data).split("\t")[0] == "main"
    assert "https://shop.example" in succeed("list", "apps", "--brand", "main", "--data", data)
    assert "me@shop.example" in succeed("list", "people", "--brand", "main", "--data", data)
    assert "has a brand already" in fail("init", "--data", data)
    server = Server(tmp_path / "server", data=tmp_path / "data")
    process = subprocess.Popen(
        [str(build_folder() / "earshot"), "serve"], env=server.environment(), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        assert "listens" in process.stdout.readline()
        manager = api.Agent(server.url, "main", Login("me@shop.example", password))
        assert manager.body["agent"]["role"] == "administrator"
    finally:
        process.terminate()
        assert process.wait(20) == 0


def test_a_new_password_ends_the_sessions_on_the_running_server(server, demo, manager):
    agent = api.Agent(server.url, demo.account, demo.agent)

    async def story():
        link = await agent_link(server, agent)
        told = succeed(
            "set-password", demo.agent.email, "--brand", demo.account, "--data", str(server.data),
            answer="another password\n")
        assert demo.agent.email in told
        bye = await link.until(*CLOSED, within=WITHIN)
        assert bye["bye"]["code"] == "not_signed_in", bye

    wire.run(story())
    assert agent.session.get(f"{server.url}/v1/session", timeout=20).status_code == 401
    assert sign_in(server, demo, demo.agent.email, demo.agent.password) == 401
    assert sign_in(server, demo, demo.agent.email, "another password") == 200
    assert "person.passwordChanged" in [what for what, _ in entries(server, manager)]
    answered = earshot(
        "set-password", demo.agent.email, "--brand", demo.account, "--data", str(server.data), answer="short\n")
    assert answered.returncode == 1 and "8 to 256" in answered.stderr


def test_a_password_is_not_shown_on_the_terminal(fresh):
    data, _, _ = fresh
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [str(build_folder() / "earshot"), "set-password", "me@shop.example", "--brand", "main", "--data", data],
        stdin=follower, stdout=follower, stderr=follower, close_fds=True)
    os.close(follower)
    shown = b""
    while b"Password:" not in shown:
        shown += os.read(leader, 1000)
    os.write(leader, b"battery staple\n")
    try:
        while piece := os.read(leader, 1000):
            shown += piece
    except OSError:  # the other end is closed
        pass
    assert process.wait(60) == 0, shown
    assert b"has a new password" in shown and b"battery" not in shown, shown


def test_a_person_who_is_removed_is_signed_out_for_good(server, demo, manager):
    person = "extra@demo.example"
    arguments = ("--brand", demo.account, "--data", str(server.data))
    succeed("add", "person", person, "--name", "Extra", *arguments, answer="correct horse\n")
    agent = api.Agent(server.url, demo.account, Login(person, "correct horse"))

    async def story():
        link = await agent_link(server, agent)
        succeed("remove", "person", person, *arguments)
        assert (await link.until(*CLOSED, within=WITHIN))["bye"]["code"] == "not_signed_in"

    wire.run(story())
    assert sign_in(server, demo, person, "correct horse") == 401
    assert person not in succeed("list", "people", *arguments)
    assert "has no" in fail("remove", "person", person, *arguments)
    succeed("add", "person", person, "--name", "Extra again", *arguments, answer="correct horse\n")
    assert {"person.added", "person.removed"} <= {what for what, _ in entries(server, manager)}


def test_the_api_keys_of_a_person_who_is_removed_are_listed_and_revoked_on_request(server, demo, manager):
    arguments = ("--brand", demo.account, "--data", str(server.data))

    def leave(name: str, *options: str) -> tuple[str, str]:
        person = f"{name}@demo.example"
        succeed("add", "person", person, "--name", name, "--administrator", *arguments, answer="correct horse\n")
        agent = api.Agent(server.url, demo.account, Login(person, "correct horse"))
        made = agent.session.post(
            f"{server.url}/v1/keys", headers=agent.headers, timeout=20,
            json={"name": f"Key of {name}", "scopes": ["history.read"]})
        assert made.ok, made.text
        return made.json()["key"]["id"], succeed("remove", "person", person, *options, *arguments)

    def keys() -> str:
        return succeed("api-key", "list", *arguments)

    kept, said = leave("keeper")
    assert "still work" in said and kept in said and "Key of keeper" in said
    assert kept in keys()
    revoked, said = leave("revoker", "--revoke-keys")
    assert "Revoked" in said and revoked in said and kept not in said
    assert revoked not in keys() and kept in keys()


def test_an_operator_signs_a_consumer_out_everywhere(server, demo, manager):
    consumer, other = api.new_consumer(server.url, demo), api.new_consumer(server.url, demo)
    arguments = ("--brand", demo.account, "--data", str(server.data))

    def status(who) -> int:
        return requests.post(f"{server.url}/v1/consumers/me", headers=who.headers, json={}, timeout=20).status_code

    async def story():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": "k1", "text": "hello"})
        await link.until("ok")
        succeed("sign-out-consumer", *arguments, "--", consumer.conversation)
        assert (await link.until("bye", within=WITHIN))["bye"]["code"] == "not_signed_in"

    wire.run(story())
    assert (status(consumer), status(other)) == (401, 200)
    assert "consumer.signedOut" in {what for what, _ in entries(server, manager)}
    server.stop()
    server.start()
    assert (status(consumer), status(other)) == (401, 200)


def test_an_operator_sets_when_unused_sign_ins_end(server, demo, manager):
    data = ("--data", str(server.data))
    assert succeed("set", "brand", demo.account, "sessions.idleMinutes", "15", *data).endswith("is now 15.\n")
    for minutes in ("14", "721", "0"):
        assert "15 to 720" in fail("set", "brand", demo.account, "sessions.idleMinutes", minutes, *data)
    assert "whole number" in fail("set", "brand", demo.account, "sessions.idleMinutes", "soon", *data)
    assert "brand.sessionRuleChanged" in {what for what, _ in entries(server, manager)}
    succeed("set", "brand", demo.account, "sessions.idleMinutes", "720", *data)


def test_the_last_administrator_is_not_removed(fresh):
    data, _, _ = fresh
    assert "last administrator" in fail("remove", "person", "me@shop.example", "--brand", "main", "--data", data)


def test_an_operator_lists_and_ends_sessions(server, demo):
    agent = api.Agent(server.url, demo.account, demo.manager)
    arguments = (demo.manager.email, "--brand", demo.account, "--data", str(server.data))
    ours = next(
        session["id"]
        for session in agent.session.get(f"{server.url}/v1/sessions", timeout=20).json()["sessions"]
        if session["current"])
    assert ours in succeed("list", "sessions", *arguments)
    assert "1 session" in succeed("sign-out", *arguments, "--session", ours)
    assert agent.session.get(f"{server.url}/v1/session", timeout=20).status_code == 401
    assert "no session" in fail("sign-out", *arguments, "--session", ours)


def test_an_app_that_is_removed_or_changed_opens_no_longer_from_its_old_origins(server, demo):
    arguments = ("--brand", demo.account, "--data", str(server.data))
    succeed("add", "app", "second", "--name", "Second", "--origin", "https://a.example", *arguments)

    def begin(origin: str) -> int:
        return api.fresh_client().post(
            f"{server.url}/v1/consumers", json={"account": demo.account, "app": "second"},
            headers={"Origin": origin}, timeout=20).status_code

    assert begin("https://a.example") == 201 and begin("https://b.example") == 403
    succeed("set", "app", "second", "--origin", "https://b.example", *arguments)
    assert begin("https://a.example") == 403 and begin("https://b.example") == 201
    succeed("set", "app", "second", "--add-origin", "https://a.example", *arguments)
    assert begin("https://a.example") == 201 and begin("https://b.example") == 201
    assert "not an origin" in fail("set", "app", "second", "--origin", "b.example/path", *arguments)
    assert "already exists" in fail("add", "app", "second", "--name", "x", "--origin", "https://c.example", *arguments)
    succeed("remove", "app", "second", *arguments)
    assert begin("https://b.example") == 404
    assert "no app" in fail("remove", "app", "second", *arguments)


def test_only_an_empty_brand_is_removed(server, demo, consumer):
    data = ("--data", str(server.data))
    succeed("add", "brand", "empty", "--name", "Empty", *data)
    succeed("add", "person", "a@empty.example", "--brand", "empty", "--name", "A", *data, answer="correct horse\n")
    succeed("remove", "brand", "empty", *data)
    assert "empty" not in succeed("list", "brands", *data)
    assert "suspend" in fail("remove", "brand", demo.account, *data)


def test_a_blocked_consumer_is_disconnected_and_refused_until_unblocked(server, demo, consumer, manager):
    options = ("--brand", demo.account, "--data", str(server.data))
    # An id may begin with a dash.
    arguments = (*options, "--", consumer.conversation)

    async def story():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": api.new_id(), "text": "Buy my pills"})
        await link.until("ok")
        succeed("block", *arguments)
        bye = await link.until(*CLOSED, within=WITHIN)
        assert bye["bye"]["code"] == "blocked", bye

    wire.run(story())
    answer = requests.post(f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20)
    assert answer.status_code == 403 and api.code_of(answer) == "blocked"
    succeed("unblock", *arguments)

    def is_back() -> bool:
        return requests.post(
            f"{server.url}/v1/consumers/me", headers=consumer.headers, json={}, timeout=20).status_code == 200

    while not is_back():  # a poll of the outside: the command tells the server within a second
        pass
    assert {"consumer.blocked", "consumer.unblocked"} <= {what for what, _ in entries(server, manager)}
    assert "no conversation" in fail("block", "none", *options)


def test_new_keys_are_used_by_the_running_server_and_old_tokens_are_replaced(new_server):
    server = new_server().start()
    demo = discover(server)
    path = server.data / "token-keys.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    consumer = api.new_consumer(server.url, demo)
    succeed("rotate-keys", "--days", "30", "--data", str(server.data))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def returned() -> str:
        return api.come_back(server.url, consumer).token

    while (token := returned()) == consumer.token:  # a poll of the outside: the server looks within a second
        pass
    assert token.split(".")[1] != consumer.token.split(".")[1], "another key signed it"
    succeed("rotate-keys", "--days", "0", "--data", str(server.data))
    while requests.post(
        f"{server.url}/v1/consumers/me", headers={"Authorization": f"Bearer {token}"}, json={}, timeout=20
    ).status_code != 401:
        pass
    server.stop()


def test_the_key_of_an_earlier_version_moves_out_of_the_database(new_server):
    server = new_server()
    secret = bytes(range(32))
    path = server.data / "token-keys.json"
    path.write_text(json.dumps([{"id": "1", "secret": list(secret)}]))
    server.start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    server.stop()
    path.unlink()
    with closing(sqlite3.connect(server.data / "earshot.sqlite")) as database, database:
        database.execute("INSERT INTO setting VALUES ('secret.consumer-tokens', ?)", (secret,))
    server.start()
    assert api.come_back(server.url, consumer).conversation == consumer.conversation
    server.stop()
    with closing(sqlite3.connect(server.data / "earshot.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM setting WHERE name LIKE 'secret.%'").fetchone() == (0,)
    for name in ("earshot.sqlite", "token-keys.json"):
        assert secret not in (server.data / name).read_bytes()


def test_the_demo_says_what_is_missing(new_server, tmp_path):
    server = new_server()
    (server.data / "demo-logins.json").unlink()
    told = fail("demo", EARSHOT_DATA=str(server.data), EARSHOT_WEB=str(ROOT / "Web/dist"), EARSHOT_PORT="0")
    assert "demo-logins.json" in told and "set-password" in told and "SQLite" not in told
    told = fail("demo", EARSHOT_DATA=str(tmp_path / "new"), EARSHOT_WEB=str(tmp_path), EARSHOT_PORT="0")
    assert "bin/web build" in told


def test_an_empty_server_says_what_to_do_and_commands_print_its_address(tmp_path, new_context):
    server = Server(tmp_path / "server", {"EARSHOT_WEB": None}, data=tmp_path / "data")
    server.arguments = ["serve"]
    server.start()
    page = new_context().new_page()
    try:
        data = ("--data", str(server.data))
        command = f"{build_folder() / 'earshot'} init --data {server.data}"
        assert f"There is no brand yet. Run: {command}. Then open" in server.log(), server.log()
        page.goto(f"{server.url}/workspace/")
        expect(page.get_by_role("heading", name="There is no brand yet")).to_be_visible()
        expect(page.get_by_text("earshot init")).to_be_visible()
        told = succeed("init", "--name", "Tulip", "--origin", "http://shop.example", *data)
        assert f"Open {server.url}/workspace/" in told
        assert f'<script src="{server.url}/embed/main/site.js" async></script>' in told
        assert "http://shop.example is not HTTPS" in told and "microphone" in told
        page.reload()
        expect(page.get_by_text("Your account at Tulip")).to_be_visible()

        def link(*options: str, **settings: str) -> str:
            return succeed("password-link", "admin@localhost", "--brand", "main", *data, *options, **settings)

        public = "https://chat.shop.example"
        for told, address in (
            (link(), server.url),
            (link("--port", "9"), "http://localhost:9"),
            (link("--address", public, "--port", "9"), public),
            (link(EARSHOT_PUBLIC_URL=public), public),
        ):
            assert told.strip().splitlines()[-1].startswith(f"{address}/workspace/#/join/"), told
            assert "does not run" not in told
        app = ("app", "second", "--brand", "main", *data)
        added = succeed("add", *app, "--name", "Second", "--origin", "https://a.example")
        assert f'<script src="{server.url}/embed/main/second.js" async></script>' in added
        assert "microphone" not in added
        changed = succeed("set", *app, "--origin", "http://a.example")
        assert "http://a.example is not HTTPS" in changed and "microphone" in changed
        server.stop()
        told = link()
        assert "The server does not run" in told and "http://localhost:8080/workspace/" in told
        assert "is no address" in fail(
            "password-link", "admin@localhost", "--brand", "main", *data, "--address", "chat.shop.example")
    finally:
        server.kill()


def test_missing_pages_or_worker_are_named_with_the_places(tmp_path):
    data = {"EARSHOT_DATA": str(tmp_path / "data"), "EARSHOT_PORT": "0"}
    told = earshot("serve", **data, EARSHOT_WEB=str(tmp_path))
    assert told.returncode == 64, told
    assert f"The web pages were not found. Looked in: {tmp_path}." in told.stderr and "bin/web build" in told.stderr
    told = earshot("serve", **data, EARSHOT_WORKER="/nowhere/worker")
    assert told.returncode == 64, told
    assert "The media worker was not found. Looked for: /nowhere/worker." in told.stderr
    assert not (tmp_path / "data").exists(), "nothing was made"
    doctor = earshot("doctor", **data, EARSHOT_WEB=str(tmp_path)).stdout
    assert f"The web pages were not found. Looked in: {tmp_path}." in doctor
    found = earshot("doctor", **data).stdout
    assert f"built, in {ROOT}/Web/dist" in found and "The media worker was not found" not in found, found


def test_the_version_is_printed():
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", succeed("--version"))
