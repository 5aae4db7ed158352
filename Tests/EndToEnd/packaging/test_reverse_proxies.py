"""Earshot behind nginx and Caddy, with the configuration files that it ships."""

import pytest

from support import api, wire
from support.complete_flow import Place, check_ranges, inbox, new_consumer, say, upload, visit
from support.demo import Demo, discover
from support.network import reverse_proxy
from support.network.certificates import certificate_for_localhost
from support.voice import speech
from support.voice.recordings import stereo_tone

SOCKETS = 30
# 86.5 s of 16-bit stereo at 48 kHz: nearly the 16 MiB that a recording may have.
LARGE_SECONDS = 86.5


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def behind(request, new_server, tmp_path_factory):
    """The place where a brand is reached behind a running proxy, and the demo's logins."""
    folder = tmp_path_factory.mktemp(request.param)
    certificate = certificate_for_localhost(folder / "tls")
    server = new_server({"EARSHOT_TRUSTED_PROXIES": "127.0.0.1"})
    proxy = getattr(reverse_proxy, request.param)(folder, server.port, certificate)
    server.settings["EARSHOT_PUBLIC_URL"] = proxy.url
    server.start()
    demo = discover(server, proxy.url, certificate.authority)
    yield Place(proxy.url, certificate.authority, demo.account, demo.app), demo
    proxy.stop()
    server.stop()


def arrival(place: Place) -> api.Consumer:
    """A new consumer, who came through the proxy."""
    made = new_consumer(place)
    assert made.status_code == 201, made.text
    return api.identity(made.json())


def test_a_whole_visit_passes(behind: tuple[Place, Demo], tmp_path):
    place, demo = behind
    visit(place, demo.agent, speech.speak(tmp_path / "speech.wav").read_bytes())


def test_a_recording_of_the_largest_size_passes_in_chunks(behind: tuple[Place, Demo], tmp_path):
    place, _ = behind
    consumer = arrival(place)
    recording = stereo_tone(tmp_path, LARGE_SECONDS)
    assert 16_000_000 < len(recording) <= 16 * 1024 * 1024
    assert check_ranges(place, consumer, upload(place, consumer, recording, "audio/wav")) > 100_000


def test_every_socket_opens_on_connections_that_the_proxy_uses_again(behind: tuple[Place, Demo]):
    """Between two sockets a request goes over the connections that the proxy keeps to the server."""
    place, _ = behind
    client = place.client()
    consumer = arrival(place)

    async def open_once() -> None:
        link = await wire.Link.open(place.socket_url, {"token": consumer.token}, ssl=place.tls, origin=place.url)
        await link.until("ready")
        await say(link, {"text": "still here"})
        await link.close()

    for _ in range(SOCKETS):
        assert client.get(f"{place.url}/loader.js", timeout=30).status_code == 200
        wire.run(open_once())


def test_the_session_cookie_is_bound_to_the_public_address(behind: tuple[Place, Demo]):
    place, demo = behind
    assert "ready" in inbox(place, demo.manager)
    foreign = place.client().post(
        f"{place.url}/v1/login",
        json={"account": place.account, "email": demo.agent.email, "password": demo.agent.password},
        headers={"Origin": "https://elsewhere.example"},
        timeout=30,
    )
    assert (foreign.status_code, api.code_of(foreign)) == (403, "origin_refused")


def test_a_made_up_address_lifts_no_limit(behind: tuple[Place, Demo]):
    """The proxy replaces X-Forwarded-For, so that every request counts for the address that made it."""
    place, _ = behind
    statuses = [new_consumer(place, **{"X-Forwarded-For": f"198.51.100.{number}"}).status_code for number in range(20)]
    assert 429 in statuses, statuses
