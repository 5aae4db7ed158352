"""The volume of the recordings hangs: requests for recordings fail in time, texts go on, and all recovers by itself."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import requests

from support import api, wire
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
    server = on_a_volume_of_its_own(new_server(), disk).start()
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
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
    figure(
        "11",
        f"the volume of the recordings hangs: {len(refused)} requests at once refused after at most "
        f"{max(took for _, took in refused):.1f} s, later ones after {at_once:.2f} s; a text took {texts:.2f} s; "
        f"healed, they play after {recovered:.2f} s",
    )
    server.stop()
