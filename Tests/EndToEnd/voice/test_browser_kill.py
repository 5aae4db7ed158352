"""After the browser was killed during a recording, the next browser with the same profile offers the recording."""

import os
import re
import signal
from pathlib import Path

from playwright.sync_api import expect

from support.browser.pages import ConsumerPage, from_second, seconds_of
from support.voice import speech

# As in test_recorder.py: the bar asks for 60 s, with the same allowance.
KILL_AT = int(os.environ.get("EARSHOT_KILL_AT", "15"))
MOST_LOST_SECONDS = 2


def browser_of(profile: Path) -> int:
    """The process that all others of this browser descend from."""
    for entry in Path("/proc").iterdir():
        words = (
            (entry / "cmdline").read_bytes().split(b"\0")
            if entry.name.isdigit() and (entry / "cmdline").exists()
            else []
        )
        if f"--user-data-dir={profile}".encode() in words and not any(word.startswith(b"--type=") for word in words):
            return int(entry.name)
    raise AssertionError(f"no browser runs over {profile}")


def test_a_recording_survives_a_browser_kill(
    browser_type, browser_type_launch_args, server, tmp_path, microphone, figure
):
    profile = tmp_path / "profile"

    def open_shop() -> ConsumerPage:
        return ConsumerPage(
            browser_type.launch_persistent_context(str(profile), locale="en-GB", **browser_type_launch_args), server
        )

    consumer = open_shop().open()
    context = consumer.page.context
    consumer.record(0)
    expect(consumer.widget.get_by_role("timer")).to_have_text(from_second(KILL_AT))
    with context.expect_event("close"):
        os.kill(browser_of(profile), signal.SIGKILL)
    back = open_shop().open_anyhow()
    expect(back.recorder).to_contain_text("Your recording was interrupted")
    shown = seconds_of(
        back.recorder.get_by_role("button", name=re.compile("Play voice message")).get_attribute("aria-label")
    )
    back.send_voice()
    newest = max(server.data.rglob("voice.mp3"), key=lambda path: path.stat().st_mtime)
    heard = speech.decode(newest)
    likeness = speech.likeness(heard, speech.decode(microphone))
    figure(
        "N4",
        f"browser killed at {KILL_AT} s: {shown:.0f} s offered again, {len(heard) / speech.RATE:.2f} s sent, likeness "
        f"{likeness:.2f}",
    )
    assert len(heard) / speech.RATE >= KILL_AT - MOST_LOST_SECONDS and likeness >= speech.SAME
    back.page.context.close()
