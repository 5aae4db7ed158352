"""A recording arrives once and complete over a network with loss, delay and low bandwidth, or one that damages it."""

import time
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from support import wire
from support.browser.device_storage import identity
from support.browser.pages import SEND_VOICE, ConsumerPage, from_second
from support.network.damaging_network import DamagingNetwork
from support.network.lossy_network import LossyNetwork
from support.server import PATIENCE, bar
from support.voice import speech

ROUND_TRIP = 0.2
# Opening the upload, its end, the socket and its hello, the message: each waits for an answer, however good the network
# is.
QUESTIONS = 5


@pytest.mark.parametrize("network", ["lossy", "lossy, and it drops connections"])
def test_a_recording_arrives_over_a_bad_network(browser, server, microphone, nightly, figure, network):
    seconds = 119 if nightly else 20
    with LossyNetwork(server.port, seed=23, lifetime=seconds * 1500 if "drops" in network else None) as bad:
        context = browser.new_context(locale="en-GB")
        consumer = ConsumerPage(context, SimpleNamespace(url=bad.url)).open()
        consumer.record(0)
        context.set_offline(True)
        expect(consumer.widget.get_by_role("timer")).to_have_text(from_second(seconds))
        consumer.widget.get_by_role("button", name=SEND_VOICE).click()
        expect(consumer.recorder).to_contain_text("It will be sent automatically")
        bad.is_bad, bad.up = True, 0
        token = identity(consumer.frame)["token"]
        began = time.monotonic()
        context.set_offline(False)
        wire.run(until_heard(server.socket_url, token))
        took = time.monotonic() - began
        sent = bad.up
        bad.is_bad = False
        expect(consumer.voice).to_be_visible()
        context.close()
    said = [event for event in wire.run(wire.read_whole(server.socket_url, token)) if "audio" in event]
    newest = max(server.data.rglob("voice.mp3"), key=lambda path: path.stat().st_mtime)
    heard = speech.decode(newest)
    size = (newest.parent / "original").stat().st_size
    ideal = size / bad.rate + QUESTIONS * ROUND_TRIP
    figure(
        "23",
        f"{len(heard) / speech.RATE:.0f} s ({size // 1024} KiB) over a network that is {network}: {took:.1f} s, "
        f"{took / ideal:.1f} times the ideal, "
        f"{sent / size:.2f} times the bytes; {bad.lost} of {bad.segments} segments lost, {bad.cuts} connections cut; "
        f"{len(said)} message",
    )
    assert len(said) == 1 and abs(said[0]["audio"]["ms"] / 1000 - seconds) <= 3
    assert speech.likeness(heard, speech.decode(microphone)) >= speech.SAME
    # A connection that dies takes with it what was under way: there the bar says nothing of the time.
    assert took <= bar(3 * ideal) or "drops" in network


def test_a_recording_arrives_whole_although_the_network_changes_bytes_of_it(browser, server, microphone):
    with DamagingNetwork(server.port, damaged=2) as bad:
        context = browser.new_context(locale="en-GB")
        consumer = ConsumerPage(context, SimpleNamespace(url=bad.url)).open()
        consumer.record(3)
        consumer.widget.get_by_role("button", name=SEND_VOICE).click()
        expect(consumer.voice).to_be_visible()
        context.close()
    assert bad.left == 0, "two pieces were changed on the way"
    assert bad.refused == 2, "the server refused both"
    newest = max(server.data.rglob("voice.mp3"), key=lambda path: path.stat().st_mtime)
    assert speech.likeness(speech.decode(newest), speech.decode(microphone)) >= speech.SAME


async def until_heard(url: str, token: str) -> None:
    """By another device of the same person, over a good network."""
    link = await wire.Link.open(url, {"token": token})
    frame = await link.until("ready")
    events = frame["ready"]["events"]
    while not any("audio" in event for event in events):
        events = (await link.until("events", within=PATIENCE))["events"]
    await link.close()
