"""The container recipe follows the package's layout, and keeps the rules that a build would not check."""

import json
import re

from support.server import ROOT

RECIPE = (ROOT / "packaging/container/Containerfile").read_text()
INSTRUCTIONS = re.findall(r"^([A-Z]+) (.*)$", RECIPE.replace("\\\n", " "), re.M)


def value(name: str) -> str:
    """The last value of an instruction, as the container engine takes it."""
    return [rest for word, rest in INSTRUCTIONS if word == name][-1]


def test_it_starts_what_the_unit_starts_by_the_same_user():
    unit = (ROOT / "packaging/debian/earshot.service").read_text()
    assert " ".join(json.loads(value("ENTRYPOINT"))) == re.search(r"^ExecStart=(.*)$", unit, re.M).group(1)
    assert value("USER") == re.search(r"^User=(.*)$", unit, re.M).group(1)


def test_its_volume_is_the_data_folder_of_the_package():
    configuration = (ROOT / "packaging/debian/earshot.conf").read_text()
    assert f"EARSHOT_DATA={value('VOLUME')}\n" in configuration


def test_it_names_its_base_and_leaves_nothing_behind():
    assert re.fullmatch(r"docker\.io/library/debian:\d+-slim", value("FROM")), "a named release, never latest"
    assert "rm -rf /var/lib/apt/lists/*" in value("RUN") and "--no-install-recommends" in value("RUN")
    assert "ADD" not in dict(INSTRUCTIONS), "COPY fetches nothing from elsewhere"


def test_the_engine_learns_whether_it_is_ready():
    check = value("HEALTHCHECK")
    assert "/v1/ready" in check and "200" in json.loads(check[check.index("CMD") + 4:])[-1]
