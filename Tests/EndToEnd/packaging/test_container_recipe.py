"""The container recipe follows the package's layout, keeps the rules that a build would not check, and makes an
image that runs: its steps are done in a fresh Debian, because a container engine is not part of the tests."""

import json
import re
import subprocess

import pytest

from support.clean_root import SUITE, CleanRoot, build_package
from support.server import PATIENCE, ROOT, build_folder

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


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> CleanRoot:
    """What COPY and RUN make of the base that FROM names."""
    folder = tmp_path_factory.mktemp("container")
    package = build_package(folder / "built", build_folder())
    root = CleanRoot(folder)
    assert value("FROM") == "docker.io/library/debian:12-slim" and SUITE == "bookworm", "bookworm is Debian 12"
    source, target = value("COPY").split()
    assert source == "${PACKAGE}" and value("ARG") == "PACKAGE"
    (root.path / target.lstrip("/")).write_bytes(package.read_bytes())
    root.must("sh", "-c", value("RUN"))
    return root


# Starts the server as the engine does, asks for its health until it is good, and stops it.
ENGINE = """
stop=$1 health=$2; shift 2
bash -c "$health" && { echo 'healthy without a server'; exit 3; }
"$@" & server=$!
until bash -c "$health" 2>/dev/null; do kill -0 $server || exit 4; done
kill -$stop $server && wait $server
"""


def run_container(image: CleanRoot, settings: dict[str, str]) -> subprocess.CompletedProcess:
    """The image's command by the image's user, in a network of its own, to its end."""
    name, address = value("ENV").split("=")
    health = json.loads(value("HEALTHCHECK")[value("HEALTHCHECK").index("CMD") + 4:])[-1]
    words = ["bash", "-c", ENGINE, "engine", value("STOPSIGNAL").removeprefix("SIG"), health]
    return subprocess.run(
        image.command(*words, *json.loads(value("ENTRYPOINT")), user=value("USER"), has_own_network=True),
        env={"PATH": "/usr/bin:/bin", name: address, **settings}, capture_output=True, text=True, timeout=PATIENCE,
    )


def test_a_container_becomes_healthy_and_stops_gracefully(image):
    ran = run_container(image, {"EARSHOT_TRUSTED_PROXIES": "10.0.0.1"})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not (image.path / "tmp/earshot.deb").exists() and not list((image.path / "var/lib/apt/lists").iterdir())


def test_a_container_without_tls_and_without_a_proxy_says_what_it_needs(image):
    ran = run_container(image, {})
    assert ran.returncode == 4 and "EARSHOT_TLS_CERTIFICATE" in ran.stdout + ran.stderr, ran.stdout + ran.stderr
