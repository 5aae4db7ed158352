"""A consumer's device keeps the newest voice messages, encrypted and playable offline."""

import re
import shutil
from pathlib import Path

import pytest
import requests
from playwright.sync_api import expect

from support import api
from support.browser.device_storage import identity
from support.browser.pages import ConsumerPage
from support.voice import voice_messages

KEEP = 20
ROWS = """async () => !(await indexedDB.databases()).some(one => one.name === 'earshot.voice') ? [] : await new \
Promise((done, failed) => {
    const open = indexedDB.open('earshot.voice');
    open.onerror = () => failed(open.error);
    open.onsuccess = () => {
        if (!open.result.objectStoreNames.contains('sounds')) { open.result.close(); return done([]); }
        const all = open.result.transaction('sounds').objectStore('sounds').getAll();
        all.onsuccess = () => { open.result.close(); done(all.result.map(row => row.media)); };
    };
})"""
FLIP = """async media => await new Promise((done, failed) => {
    const open = indexedDB.open('earshot.voice');
    open.onsuccess = () => {
        const store = open.result.transaction('sounds', 'readwrite').objectStore('sounds');
        const all = store.getAll();
        all.onsuccess = () => {
            const row = all.result.find(one => one.media === media);
            if (!row) return failed(new Error('not kept'));
            new Uint8Array(row.bytes)[1000] ^= 1;
            store.put(row);
            store.transaction.oncomplete = () => { open.result.close(); done(true); };
        };
    };
    open.onerror = () => failed(open.error);
})"""


@pytest.fixture(scope="module")
def device(browser_type, browser_type_launch_args, server, tmp_path_factory):
    """A browser with a profile on the disk, in which the consumer has 21 voice messages."""
    folder = tmp_path_factory.mktemp("profile")
    context = browser_type.launch_persistent_context(str(folder), locale="en-GB", **browser_type_launch_args)
    context.add_init_script(voice_messages.EARS)
    page = ConsumerPage(context, server)
    page.open().say("My first words")
    frame = next(frame for frame in page.page.frames if "/widget" in frame.url)
    stored = identity(frame)
    said = api.Consumer(stored["token"], stored["consumer"], stored["conversation"], stored["limits"])
    sounds = tmp_path_factory.mktemp("sounds")
    source = voice_messages.tone(sounds, 400, 3)
    copies = [Path(shutil.copy(source, sounds / f"{number}.webm")) for number in range(KEEP + 1)]
    media = voice_messages.say(server, said, *copies)
    yield {"folder": folder, "context": context, "page": page, "frame": frame, "media": media, "said": said}
    if not context.pages == []:
        context.close()


def until(device, condition: str, wanted) -> None:
    """Waits in the page until `condition` holds of the kept `held` and what is `wanted`. (A polled predicate that
    answers with a promise counts as true at once.)"""
    code = """async wanted => {
        for (const end = Date.now() + 60000; Date.now() < end; await new Promise(done => setTimeout(done, 200))) {
            const held = await (ROWS)();
            if (CONDITION) return;
        }
        throw new Error('not in time: ' + JSON.stringify(await (ROWS)()));
    }"""
    device["frame"].evaluate(code.replace("ROWS", ROWS).replace("CONDITION", condition), wanted)


def holds(device, media: list[str]) -> None:
    """Waits until the device holds exactly these."""
    until(device, "held.length === wanted.length && wanted.every(one => held.includes(one))", media)


def button(device, nth: int):
    return (
        device["page"]
        .widget.locator("earshot-audio")
        .nth(nth)
        .get_by_role("button", name=re.compile("^(Play|Pause) voice message|Try again"))
    )


def test_the_device_keeps_the_newest_twenty_voice_messages(device):
    assert len(device["media"]) == KEEP + 1
    holds(device, device["media"][1:])


def test_cached_voice_messages_play_offline_and_others_say_why_not(device):
    holds(device, device["media"][1:])
    device["context"].set_offline(True)
    button(device, KEEP).click()
    device["frame"].wait_for_function("() => window.ears.some(audio => audio.currentTime > 0.2)", polling=100)
    button(device, 0).click()
    expect(device["page"].widget.locator("earshot-audio").first).to_have_attribute("state", "failed")
    device["context"].set_offline(False)
    button(device, 0).click()
    device["frame"].wait_for_function("() => window.ears[window.ears.length - 1].currentTime > 0.2", polling=100)


def test_a_corrupted_cached_message_is_refused_and_removed(device):
    holds(device, device["media"][1:])
    touched = device["media"][5]
    device["context"].set_offline(True)
    device["frame"].evaluate(FLIP, touched)
    button(device, 5).click()
    expect(device["page"].widget.locator("earshot-audio").nth(5)).to_have_attribute("state", "failed")
    until(device, "!held.includes(wanted)", touched)
    device["context"].set_offline(False)


def test_cached_audio_is_not_readable_on_the_disk(device, server):
    """The whole profile is searched for pieces of the sounds. The premise: the names of the kept ones are found
    there."""
    media = device["media"][-1]
    sound = requests.get(
        f"{server.url}/v1/media/{device['said'].conversation}/{media}.mp3", headers=device["said"].headers, timeout=20
    ).content
    device["context"].close()
    files = [path.read_bytes() for path in device["folder"].rglob("*") if path.is_file() and not path.is_symlink()]
    utf16 = media.encode("utf-16-le")
    assert any(
        media.encode() in data or utf16 in data for data in files
    ), "the premise: the device's database is in this folder"
    pieces = [sound[at:at + 48] for at in range(960, len(sound) - 48, 960)]
    assert len(pieces) > 5
    assert not [piece for piece in pieces if any(piece in data for data in files)]
