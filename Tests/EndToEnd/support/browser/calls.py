"""A call between two browsers, each with a microphone that plays its own speech, and what arrives at the other."""

import base64
import re

import numpy as np
from playwright.sync_api import Frame, Locator, Page, expect

from support.browser.pages import AgentPage, ConsumerPage, from_second

# Without a network both sides have only the loopback interface.
LOOPBACK = "--allow-loopback-in-peer-connection"
SPEAKING = (
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
    LOOPBACK,
)
# What this device hears for so many milliseconds, as 16-bit samples at 48 kHz. A script processor needs no script of
# its own, which the page's policy would refuse.
HEAR = """async ms => {
  const stream = document.querySelector('.call-theirs').srcObject;
  const context = new AudioContext({sampleRate: 48000});
  await context.resume();
  const source = context.createMediaStreamSource(stream);
  const node = context.createScriptProcessor(4096, 1, 1);
  const parts = [];
  node.onaudioprocess = event => parts.push(event.inputBuffer.getChannelData(0).slice());
  source.connect(node).connect(context.destination);
  await new Promise(done => setTimeout(done, ms));
  await context.close();
  const samples = new Int16Array(parts.length * 4096);
  parts.forEach((part, i) => part.forEach((x, j) => { samples[i * 4096 + j] = Math.max(-1, Math.min(1, x)) * 32767; }));
  const bytes = new Uint8Array(samples.buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}"""
FRAMES = "() => document.querySelector('.call-theirs').getVideoPlaybackQuality().totalVideoFrames"
# Counts what is still open on this device, and its tones.
LIVE = """() => {
  window.opened = [];
  // How often an invitation rang.
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async wanted => {
    const stream = await ask(wanted);
    window.opened.push(...stream.getTracks());
    return stream;
  };
}"""

# When something was clicked last, and when the first packet of sound arrived after that.
CLOCK = """() => {
  window.sound = {};
  addEventListener('click', () => { window.sound = {clicked: performance.now()}; }, true);
  window.firstPacket = async connection => {
    while (connection.connectionState !== 'closed') {
      for (const one of (await connection.getStats()).values()) {
        if (one.type === 'inbound-rtp' && one.kind === 'audio' && one.packetsReceived > 0) return performance.now();
      }
      await new Promise(done => setTimeout(done, 5));
    }
  };
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(settings) {
      super(settings);
      window.settings = settings;
      const { sound } = window;
      window.firstPacket(this).then(at => sound.arrived ??= at);
    }
  };
}"""
# The same without Earshot: from the microphone to the first packet between two connections of one page.
BARE = """async () => {
  const theirs = await navigator.mediaDevices.getUserMedia({audio: true});
  const began = performance.now();
  const own = await navigator.mediaDevices.getUserMedia({audio: true});
  const {settings} = window;
  const [a, b] = [new RTCPeerConnection(settings), new RTCPeerConnection(settings)];
  a.onicecandidate = ({candidate}) => b.addIceCandidate(candidate);
  b.onicecandidate = ({candidate}) => a.addIceCandidate(candidate);
  for (const track of theirs.getTracks()) a.addTrack(track, theirs);
  for (const track of own.getTracks()) b.addTrack(track, own);
  await a.setLocalDescription();
  await b.setRemoteDescription(a.localDescription);
  await b.setLocalDescription();
  await a.setRemoteDescription(b.localDescription);
  const ms = await window.firstPacket(b) - began;
  for (const one of [a, b]) one.close();
  for (const stream of [theirs, own]) for (const track of stream.getTracks()) track.stop();
  return ms;
}"""


def heard(page: Page | Frame, seconds: float) -> np.ndarray:
    """What arrives, 16 kHz mono, -1 to 1."""
    raw = np.frombuffer(base64.b64decode(page.evaluate(HEAR, int(seconds * 1000))), dtype="<i2") / 32768
    return raw[: len(raw) // 3 * 3].reshape(-1, 3).mean(axis=1)


def loudness(samples: np.ndarray) -> float:
    return float(np.sqrt(np.mean(samples**2)))


def turn_on(manager, **calls: bool) -> None:
    answer = manager.session.patch(
        f"{manager.base}/v1/settings", json={"calls": calls}, headers=manager.headers, timeout=20
    )
    assert answer.status_code == 200, answer.text


class Caller:
    """A customer in the shop, whose conversation an agent answers."""

    def __init__(self, context, server, text: str):
        context.add_init_script(f"({LIVE})()")
        self.consumer = ConsumerPage(context, server).open()
        self.consumer.say(text)

    @property
    def frame(self) -> Frame:
        return next(frame for frame in self.consumer.page.frames if "/widget/" in frame.url)

    @property
    def call(self) -> Locator:
        return self.consumer.widget.get_by_role("region", name="Call")

    def accept(self) -> None:
        self.call.get_by_role("button", name="Accept").click()

    def press(self, name: str) -> None:
        self.call.get_by_role("button", name=name, exact=True).click()


class BrandSide:
    """An agent at the workspace, who took the conversation."""

    def __init__(self, context, server, demo, text: str):
        context.add_init_script(f"({LIVE})()")
        self.agent = AgentPage(context, server)
        # A context may bring its session along: sign-ins are throttled.
        if not context.storage_state()["cookies"]:
            self.agent.sign_in(demo, demo.agent)
        self.agent.tab("Waiting").click()
        self.agent.open_row(text)
        self.page.get_by_role("button", name="Take", exact=True).click()

    @property
    def page(self) -> Page:
        return self.agent.page

    @property
    def call(self) -> Locator:
        return self.page.get_by_role("region", name=re.compile("^Call with"))

    def invite(self, kind: str) -> None:
        self.page.get_by_role("button", name=f"Start a {kind} call").click()

    def press(self, name: str) -> None:
        self.call.get_by_role("button", name=name, exact=True).click()


def talking(*calls: Locator) -> None:
    """Both say how long they have been talking."""
    for call in calls:
        expect(call.get_by_text(from_second(1))).to_be_visible()
