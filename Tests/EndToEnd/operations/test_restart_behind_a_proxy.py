"""A restart refuses no connection where the listening socket outlives the server, and says when to come back where it
does not."""

import asyncio
import socket
import threading
import time

import requests

from support import api, wire
from support.demo import discover
from support.network.raw_socket import RawSocket, request

PAGE = request("GET /widget/ HTTP/1.1", "Connection: close")


def test_a_restart_with_a_socket_that_was_handed_over_refuses_nobody(new_server, figure):
    server = new_server()
    # As systemd's .socket unit does: it outlives every server that accepts from it.
    server.listening = socket.create_server(("127.0.0.1", server.port), backlog=4096)
    server.start()
    statuses: list[int] = []
    slowest = 0.0
    is_over = threading.Event()

    def ask() -> None:
        nonlocal slowest
        while not is_over.is_set():
            began = time.monotonic()
            try:
                statuses.append(RawSocket(server.port, wait=60).send(PAGE).status())
            except OSError:
                statuses.append(-1)
            slowest = max(slowest, time.monotonic() - began)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for _ in range(2):
        answered = len(statuses)
        while len(statuses) < answered + 50:
            time.sleep(0.001)
        server.stop()
        server.start()
    answered = len(statuses)
    while len(statuses) < answered + 50:
        time.sleep(0.001)
    is_over.set()
    for asker in askers:
        asker.join()
    server.stop()
    server.listening.close()
    figure(
        "P4",
        f"2 restarts under 4 clients: {statuses.count(200)} of {len(statuses)} connections answered, "
        f"slowest {slowest:.2f} s",
    )
    assert set(statuses) == {200}, statuses


def test_a_draining_server_says_when_to_come_back(new_server):
    server = new_server().start()
    consumer = api.new_consumer(server.url, discover(server))
    held = RawSocket(server.port)
    name = api.begin_upload(server.url, consumer)
    held.send(
        request(
            f"PATCH /v1/uploads/{name}?offset=0 HTTP/1.1",
            f"Authorization: Bearer {consumer.token}",
            "Content-Length: 2",
        )
        + b"x"
    )
    while "received" not in requests.get(f"{server.url}/v1/uploads/{name}", headers=consumer.headers, timeout=5).text:
        pass
    server.process.terminate()
    # The upload in flight keeps the server from ending.
    while (answer := RawSocket(server.port).send(request("GET /v1/session HTTP/1.1")).head()).startswith(
        b"HTTP/1.1 401"
    ):
        pass
    assert answer.startswith(b"HTTP/1.1 503") and b"retry-after: 1\r\n" in answer.lower()
    assert b"connection: close\r\n" in answer.lower()
    handshake = RawSocket(server.port).send(
        request(
            "GET /v1/socket HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        )
    )
    assert handshake.status() == 503
    held.send(b"y")
    assert held.status() == 200
    assert server.process.wait(15) == 0
    server.let_go()


def test_what_was_handed_over_must_listen(new_server):
    server = new_server()
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        server.listening = mute
        try:
            server.start()
        except AssertionError:
            pass
        assert server.process.wait(20) != 0
        assert "is not a listening TCP socket" in server.log()
        server.listening = None


def test_sockets_end_with_a_farewell_when_the_listening_socket_stays(new_server):
    server = new_server()
    server.listening = socket.create_server(("127.0.0.1", server.port), backlog=64)
    server.start()
    consumer = api.new_consumer(server.url, discover(server))

    async def story():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        bye = await link.until("bye")
        await stopping
        return bye

    assert wire.run(story())["bye"]["after"] >= 0
    server.listening.close()
