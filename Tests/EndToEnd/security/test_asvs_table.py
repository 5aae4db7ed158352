"""docs/security/asvs.md names tests: each of them exists."""

import re

from support.server import ROOT

TABLE = (ROOT / "docs/security/asvs.md").read_text()
ROWS = re.findall(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (.+?) \| (.*) \|$", TABLE, re.M)
STATES = ("holds", "partly", "not done", "not applicable")


def test_the_table_is_whole():
    ids = [row[0] for row in ROWS]
    assert len(ids) == len(set(ids)) > 240
    chapters = {int(id.split(".")[0]) for id in ids}
    assert chapters == set(range(1, 18))


def test_each_state_is_known_and_counted():
    for id, _, _, state, reason in ROWS:
        assert state in STATES and reason.strip(), id
    for state in STATES:
        assert f"| {state} | {sum(row[3] == state for row in ROWS)} |" in TABLE, state


def test_each_named_end_to_end_test_exists():
    named = set(re.findall(r"`([a-z_]+/test_[a-z_]+\.py)(?:::(test_[a-z_0-9]+))?`", TABLE))
    assert len(named) > 30
    for path, function in named:
        source = (ROOT / "Tests/EndToEnd" / path).read_text()
        assert not function or f"def {function}(" in source, f"{path}::{function}"


def test_each_named_swift_suite_exists():
    lists = re.findall(r"Swift: ((?:[A-Z]\w+(?:, )?)+)", TABLE)
    named = {name for names in lists for name in names.rstrip(", ").split(", ")}
    assert len(named) > 15
    known = {path.stem for path in (ROOT / "Tests").rglob("*")}
    for name in named:
        assert name in known or name.removesuffix("Tests") in known, name
