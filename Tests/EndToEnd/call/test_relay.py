"""Calls over a real coturn with the shipped configuration, in networks where the two callers do not reach each other;
and what that relay refuses."""

import re
import shutil
import socket
import subprocess

import pytest
from playwright.sync_api import Frame, Page, expect

from support import api
from support.browser.calls import BARE, CLOCK, SPEAKING, BrandSide, Caller, heard, talking, turn_on
from support.demo import discover
from support.network.namespaces import Networks, inside, run
from support.network.relay import Coturn, TurnClient, credential
from support.server import PATIENCE, build_folder, clean_environment
from support.voice import speech

# Remembers every connection, to ask it which way it took.
WATCH = """(() => {
  window.connections = [];
  const Real = RTCPeerConnection;
  window.RTCPeerConnection = class extends Real {
    constructor(...given) { super(...given); window.connections.push(this); }
  };
})()"""
WAYS = """async () => {
  const stats = [...(await window.connections.at(-1).getStats()).values()];
  const transport = stats.find(one => one.type === 'transport');
  const pair = stats.find(one => one.id === transport.selectedCandidatePairId);
  const kind = id => stats.find(one => one.id === id).candidateType;
  const gathered = stats.filter(one => one.type === 'local-candidate').map(one => one.candidateType);
  return { chosen: [kind(pair.localCandidateId), kind(pair.remoteCandidateId)], gathered };
}"""
NEAR = {
    "loopback": "127.0.0.1",
    "private 10": "10.99.0.1",
    "private 172.16": "172.20.0.1",
    "private 192.168": "192.168.99.1",
    "shared": "100.64.0.1",
    "link local": "169.254.169.254",
    "this network": "0.0.0.0",
    "broadcast": "255.255.255.255",
    "multicast": "224.0.0.251",
    "benchmarks": "198.18.0.1",
}
NEAR_6 = {
    "loopback": "::1", "unspecified": "::", "private": "fd00::1", "link local": "fe80::1", "mapped": "::ffff:10.99.0.1",
    "translated": "64:ff9b::a63:1", "multicast": "ff02::1",
}
TEXT = "The line is bad here. Can you call me?"


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    made = Networks(tmp_path_factory.mktemp("networks"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def relay(networks, tmp_path_factory):
    coturn = Coturn(networks.name("t"), networks.RELAY[0], tmp_path_factory.mktemp("relay")).start()
    yield coturn
    coturn.stop()


def ways(page: Page | Frame) -> dict:
    return page.evaluate(WAYS)


@pytest.fixture
def call(networks, relay, new_server, browser_type, microphone, other_speech):
    """Begins a voice call between the two networks, with these settings of the server."""
    opened = []

    def begin(**settings: str) -> tuple[Caller, BrandSide]:
        server = new_server({**relay.settings, **settings}).start()
        demo = discover(server)
        turn_on(api.Agent(server.url, demo.account, demo.manager), voice=True)
        contexts = []
        for kind, sound in (("a", microphone), ("b", other_speech)):
            networks.open_door(kind, server.port)
            browser = browser_type.launch(
                executable_path=networks.chromium(kind, shutil.which("chromium")),
                headless=True,
                args=[*SPEAKING, f"--use-file-for-fake-audio-capture={sound}"],
            )
            opened.append(browser)
            context = browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})
            context.add_init_script(WATCH)
            context.add_init_script(f"({CLOCK})()")
            contexts.append(context)
        caller = Caller(contexts[0], server, TEXT)
        brand = BrandSide(contexts[1], server, demo, TEXT)
        brand.invite("voice")
        caller.accept()
        talking(caller.call, brand.call)
        return caller, brand

    yield begin
    for browser in opened:
        browser.close()


def test_the_relay_is_used_where_there_is_no_direct_way(call, networks, microphone, other_speech):
    networks.keep_callers_apart()
    caller, brand = call()
    assert speech.likeness(heard(brand.page, 5), speech.decode(microphone)) >= speech.SAME
    assert speech.likeness(heard(caller.frame, 5), speech.decode(other_speech)) >= speech.SAME
    for page in (caller.frame, brand.page):
        assert "relay" in ways(page)["chosen"]
    assert networks.blocked() > 0, "the direct way was tried"
    brand.press("End call")
    expect(caller.consumer.widget.get_by_text(re.compile(r"^Voice call, 0:\d\d$"))).to_be_visible()


def test_relay_only_shows_no_other_address(call, microphone, nightly, figure):
    caller, brand = call(EARSHOT_RELAY_ONLY="true")
    for page in (caller.frame, brand.page):
        found = ways(page)
        assert found["chosen"] == ["relay", "relay"] and set(found["gathered"]) == {"relay"}
    assert speech.likeness(heard(brand.page, 5), speech.decode(microphone)) >= speech.SAME
    ours, bare = caller.frame.evaluate("window.sound.arrived - window.sound.clicked"), caller.frame.evaluate(BARE)
    figure("calls", f"from Accept to the first sound over a relay: {ours:.0f} ms, without Earshot {bare:.0f} ms")
    if nightly:
        assert ours <= bare + 150


# What the relay refuses


def test_a_relay_with_the_shipped_configuration_reaches_no_machine_near_it(networks, relay):
    near = networks.name("t")
    for address in ("10.99.0.1", "172.20.0.1", "192.168.99.1", "100.64.0.1", "169.254.169.254", "198.18.0.1"):
        run("ip", "-n", near, "addr", "add", f"{address}/32", "dev", "lo")
    port = 7000
    victims = inside(near, lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    inside(near, lambda: victims.bind(("0.0.0.0", port)))
    caller = inside(networks.name("a"), lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    caller.bind((networks.CALLERS["a"][0], port))
    caller.settimeout(PATIENCE)
    with TurnClient(relay, networks.name("a")) as client, victims, caller:
        assert client.allocate(*credential("one")) == 0
        refused = {name: (client.permit(address), client.bind(address, port)) for name, address in NEAR.items()}
        assert set(refused.values()) == {(403, 403)}, refused
        for address in NEAR.values():
            client.send(address, port, b"harm")
        # What may be reached is reached, by the same client and after all of that.
        assert client.permit(networks.CALLERS["a"][0]) == 0
        client.send(networks.CALLERS["a"][0], port, b"hello")
        assert caller.recv(100) == b"hello"
        victims.setblocking(False)
        with pytest.raises(BlockingIOError):
            victims.recv(100)


def test_no_near_machine_is_reached_by_its_newer_address(networks, relay):
    run("ip", "-n", networks.name("t"), "addr", "replace", "2001:db8::10/64", "dev", "eth", "nodad")
    with TurnClient(relay, networks.name("a")) as client:
        refusal = client.allocate(*credential("six"), family=6)
        # 440: this relay has no such address at all. Then nothing can be reached with it.
        if refusal == 0:
            refused = {name: client.permit(address) for name, address in NEAR_6.items()}
            assert set(refused.values()) == {403}, refused
        else:
            assert refusal == 440


@pytest.mark.parametrize("username, password, refusal", [
    (*credential("one", lasts=-1), 401),
    (*credential("one", secret="the-secret-of-somebody-else"), 401),
    (credential("one")[0], credential("other")[1], 401),
    (credential("one")[0], credential("one", lasts=900)[1], 401),
    ("one", "secret", 401),
    (*credential("one", lasts=900), 0),
], ids=["expired", "foreign", "of another", "of another time", "by hand", "right"])
def test_only_a_password_that_earshot_made_and_that_still_holds_opens_the_relay(
    networks, relay, username, password, refusal
):
    with TurnClient(relay, networks.name("a")) as client:
        assert client.allocate(username, password) == refusal


def test_one_side_of_a_call_gets_four_addresses_and_no_more(networks, relay):
    clients = [TurnClient(relay, networks.name("a")) for _ in range(5)]
    assert [client.allocate(*credential("greedy")) for client in clients] == [0, 0, 0, 0, 486]
    for client in clients:
        client.socket.close()


# The doctor


def doctor(networks, tmp_path, **settings: str) -> str:
    """What it says about relays, from where one is."""
    environment = clean_environment(EARSHOT_DATA=str(tmp_path / "data"), **settings)
    said = subprocess.run(
        ["ip", "netns", "exec", networks.name("a"), build_folder() / "earshot", "doctor"],
        env=environment, capture_output=True, text=True, timeout=PATIENCE,
    ).stdout
    return "\n".join(re.findall(r"^\[\w+\] *relay .*(?:\n {17}.*)*", said, re.M))


def test_the_doctor_passes_a_packet_through_the_relay(networks, relay, tmp_path):
    assert re.fullmatch(r"\[ok\] +relay +turn:203\.0\.113\.10:3478\?transport=udp works", doctor(
        networks, tmp_path, **relay.settings))
    stun = {**relay.settings, "EARSHOT_RELAY_URLS": relay.settings["EARSHOT_RELAY_URLS"] + ",stun:203.0.113.10"}
    assert "stun:203.0.113.10 works" in doctor(networks, tmp_path, **stun)
    assert "none is configured" in doctor(networks, tmp_path)


def test_the_doctor_says_what_is_wrong_with_a_relay(networks, relay, tmp_path):
    other = tmp_path / "other-secret"
    other.write_text("the-secret-of-somebody-else\n")
    said = doctor(networks, tmp_path, **{**relay.settings, "EARSHOT_RELAY_SECRET_FILE": str(other)})
    assert "refuses our password" in said and "static-auth-secret" in said
    said = doctor(networks, tmp_path, **{**relay.settings, "EARSHOT_RELAY_URLS": "turn:203.0.113.10:9"})
    assert "no answer from turn:203.0.113.10:9" in said
    said = doctor(networks, tmp_path, **{**relay.settings, "EARSHOT_RELAY_SECRET_FILE": "/nowhere/secret"})
    assert "cannot be read" in said
    careless = Coturn(networks.name("t"), relay.address, tmp_path, port=3479)
    lines = careless.configuration.read_text().replace("listening-port=3478", "listening-port=3479")
    careless.configuration.write_text("\n".join(
        line for line in lines.splitlines() if not line.startswith("denied-peer-ip")))
    careless.start()
    said = doctor(networks, tmp_path, **careless.settings)
    careless.stop()
    assert "lets callers reach machines near it, such as 10.0.0.1" in said
