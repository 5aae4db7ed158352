"""The first start of the demo may be ended at any moment: the next one completes it."""

import sqlite3
from contextlib import closing

from support import api
from support.demo import discover


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
