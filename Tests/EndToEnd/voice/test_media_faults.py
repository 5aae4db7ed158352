"""Recordings survive power cuts, a full disk and killed media workers."""

import os
import random
import shutil
import signal
import time

import requests

from support import api, wire
from support.demo import discover
from support.server import PATIENCE, bar
from support.voice import recordings


def patch(server, consumer, name: str, offset: int, data: bytes) -> requests.Response:
    return requests.patch(f"{server.url}/v1/uploads/{name}?offset={offset}", data=data, timeout=30,
                          headers={**consumer.headers, "Content-Type": "application/octet-stream"})


def finish(server, consumer, name: str, size: int) -> requests.Response:
    return requests.post(
        f"{server.url}/v1/uploads/{name}/finish", json={"bytes": size}, headers=consumer.headers, timeout=60
    )


def test_a_recording_survives_a_power_cut(new_server, disk, microphone, tmp_path, nightly, figure):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=4)
    server = new_server(data=disk.mountpoint / "data").start()
    demo = discover(server)
    kept, rounds = [], 50 if nightly else 4
    for _ in range(rounds):
        consumer = api.new_consumer(server.url, demo)
        media = api.upload(server.url, consumer, recording)
        assert media.status_code == 200, media.text
        kept.append((consumer, media.json()["media"]))
        half = api.begin_upload(server.url, consumer)
        assert patch(server, consumer, half, 0, recording[: len(recording) // 2]).status_code == 200
        server.kill()
        disk.cut_power()
        disk.mount()
        server.start()
        received = requests.get(f"{server.url}/v1/uploads/{half}", headers=consumer.headers, timeout=20)
        if received.status_code == 200:
            there = received.json()["received"]
            assert there <= len(recording) // 2
            assert patch(server, consumer, half, there, recording[there:]).json()["received"] == len(recording)
            again = finish(server, consumer, half, len(recording))
            assert again.status_code == 200 and again.json()["wave"] == media.json()["wave"], again.text
    originals = [path.read_bytes() for path in disk.behind.rglob("media/*/*/*/original")]
    whole = sum(data == recording for data in originals)
    playable = [
        requests.get(f"{server.url}/v1/media/{consumer.conversation}/{media}.mp3", headers=consumer.headers, timeout=20)
        for consumer, media in kept
    ]
    figure(
        "4",
        f"{rounds} power cuts right after a finish: "
        f"{sum(a.status_code == 200 and len(a.content) > 1000 for a in playable)} of {len(kept)} play, "
        f"{whole} of {len(originals)} originals are whole on the disk",
    )
    assert all(answer.status_code == 200 and len(answer.content) > 1000 for answer in playable)
    assert whole == len(originals) >= rounds
    server.kill()


def test_a_full_disk_refuses_recordings_and_nothing_else(new_server, disk, microphone, tmp_path, figure):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus")
    server = new_server()
    shutil.rmtree(server.data / "media")
    (server.data / "media").symlink_to(disk.mountpoint)
    server.start()
    consumer = api.new_consumer(server.url, discover(server))
    name = api.begin_upload(server.url, consumer)
    assert patch(server, consumer, name, 0, recording[:3000]).status_code == 200
    disk.fill()
    began = time.monotonic()
    refused = patch(server, consumer, name, 3000, recording[3000:])
    begin = requests.post(f"{server.url}/v1/uploads", headers=consumer.headers, timeout=20,
                          json={"conversation": consumer.conversation, "draft": api.new_id()})
    took = (time.monotonic() - began) / 2
    for answer in (refused, begin):
        assert (answer.status_code, api.code_of(answer)) == (507, "storage_full"), answer.text

    async def text():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": api.new_id(), "text": "text flows"})
        return await link.until("ok", "no")

    assert "ok" in wire.run(text())
    sizes = [path.stat().st_size for path in disk.mountpoint.rglob("original")]
    assert sizes == [3000], "part of what was refused is left"
    disk.make_room()
    began = time.monotonic()
    assert patch(server, consumer, name, 3000, recording[3000:]).json()["received"] == len(recording)
    assert finish(server, consumer, name, len(recording)).status_code == 200
    figure(
        "9",
        f"media volume full: refused with 507 in {took * 1000:.0f} ms, text flowed, nothing partial left; taken again "
        f"{time.monotonic() - began:.1f} s after there was room",
    )
    assert took <= bar(1)
    server.stop()


def test_recordings_leave_room_for_texts_on_one_small_volume(new_server, small_volume, figure):
    """The database and the recordings share a volume of 64 MiB, of which uploads leave 32 MiB free."""
    server = new_server(data=small_volume / "data", settings={"EARSHOT_MEDIA_RESERVE": "32"}).start()
    demo = discover(server)
    begun, answer = [], None
    sound = recordings.wav_claiming(115, os.urandom(11_000_000))
    while answer is None or answer.status_code == 200:
        assert len(begun) < 10, "nothing refuses"
        consumer = api.new_consumer(server.url, demo)
        begun.append((consumer, api.begin_upload(server.url, consumer)))
        for offset in range(0, len(sound), 1 << 20):
            answer = patch(server, *begun[-1], offset, sound[offset:offset + (1 << 20)])
            if answer.status_code != 200:
                break
    assert (answer.status_code, api.code_of(answer)) == (507, "storage_full"), answer.text
    assert shutil.disk_usage(small_volume).free > 0, "the premise: the volume is not full"
    writer = begun[0][0]

    async def texts(number: int) -> list[str]:
        link = await wire.Link.open(server.socket_url, {"token": writer.token})
        await link.until("ready")
        answers = []
        for _ in range(number):
            await link.send({"send": api.new_id(), "text": "There is room for this text. " * 20})
            answers.append(await link.until("ok", "no"))
        return answers

    answers = wire.run(texts(200))
    assert all("ok" in one for one in answers)
    assert "Recordings are refused" in server.log_path.read_text()
    for consumer, name in begun:
        gone = requests.delete(f"{server.url}/v1/uploads/{name}", headers=consumer.headers, timeout=20)
        assert gone.status_code == 204, gone.text
    deadline = time.monotonic() + PATIENCE
    consumer = api.new_consumer(server.url, demo)
    while True:
        again = requests.post(f"{server.url}/v1/uploads", headers=consumer.headers, timeout=20,
                              json={"conversation": consumer.conversation, "draft": api.new_id()})
        if again.status_code == 201 or time.monotonic() > deadline:
            break
    assert again.status_code == 201, again.text
    figure("9", "database and recordings on one volume of 64 MiB: "
                f"uploads refused with 507 after {len(begun)} uploads, "
                f"{len(answers)} of {len(answers)} texts acknowledged, uploads taken again after they were discarded")
    server.stop()


def test_recordings_complete_although_workers_are_killed(server, demo, microphone, tmp_path, nightly, figure):
    recording = recordings.encode(microphone, tmp_path, "Ogg/Opus", seconds=3)
    seed, answers, killed = random.randrange(1 << 30), [], 0
    print(f"seed {seed}")
    chance = random.Random(seed)
    while killed < (100 if nightly else 25):
        consumer = api.new_consumer(server.url, demo)
        name = api.begin_upload(server.url, consumer, "audio/ogg")
        cut = chance.randrange(1, len(recording))
        assert patch(server, consumer, name, 0, recording[:cut]).status_code == 200
        for worker in server.workers():
            if chance.random() < 0.7:
                try:
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
        assert patch(server, consumer, name, cut, recording[cut:]).status_code == 200
        answer = finish(server, consumer, name, len(recording))
        assert answer.status_code == 200 or api.code_of(answer) in {"audio_failed", "unavailable"}, answer.text
        answers.append(answer.status_code)
    assert api.upload(server.url, api.new_consumer(server.url, demo), recording, "audio/ogg").status_code == 200
    figure(
        "36",
        f"{killed} workers killed at random during {len(answers)} recordings: {answers.count(200)} kept, "
        f"{len(answers) - answers.count(200)} refused, 0 stuck; the next was fine",
    )
