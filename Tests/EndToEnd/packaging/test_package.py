"""The Debian package: installed by dpkg in a fresh Debian, run by its unit's command as its unit's user, behind nginx,
upgraded while a consumer is connected, removed and purged. The steps build on each other."""

import hashlib
import subprocess
from pathlib import Path

import pytest
import requests

from support import api, wire
from support.clean_root import CleanRoot, Service, build_package, repacked
from support.complete_flow import Place, inbox, kept, say, visit
from support.demo import Login
from support.network.certificates import certificate_for_localhost
from support.network.reverse_proxy import nginx
from support.server import FORWARDED, build_folder, free_port
from support.voice import speech

CONFIGURATION = "/etc/earshot/earshot.conf"
PASSWORD = "a long enough password"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("package")


@pytest.fixture(scope="module")
def package(folder):
    return build_package(folder / "built", build_folder())


@pytest.fixture(scope="module")
def root(folder, package) -> CleanRoot:
    root = CleanRoot(folder, package)
    root.install(package)
    return root


def earshot(root: CleanRoot, *words: str, input: str | None = None) -> str:
    """A command of the operator, as the service's user."""
    return root.must("earshot", *words, "--config", CONFIGURATION, user="earshot", input=input)


def start(root: CleanRoot, folder, port: int) -> Service:
    service = Service(root, "earshot.service", folder / "service.log")
    while True:
        assert service.process.poll() is None, service.log()
        try:
            if requests.get(f"http://127.0.0.1:{port}/v1/ready", headers=FORWARDED, timeout=5).status_code == 200:
                return service
        except requests.RequestException:
            continue


def program_of(process: int) -> str:
    """The digest of the program that a process runs."""
    return hashlib.sha256(Path(f"/proc/{process}/exe").read_bytes()).hexdigest()


def test_the_package_says_what_it_needs_and_is_well_formed(package):
    control = subprocess.run(["dpkg-deb", "-f", package], capture_output=True, text=True, check=True).stdout
    assert all(name in control for name in ("libsqlite3-0", "libavcodec", "libseccomp2", "adduser"))
    files = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
    for path in ("./usr/bin/earshot", "./usr/lib/earshot/EarshotMediaWorker", "./usr/share/earshot/web/loader.js",
                 "./lib/systemd/system/earshot.service", f".{CONFIGURATION}", "./usr/share/man/man1/earshot.1.gz"):
        assert path in files, path


def test_a_fresh_installation_is_private_and_belongs_to_its_own_user(root):
    assert root.must("stat", "-c", "%U:%G %a", "/var/lib/earshot") == "earshot:earshot 700\n"
    assert root.must("stat", "-c", "%U %a", CONFIGURATION) == "root 644\n"
    assert "nologin" in root.must("getent", "passwd", "earshot")
    assert root.must("dpkg", "--verify", "earshot") == "", "every file is as the package has it"


def test_the_unit_is_hardened(root, tmp_path):
    unit = root.path / "lib/systemd/system/earshot.service"
    security = ["systemd-analyze", "security", "--offline=true", "--threshold=25", "--no-pager", str(unit)]
    judged = subprocess.run(security, capture_output=True, text=True)
    assert judged.returncode == 0, judged.stdout
    # The unit's program is inside the root: verify the unit with one that is here.
    (tmp_path / "earshot.socket").write_text((unit.parent / "earshot.socket").read_text())
    copy = tmp_path / "earshot.service"
    command = root.unit("earshot.service")["ExecStart"]
    copy.write_text(unit.read_text().replace(command, "/bin/true"))
    check = ["systemd-analyze", "verify", "--man=no", copy, tmp_path / "earshot.socket"]
    verified = subprocess.run(check, capture_output=True, text=True)
    assert verified.returncode == 0, verified.stderr


def test_a_brand_works_behind_nginx_and_survives_an_upgrade_and_a_restore(root, package, folder, tmp_path):
    port = free_port()
    certificate = certificate_for_localhost(folder / "tls", days=90)
    proxy = nginx(folder / "nginx", port, certificate)
    configuration = root.path / CONFIGURATION.lstrip("/")
    configuration.write_text(
        configuration.read_text().replace("EARSHOT_PORT=8080", f"EARSHOT_PORT={port}")
        + f"EARSHOT_PUBLIC_URL={proxy.url}\nEARSHOT_TRUSTED_PROXIES=127.0.0.1\n"
    )
    earshot(root, "add", "brand", "acme", "--name", "Acme")
    earshot(root, "add", "app", "shop", "--brand", "acme", "--name", "Shop", "--origin", "https://shop.example")
    person = ["add", "person", "mira@acme.example", "--brand", "acme", "--name", "Mira", "--administrator"]
    earshot(root, *person, input=PASSWORD)
    service = start(root, folder, port)
    place = Place(proxy.url, certificate.authority, "acme", "shop")
    login = Login("mira@acme.example", PASSWORD)
    recording = speech.speak(tmp_path / "speech.wav").read_bytes()

    consumer = visit(place, login, recording)
    authority = root.path / "etc/earshot/authority.pem"
    authority.write_bytes(certificate.authority.read_bytes())
    authority.chmod(0o644)
    # What is left to look at: there is no scanner, no backup yet and, in CI, no time synchronisation.
    doctor = earshot(root, "doctor", "--ca", "/etc/earshot/authority.pem")
    looks = {line.split()[1] for line in doctor.splitlines() if line.startswith("[look]")}
    assert looks <= {"scanner", "clock", "backup"}, doctor
    for good in ("tls ", "proxy ", "socket ", "uploads "):
        assert f"[ok]   {good}" in doctor, doctor

    newer = repacked(package, tmp_path, "99.0-1", {CONFIGURATION.lstrip("/"): "# A line of the new version"})

    async def through_the_upgrade() -> None:
        link = await wire.Link.open(place.socket_url, {"token": consumer.token}, ssl=place.tls, origin=place.url)
        ready = (await link.until("ready"))["ready"]
        running = program_of(service.child())
        service.stop()
        told = await link.until("bye")
        assert "bye" in told
        root.install(newer)
        again = start(root, folder, port)
        assert program_of(again.child()) != running, "the program of the new package runs"
        link = await wire.Link.open(
            place.socket_url,
            {"token": consumer.token, "after": ready["through"], "epoch": ready["epoch"]},
            ssl=place.tls, origin=place.url,
        )
        resumed = (await link.until("ready"))["ready"]
        assert not resumed.get("fresh") and resumed["events"] == [] and resumed["through"] == ready["through"]
        await say(link, {"text": "after the upgrade"})
        await link.close()
        again.stop()

    def restored_elsewhere() -> None:
        """A backup of the running server is restored into another folder, and served from there."""
        running = start(root, folder, port)
        before = kept(place, consumer)
        assert len(before["recordings"]) == 1 and "after the upgrade" in str(before["events"])
        for path in ("/var/backups/earshot", "/srv/earshot"):
            root.must("install", "-d", "-o", "earshot", "-g", "earshot", "-m", "700", path)
        earshot(root, "backup", "/var/backups/earshot")
        assert "[ok]   backup " in earshot(root, "doctor", "--ca", "/etc/earshot/authority.pem")
        running.stop()
        root.must("earshot", "restore", "/var/backups/earshot", "--data", "/srv/earshot", user="earshot")
        root.must("install", "-m", "600", "/var/lib/earshot/master-key", "/srv/earshot/master-key", user="earshot")
        text = configuration.read_text()
        configuration.write_text(text.replace("EARSHOT_DATA=/var/lib/earshot", "EARSHOT_DATA=/srv/earshot"))
        restored = start(root, folder, port)
        assert kept(place, consumer) == before
        assert consumer.conversation in inbox(place, login)
        restored.stop()
        configuration.write_text(text)

    wire.run(through_the_upgrade())
    restored_elsewhere()
    proxy.stop()
    assert f"EARSHOT_PORT={port}" in configuration.read_text(), "the operator's configuration stays"
    assert configuration.with_suffix(".conf.dpkg-dist").exists(), "and the new version's lies beside it"
    assert CONFIGURATION in root.run("dpkg", "--verify", "earshot").stdout
    assert "99.0-1" in root.must("dpkg-query", "-W", "earshot")


def test_removal_keeps_the_data_and_purge_does_not(root):
    database = root.path / "var/lib/earshot/earshot.sqlite"
    assert database.exists(), "the service ran"
    root.must("dpkg", "--remove", "earshot")
    assert database.exists() and (root.path / CONFIGURATION.lstrip("/")).exists()
    assert not (root.path / "usr/bin/earshot").is_symlink()
    root.must("dpkg", "--purge", "earshot")
    assert not database.parent.exists() and not (root.path / CONFIGURATION.lstrip("/")).exists()
