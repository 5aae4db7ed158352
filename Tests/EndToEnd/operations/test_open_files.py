"""Clients that hold connections cannot use up the files that the server may open."""

import requests

from support import api, wire
from support.demo import discover
from support.network.raw_socket import RawSocket, request
from support.voice import recordings

AS_SHIPPED = {"EARSHOT_CONNECTIONS_PER_ADDRESS": None}
FILES = 300
ADDRESSES = [f"127.1.0.{place}" for place in range(1, 13)]
EACH = 100
HEALTH = request("GET /v1/ready HTTP/1.1")


def is_open(raw: RawSocket) -> bool:
    raw.socket.settimeout(0.001)
    try:
        return raw.socket.recv(65536) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def is_served(server, source: str) -> bool:
    try:
        return RawSocket(server.port, source=source).send(HEALTH).status() == 200
    except OSError:
        return False


def test_idle_connections_leave_those_who_are_connected_alone(new_server, microphone, tmp_path, figure):
    recording = recordings.encode(microphone, tmp_path, "WebM/Opus", seconds=2)
    server = new_server(AS_SHIPPED)
    server.open_file_limit = FILES
    server.start()
    consumer = api.new_consumer(server.url, discover(server))
    idle: list[RawSocket] = []

    async def story():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")

        async def write(count: int) -> None:
            for _ in range(count):
                key = api.new_id()
                await link.send({"send": key, "text": "still here"})
                assert (await link.until("ok", "no"))["ok"] == key

        for place in range(EACH):
            for source in ADDRESSES:
                raw = RawSocket(server.port, source=source)
                idle.append(raw.send(HEALTH) if place % 10 == 0 else raw)
            if place % 10 == 0:
                await write(1)
        held = sum(is_open(raw) for raw in idle)
        answer = api.upload(server.url, consumer, recording)
        assert answer.status_code == 200, answer.text
        key = api.new_id()
        await link.send({"send": key, "audio": answer.json()["media"]})
        assert (await link.until("ok", "no"))["ok"] == key
        newcomer_is_served = [is_served(server, ADDRESSES[0]), is_served(server, "127.2.0.1")]
        await write(10)
        files = server.open_files()
        for raw in idle:
            raw.close()
        while not is_served(server, ADDRESSES[0]):
            pass
        await write(1)
        await link.close()
        return held, newcomer_is_served, files

    held, newcomer_is_served, files = wire.run(story())
    figure(
        "C1",
        f"{len(idle)} idle connections from {len(ADDRESSES)} addresses at a limit of {FILES} files: {held} held, "
        f"{files} files open, the person who was connected wrote 21 texts and a recording",
    )
    assert 0 < held < FILES / 2, "the test is worth nothing where none or all were accepted"
    assert newcomer_is_served == [False, True], "refused is who holds many; others still get in"
    assert files < FILES
    assert server.log().count("New connections were refused.") <= 3, "one line an interval, not one a connection"
    server.stop()


def test_a_server_with_too_few_files_does_not_start(new_server):
    server = new_server()
    server.open_file_limit = 200
    try:
        server.start()
    except AssertionError:
        pass
    assert server.process.wait(20) != 0
    assert "needs at least 256" in server.log()


def test_the_soft_limit_is_raised(new_server):
    server = new_server({"EARSHOT_LOG_LEVEL": "info"}).start()
    assert requests.get(f"{server.url}/v1/ready", timeout=5).status_code == 200
    limits = open(f"/proc/{server.process.pid}/limits").read()
    soft, hard = next(line.split()[3:5] for line in limits.splitlines() if line.startswith("Max open files"))
    assert int(soft) == min(int(hard), 65_536)
    server.stop()
