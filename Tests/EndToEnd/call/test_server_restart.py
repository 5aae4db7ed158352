"""The server dies in the middle of a call: the two go on talking, and both find the call again."""

import re
import shutil

from playwright.sync_api import expect

from support import api
from support.browser.calls import SPEAKING, BrandSide, Caller, heard, talking, turn_on
from support.demo import discover
from support.voice import speech

TEXT = "Do you hear me, even without your server?"


def test_a_call_goes_on_while_the_server_is_dead(new_server, browser_type, microphone, other_speech):
    server = new_server().start()
    demo = discover(server)
    turn_on(api.Agent(server.url, demo.account, demo.manager), voice=True)
    browsers = [
        browser_type.launch(
            executable_path=shutil.which("chromium"), headless=True,
            args=[*SPEAKING, f"--use-file-for-fake-audio-capture={sound}"],
        )
        for sound in (microphone, other_speech)
    ]
    caller = Caller(browsers[0].new_context(locale="en-US"), server, TEXT)
    desktop = {"width": 1440, "height": 900}
    brand = BrandSide(browsers[1].new_context(locale="en-US", viewport=desktop), server, demo, TEXT)
    brand.invite("voice")
    caller.accept()
    talking(caller.call, brand.call)
    server.kill()
    assert speech.likeness(heard(brand.page, 5), speech.decode(microphone)) >= speech.SAME
    server.start()
    expect(brand.page.get_by_text("Reconnecting")).to_have_count(0)
    talking(caller.call, brand.call)
    assert speech.likeness(heard(caller.frame, 5), speech.decode(other_speech)) >= speech.SAME
    brand.press("End call")
    expect(caller.call).to_be_hidden()
    ended = re.compile(r"^Voice call, \d:\d\d$")
    for lines in (caller.consumer.widget.get_by_text(ended), brand.agent.messages.get_by_text(ended)):
        expect(lines).to_have_count(1)
    for browser in browsers:
        browser.close()
    server.stop()
