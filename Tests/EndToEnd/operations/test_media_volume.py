"""The volume of the recordings hangs, fails or is read-only: requests for recordings are refused in time, texts go on,
nothing that was acknowledged is lost, and all recovers by itself."""

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from support import api, metrics, wire
from support.demo import discover
from support.server import PATIENCE, bar
from support.voice import recordings

# The server's deadline is 5 s; the rest is for a busy machine.
DEADLINE = 5
ALLOWANCE = 3
# More than the server has threads for files.
REQUESTS = 60


def on_a_volume_of_its_own(server, disk):
    """Moves the media folder to another disk, as an operator does."""
    folder, place = server.data / "media", disk.mountpoint / "media"
    place.mkdir()
    if folder.exists():
        shutil.copytree(folder, place, dirs_exist_ok=True)
        # A power cut follows.
        for path in place.rglob("*"):
            if path.is_file():
                with open(path, "rb") as file:
                    os.fsync(file.fileno())
        shutil.rmtree(folder)
    folder.symlink_to(place)
    return server


def patch(server, consumer, upload: str, offset: int, data: bytes) -> requests.Response:
    return requests.patch(
        f"{server.url}/v1/uploads/{upload}?offset={offset}",
        data=data,
        headers={**consumer.headers, "Content-Type": "application/octet-stream"},
        timeout=60,
    )


def finish(server, consumer, upload: str, size: int) -> requests.Response:
    return requests.post(
        f"{server.url}/v1/uploads/{upload}/finish", json={"bytes": size}, headers=consumer.headers, timeout=60
    )


def play(server, consumer, media: str) -> requests.Response:
    return requests.get(
        f"{server.url}/v1/media/{consumer.conversation}/{media}.mp3", headers=consumer.headers, timeout=60
    )


def has_problem(server) -> bool:
    """Whether the server says that the volume of the recordings fails."""
    return metrics.scrape(server).value("earshot_problem", reason="media_failed") == 1


def is_unavailable(answer: requests.Response) -> bool:
    return (answer.status_code, api.code_of(answer)) == (503, "unavailable") and "Retry-After" in answer.headers


def timed(ask) -> tuple[requests.Response, float]:
    began = time.monotonic()
    return ask(), time.monotonic() - began


async def say(server, consumer, key: str) -> dict:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": key, "text": key})
    answer = await link.until("ok", "no")
    await link.close()
    return answer


def test_a_media_volume_that_hangs_fails_requests_for_recordings_in_time(
    new_server, disk, microphone, tmp_path, figure
):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=4)
    half = len(recording) // 2
    server = on_a_volume_of_its_own(new_server(metrics.settings()), disk).start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    assert not has_problem(server)
    sent = api.upload(server.url, consumer, recording).json()["media"]
    assert play(server, consumer, sent).status_code == 200
    whole, begun = (api.begin_upload(server.url, consumer) for _ in range(2))
    assert patch(server, consumer, whole, 0, recording).status_code == 200
    assert patch(server, consumer, begun, 0, recording[:half]).status_code == 200

    disk.fail("hang")
    asks = [
        lambda: patch(server, consumer, begun, half, recording[half:]),
        lambda: finish(server, consumer, whole, len(recording)),
        lambda: play(server, consumer, sent),
    ]
    with ThreadPoolExecutor(REQUESTS) as threads:
        first = [threads.submit(timed, ask) for ask in asks]
        plays = [threads.submit(timed, asks[2]) for _ in range(REQUESTS - len(first))]
        text, texts = timed(lambda: wire.run(say(server, consumer, "while-it-hangs")))
        made, consumers = timed(lambda: api.new_consumer(server.url, demo))
        refused = [answer.result() for answer in first + plays]
    assert "ok" in text and made.token
    assert max(texts, consumers) < bar(DEADLINE), "texts and new consumers do not wait for recordings"
    for answer, took in refused:
        assert (answer.status_code, api.code_of(answer)) == (503, "unavailable"), answer.text
        assert "Retry-After" in answer.headers and took <= bar(DEADLINE + ALLOWANCE), took
    # The server already knows that the volume hangs, and refuses without waiting.
    later, at_once = timed(asks[2])
    assert (later.status_code, api.code_of(later)) == (503, "unavailable") and at_once < bar(DEADLINE)
    assert requests.get(f"{server.url}/v1/ready", timeout=20).status_code == 200
    assert has_problem(server)
    assert "The volume of the recordings does not answer" in server.log()

    disk.heal()
    began = time.monotonic()
    while (answer := play(server, consumer, sent)).status_code != 200:
        assert (answer.status_code, api.code_of(answer)) == (503, "unavailable"), answer.text
        assert time.monotonic() - began < PATIENCE, "it does not recover"
    recovered = time.monotonic() - began
    # What was cut off goes on where the server says, and nothing is lost.
    for upload in (whole, begun):
        status = requests.get(f"{server.url}/v1/uploads/{upload}", headers=consumer.headers, timeout=20).json()
        if not status["finished"] and status["received"] < len(recording):
            answer = patch(server, consumer, upload, status["received"], recording[status["received"] :])
            assert answer.status_code == 200, answer.text
        finished = finish(server, consumer, upload, len(recording))
        assert finished.status_code == 200, finished.text
        assert play(server, consumer, finished.json()["media"]).status_code == 200
    assert not has_problem(server)
    figure(
        "11",
        f"the volume of the recordings hangs: {len(refused)} requests at once refused after at most "
        f"{max(took for _, took in refused):.1f} s, later ones after {at_once:.2f} s; a text took {texts:.2f} s; "
        f"healed, they play after {recovered:.2f} s",
    )
    server.stop()


@pytest.mark.parametrize("fault", ["write EROFS", "write EIO", "fsync EIO", "flush EIO"])
def test_a_media_volume_that_takes_no_writes_refuses_recordings_and_loses_none(
    new_server, disk, microphone, tmp_path, figure, fault
):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=4)
    half = len(recording) // 2
    server = on_a_volume_of_its_own(new_server(metrics.settings()), disk).start()
    consumer = api.new_consumer(server.url, discover(server))
    sent = api.upload(server.url, consumer, recording).json()["media"]
    whole, begun = (api.begin_upload(server.url, consumer) for _ in range(2))
    assert patch(server, consumer, whole, 0, recording).status_code == 200
    assert patch(server, consumer, begun, 0, recording[:half]).status_code == 200
    assert not has_problem(server)

    disk.fail(fault)
    # A flush ends an upload, so only the end meets a disk that cannot flush.
    refused = [finish(server, consumer, whole, len(recording))]
    if fault.startswith("write"):
        refused.append(patch(server, consumer, begun, half, recording[half:]))
    assert all(is_unavailable(answer) for answer in refused), [answer.text for answer in refused]
    assert has_problem(server), "a client that is refused finds the problem named"
    assert requests.get(f"{server.url}/v1/ready", timeout=20).status_code == 200, "texts are taken"
    assert "ok" in wire.run(say(server, consumer, "while-it-fails"))
    assert play(server, consumer, sent).status_code == 200, "what is there can be played"
    if fault.startswith("write"):
        assert has_problem(server), "reading proves nothing about writing"
    assert "The volume of the recordings fails" in server.log()

    disk.heal()
    # No restart: what was acknowledged is there, and goes on where the server says.
    received = requests.get(f"{server.url}/v1/uploads/{begun}", headers=consumer.headers, timeout=20).json()["received"]
    assert received >= half
    assert patch(server, consumer, begun, received, recording[received:]).status_code == 200
    finished = [finish(server, consumer, upload, len(recording)) for upload in (whole, begun)]
    assert [answer.status_code for answer in finished] == [200, 200], [answer.text for answer in finished]
    assert not has_problem(server)
    assert "The volume of the recordings works again" in server.log()
    # And what is acknowledged now is on the disk.
    server.kill()
    disk.cut_power()
    disk.mount()
    server.start()
    for media in [sent, *(answer.json()["media"] for answer in finished)]:
        assert play(server, consumer, media).status_code == 200
    originals = [path.read_bytes() for path in (disk.mountpoint / "media").rglob("original")]
    assert originals == [recording] * 3
    figure(
        "10",
        f"{fault} on the volume of the recordings: refused with 503, the problem is named from the first refusal on, "
        f"texts go on; healed, {len(finished)} uploads end and {len(originals)} of {len(originals)} recordings are "
        "whole after a power cut",
    )
    server.stop()


def test_a_media_volume_that_cannot_be_read_refuses_to_play_and_recovers(new_server, disk, microphone, tmp_path):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2)
    server = on_a_volume_of_its_own(new_server(metrics.settings()), disk).start()
    consumer = api.new_consumer(server.url, discover(server))
    sent = api.upload(server.url, consumer, recording).json()["media"]
    disk.fail("open EIO")
    begun = requests.get(
        f"{server.url}/v1/media/{consumer.conversation}/{sent}.ogg", headers=consumer.headers, timeout=60
    )
    assert is_unavailable(begun), begun.text
    assert has_problem(server)
    assert "ok" in wire.run(say(server, consumer, "while-it-fails"))
    disk.heal()
    assert play(server, consumer, sent).status_code == 200
    assert not has_problem(server)
    server.stop()
