"""SIGTERM: sockets are told, work in flight is finished, the exit is clean. Bar 12's small sister."""

import asyncio

import requests

from support import api, wire
from support.audit import EMPTY, audit
from support.demo import discover


def test_everybody_is_told_and_nothing_in_flight_is_lost(new_server, figure):
    server = new_server().start()
    demo = discover(server)
    consumers = [api.new_consumer(server.url, demo) for _ in range(8)]
    told = []

    async def hear(client):
        frame = await client.link.receive()
        if "bye" in frame:
            told.append(frame["bye"])
        client.handle(frame)

    async def talk(client):
        await client.connect()
        try:
            while True:
                while len(client.outbox) < client.window:
                    await client.say(f"{client.name}-{len(client.said)}", f"{client.name} {len(client.said)}")
                await hear(client)
        except wire.LOST:
            await last_words(client)
        return client.link.socket.close_code

    async def last_words(client):
        """What had arrived before the connection ended is still to be read."""
        try:
            while True:
                await hear(client)
        except wire.LOST:
            pass

    async def story():
        clients = [wire.Client(server.socket_url, consumer.token, f"t{place}") for place, consumer in enumerate(consumers)]
        talking = [asyncio.create_task(talk(client)) for client in clients]
        while sum(len(client.acknowledged) for client in clients) < 200:
            await asyncio.sleep(0.005)
        seconds = await asyncio.to_thread(server.stop)
        codes = await asyncio.gather(*talking)
        await asyncio.to_thread(server.start)
        logs = [await wire.read_whole(server.socket_url, consumer.token) for consumer in consumers]
        return clients, codes, seconds, logs

    clients, codes, seconds, logs = wire.run(story())
    answers = [{client.said[key]: number for key, number in client.acknowledged.items()} for client in clients]
    verdict = sum((audit(list(client.said.values()), told_, events) for client, told_, events in zip(clients, answers, logs)), EMPTY)
    figure("12", f"SIGTERM under 8 senders: gone after {seconds:.2f} s, {len(told)} of 8 told, {verdict.acknowledged} acknowledged, {verdict.lost} lost")
    assert set(codes) == {1001}
    assert len(told) == len(consumers)
    assert verdict.is_clean, verdict
    server.stop()


def test_a_port_that_is_taken_is_said_in_words(new_server):
    first = new_server().start()
    second = new_server()
    second.port = first.port
    try:
        second.start()
    except AssertionError:
        pass
    second.process.wait(20)
    assert second.process.returncode != 0
    assert str(first.port) in second.log()
    assert requests.get(f"{first.url}/v1/health", timeout=5).status_code == 200
    first.stop()
