"""What a page stores on its device, and how to crash a page."""

import os
import signal

from playwright.sync_api import Browser, Frame

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
