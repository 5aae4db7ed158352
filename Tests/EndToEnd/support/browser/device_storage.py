"""What a page stores on its device, and how to crash a page."""

import os
import signal

from playwright.sync_api import Browser, Frame

from support import api
from support.demo import Demo
from support.server import Server

READ = """async () => {
  const open = indexedDB.open('earshot.voice');
  const db = await new Promise((done, failed) => { open.onsuccess = () => done(open.result); \
open.onerror = () => failed(open.error); });
  const all = name => new Promise(done => { const ask = db.transaction(name).objectStore(name).getAll(); \
ask.onsuccess = () => done(ask.result); });
  const latin = bytes => Array.from(new Uint8Array(bytes), byte => String.fromCharCode(byte)).join('');
  const names = [...db.objectStoreNames];
  const found = {drafts: [], pieces: [], keys: []};
  if (names.includes('drafts')) found.drafts = await all('drafts');
  if (names.includes('pieces')) found.pieces = (await all('pieces')).map(piece => ({...piece, iv: latin(piece.iv), \
bytes: latin(piece.bytes)}));
  if (names.includes('keys')) found.keys = await Promise.all((await all('keys')).map(async key =>
    ({algorithm: key.algorithm, extractable: key.extractable, exported: await crypto.subtle.exportKey('raw', \
key).then(() => true, () => false)})));
  db.close();
  return found;
}"""


# The widget's small values are encrypted with a key that never leaves the browser, so its own page has to open them.
IDENTITY = """(async () => {
  const answer = request => new Promise((done, failed) => { request.onsuccess = () => done(request.result); \
request.onerror = () => failed(request.error); });
  const db = await answer(indexedDB.open('earshot.voice'));
  const row = (await answer(db.transaction('values').objectStore('values').getAll()))
    .find(({owner, name}) => name === owner + 'me' && !name.endsWith('.user.me'));
  const key = await answer(db.transaction('keys').objectStore('keys').get(row.owner + 'values'));
  db.close();
  const additionalData = new TextEncoder().encode(['value', row.owner, row.name].join('\\n'));
  const opened = await crypto.subtle.decrypt({name: 'AES-GCM', iv: row.iv, additionalData}, key, row.bytes);
  return JSON.parse(new TextDecoder().decode(opened));
})()"""


def identity(frame: Frame) -> dict:
    """The anonymous consumer that the page stored: token, consumer, conversation, limits."""
    return frame.evaluate(IDENTITY)


def state_with(server: Server, demo: Demo, identity: str) -> dict:
    """The state of a browser in which an earlier version of the widget stored this consumer, which this one takes."""
    stored = {"name": f"earshot.{demo.account}.{demo.app}.me", "value": identity}
    return {"origins": [{"origin": server.url, "localStorage": [stored]}]}


def newcomer(server: Server, demo: Demo) -> dict:
    """The state of a browser whose widget was opened before: how many consumers may begin from one address is
    limited."""
    asked = {"account": demo.account, "app": demo.app}
    return state_with(server, demo, api.fresh_client().post(f"{server.url}/v1/consumers", json=asked, timeout=20).text)


def kept(frame: Frame) -> dict:
    """Drafts, pieces and keys in the page's own database."""
    return frame.evaluate(READ)


def kill_tabs(browser: Browser) -> int:
    """SIGKILL for every page of this browser; the browser itself lives on."""
    session = browser.new_browser_cdp_session()
    pages = [
        process["id"]
        for process in session.send("SystemInfo.getProcessInfo")["processInfo"]
        if process["type"] == "renderer"
    ]
    for page in pages:
        os.kill(page, signal.SIGKILL)
    # The browser has to have noticed before it can show another page.
    while {process["id"] for process in session.send("SystemInfo.getProcessInfo")["processInfo"]} & set(pages):
        pass
    session.detach()
    return len(pages)
