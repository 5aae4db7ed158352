"""A month of a server, day by day on a simulated clock: conversations with recordings, recordings that are refused,
abandoned or never sent, sign-ins, restarts and backups, a day on which the recordings' disk is full, and a certificate
that is renewed. At the end the folders, rows, memory and descriptors are as large as what was kept, and nothing else is
left.

bin/test plays five days; `--nightly` plays thirty."""

import os
import shutil
import sqlite3
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests

from support import api
from support.command import succeed
from support.demo import Demo, discover
from support.mounted_disk import SmallDisk
from support.network.certificates import Certificate, certificate_for_localhost
from support.server import PATIENCE, Server
from support.server_clock import DAY, HOUR, Clock
from support.voice import voice_messages

DAYS, NIGHTLY_DAYS = 5, 30
CONSUMERS_A_DAY = 4
RESTART_EVERY, BACKUP_EVERY = 3, 4
FULL_DAY = 1
# What an idle server may have more of than on its first evening.
MORE_DESCRIPTORS = 12
MORE_MEMORY_KIB = 32 * 1024


@dataclass
class Kept:
    """What was said and must be there at the end."""

    texts: int = 0
    media: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@pytest.fixture
def clock(tmp_path) -> Clock:
    return Clock(tmp_path)


@pytest.fixture
def certificate(tmp_path, monkeypatch) -> Certificate:
    """Every client of this test trusts its authority, and nothing else."""
    made = certificate_for_localhost(tmp_path / "tls", days=NIGHTLY_DAYS + 2)
    for variable in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(variable, str(made.authority))
    return made


@pytest.fixture
def disk(tmp_path) -> Iterator[SmallDisk]:
    """What the recordings are on, in place of the server's folder."""
    small = SmallDisk(tmp_path / "recordings", mebibytes=64)
    yield small
    small.unmount()


def rows(server: Server, sql: str) -> list[tuple]:
    with sqlite3.connect(f"file:{server.data}/earshot.sqlite?mode=ro", uri=True) as connection:
        return connection.execute(sql).fetchall()


def folders(server: Server, kind: str) -> set[str]:
    """The folders below media/KIND that hold files, by name; an empty one is named with a slash."""
    found = set()
    top = server.data / "media" / kind
    # The server removes folders meanwhile: os.walk passes over one that is gone.
    for path, folders_inside, files in os.walk(top):
        if path == str(top):
            continue
        if files:
            found.add(Path(path).name)
        elif not folders_inside:
            found.add(Path(path).name + "/")
    return found


def play_day(server: Server, demo: Demo, recording: Path, kept: Kept) -> None:
    """What happens on a day."""
    manager = api.Agent(server.url, demo.account, demo.manager)
    for number in range(CONSUMERS_A_DAY):
        consumer = api.new_consumer(server.url, demo)
        kept.media += voice_messages.say(server, consumer, f"good morning {number}", recording)
        kept.texts += 1
    # One consumer who records and thinks better of it, in every way there is.
    consumer = api.new_consumer(server.url, demo)
    finished = api.upload(server.url, consumer, recording.read_bytes())
    assert finished.status_code == 200, finished.text
    kept.left_out.append(finished.json()["media"])
    refused = api.upload(server.url, consumer, b"this is no recording" * 100)
    assert refused.status_code == 415, refused.text
    abandoned = api.begin_upload(server.url, consumer)
    taken = requests.patch(
        f"{server.url}/v1/uploads/{abandoned}?offset=0", data=recording.read_bytes()[:2000], timeout=30,
        headers={**consumer.headers, "Content-Type": "application/octet-stream"},
    )
    assert taken.status_code == 200, taken.text
    out = manager.session.post(f"{server.url}/v1/logout", headers=manager.headers, timeout=30)
    assert out.status_code in (200, 204), out.text


def fill_the_disk(server: Server, demo: Demo, disk: SmallDisk, recording: bytes) -> None:
    """A day on which the disk of the recordings is full: they are refused, texts are not, and nothing is left of what
    was refused."""
    consumer = api.new_consumer(server.url, demo)
    begun = api.begin_upload(server.url, consumer)
    disk.fill()
    refused = requests.patch(
        f"{server.url}/v1/uploads/{begun}?offset=0", data=recording, timeout=PATIENCE,
        headers={**consumer.headers, "Content-Type": "application/octet-stream"},
    )
    assert (refused.status_code, api.code_of(refused)) == (507, "storage_full"), refused.text
    voice_messages.say(server, consumer, "is there room for a text?")
    disk.make_room()
    discarded = requests.delete(f"{server.url}/v1/uploads/{begun}", headers=consumer.headers, timeout=PATIENCE)
    assert discarded.status_code == 204, discarded.text


def shown(server: Server) -> str:
    """The certificate that the server shows."""
    return ssl.get_server_certificate(("localhost", server.port)).strip()


def renew(server: Server, certificate: Certificate) -> None:
    """The authority signs another certificate. The server takes it without a restart."""
    before = shown(server)
    assert before == certificate.chain.read_text().strip()
    certificate.renew()
    while "was renewed" not in server.log():
        pass
    assert shown(server) == certificate.chain.read_text().strip() != before


def history(server: Server) -> dict[str, int]:
    """How many texts and recordings the log has."""
    said = "count(*) FILTER (WHERE kind = 'text')"
    kinds = rows(server, f"SELECT {said}, count(*) FROM event")[0]
    return {"texts": kinds[0], "events": kinds[1]}


def until_gone(server: Server, kind: str, expected: int) -> set[str]:
    """The server sweeps in the background after its start: waits until so many folders are left."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        left = folders(server, kind)
        if len(left) == expected:
            return left
        time.sleep(0.05)
    raise AssertionError(f"{expected} folders were expected below media/{kind}: {sorted(folders(server, kind))}")


def test_a_month_leaves_what_was_kept_and_nothing_else(
    new_server, clock, certificate, disk, tmp_path, nightly, figure
):
    tls = {"EARSHOT_TLS_CERTIFICATE": str(certificate.chain), "EARSHOT_TLS_KEY": str(certificate.key)}
    server = new_server({**clock.settings, **tls})
    server.scheme = "https"
    shutil.copytree(server.data / "media", disk.mountpoint, dirs_exist_ok=True)
    shutil.rmtree(server.data / "media")
    (server.data / "media").symlink_to(disk.mountpoint)
    server.start()
    demo = discover(server)
    recording = voice_messages.tone(tmp_path, 440, 2)
    before = rows(server, "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM recording)")[0]
    kept, evening = Kept(), None
    days = NIGHTLY_DAYS if nightly else DAYS
    for day in range(days):
        # A jump of more than a day is a wrong clock, and consumers would get no tokens.
        clock.set(day * 23 * HOUR)
        play_day(server, demo, recording, kept)
        if day == FULL_DAY:
            fill_the_disk(server, demo, disk, recording.read_bytes())
            kept.texts += 1
        if day == days // 2:
            renew(server, certificate)
        if (day + 1) % BACKUP_EVERY == 0:
            succeed("backup", str(tmp_path / "backups"), "--data", str(server.data))
        if (day + 1) % RESTART_EVERY == 0:
            server.stop()
            server.start()
        if evening is None:
            evening = (server.open_files(), server.memory_kib())
    clock.set(days * DAY + HOUR)
    server.stop()
    server.start()

    assert kept.texts == days * CONSUMERS_A_DAY + 1 == history(server)["texts"]
    assert until_gone(server, "uploads", 0) == set()
    stored = until_gone(server, "media", len(kept.media) + before[1])
    assert set(kept.media) <= stored and not stored & set(kept.left_out)
    recordings = rows(server, "SELECT count(*) FROM recording")[0][0]
    assert recordings == len(kept.media) + before[1], "a recording that nobody sent has no row"
    sessions = rows(server, "SELECT count(*) FROM session")[0][0]
    assert sessions == 0, "sessions that ended have no row"

    consumer = api.new_consumer(server.url, demo)
    voice_messages.say(server, consumer, "good evening", recording)
    descriptors, memory = server.open_files(), server.memory_kib()
    figure("26", f"{days} days: {len(kept.media)} recordings kept, descriptors {evening[0]} → {descriptors}, "
                 f"RSS {evening[1]} → {memory} KiB")
    assert descriptors <= evening[0] + MORE_DESCRIPTORS
    assert memory <= evening[1] + MORE_MEMORY_KIB
    server.stop()
