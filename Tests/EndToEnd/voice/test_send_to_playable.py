"""From the consumer's tap on Send to the moment when the agent's browser could play the message: the same for a short
one and a long one.

A figure, no verdict: times belong to the machine. What is judged is that the sound arrives. Nightly with the lengths of
the bar, 10 and 120 s.
"""

import re

import pytest
from playwright.sync_api import expect

from support.browser.pages import SEND_VOICE, AgentPage, ConsumerPage, seconds_of

NOTE_TAP = f"""document.addEventListener('click', event => {{
  if (event.target.closest('button')?.getAttribute('aria-label') === '{SEND_VOICE}') window.tapped = Date.now();
}}, true);"""

# Presses Play in the very change of the page that shows the message, and notes when the sound could begin.
PLAY_AT_ONCE = """
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  this.addEventListener('canplay', () => { window.playable ??= Date.now(); }, { once: true });
  return play.call(this);
};
new MutationObserver(() => {
  const button = window.shown ? null : [...document.querySelectorAll('earshot-audio button')].find(one => \
/^Play/.test(one.getAttribute('aria-label') ?? ''));
  if (!button) return;
  window.shown = Date.now();
  button.click();
}).observe(document, { subtree: true, childList: true, attributes: true });"""


@pytest.mark.parametrize("which", ["short", "long"])
def test_the_agents_browser_can_play_what_was_just_sent(browser, server, demo, nightly, figure, which):
    seconds = {"short": 10 if nightly else 2, "long": 119 if nightly else 8}[which]
    contexts = [browser.new_context(locale="en-GB") for _ in range(2)]
    contexts[0].add_init_script(NOTE_TAP)
    contexts[1].add_init_script(PLAY_AT_ONCE)
    consumer = ConsumerPage(contexts[0], server).open()
    question = f"A {which} message follows"
    consumer.say(question)
    agent = AgentPage(contexts[1], server).sign_in(demo, demo.agent)
    agent.open_row(question)
    expect(agent.text(question)).to_be_visible()

    consumer.record(seconds)
    consumer.send_voice()
    agent.page.wait_for_function("() => window.playable !== undefined")
    frame = next(frame for frame in consumer.page.frames if "/widget" in frame.url)
    tapped = frame.evaluate("window.tapped")
    shown, playable = (agent.page.evaluate(f"window.{name}") for name in ("shown", "playable"))
    length = seconds_of(
        re.findall(r"\d+:\d\d", agent.messages.get_by_role("slider").last.get_attribute("aria-valuetext"))[-1]
    )
    figure(
        "10.",
        f"{length:.0f} s of speech: tap on Send → shown to the agent {shown - tapped:.0f} ms, → canplay in the agent's "
        f"page {playable - tapped:.0f} ms",
    )
    assert tapped <= shown <= playable
    assert abs(length - seconds) <= 3
    for context in contexts:
        context.close()
