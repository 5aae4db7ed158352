"""A page of another site in a real browser: with an origin that the app allows it runs its own chat client; with any
other origin it is refused."""

import pytest

from support import api
from support.brand_site import Site
from support.command import add_app
from support.demo import Demo
from support.voice import recordings

# A client of the brand's own: a consumer, a recording's first bytes, a socket, a text.
CLIENT = """async ({ base, account, app, sound }) => {
  const json = { 'Content-Type': 'application/json' };
  const made = await fetch(base + '/v1/consumers', {
    method: 'POST', headers: json, body: JSON.stringify({ account, app }),
  });
  const { token, conversation } = await made.json();
  const bearer = { Authorization: 'Bearer ' + token };
  const begun = await fetch(base + '/v1/uploads', {
    method: 'POST', headers: { ...bearer, ...json },
    body: JSON.stringify({ conversation, draft: crypto.randomUUID() }),
  });
  const { upload } = await begun.json();
  const sent = await fetch(`${base}/v1/uploads/${upload}?offset=0`, {
    method: 'PATCH', headers: { ...bearer, 'Content-Type': 'application/octet-stream' }, body: new Uint8Array(sound),
  });
  const { received } = await sent.json();
  const gap = await fetch(`${base}/v1/uploads/${upload}?offset=500`, {
    method: 'PATCH', headers: { ...bearer, 'Content-Type': 'application/octet-stream' }, body: new Uint8Array(1),
  });
  const { error } = await gap.json();
  const gone = await fetch(`${base}/v1/uploads/${upload}`, { method: 'DELETE', headers: bearer });
  const socket = new WebSocket(base.replace('http', 'ws') + '/v1/socket');
  const ok = await new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify({ hello: { token } }));
    socket.onclose = (end) => reject(new Error('closed with ' + end.code));
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if ('ready' in frame) socket.send(JSON.stringify({ send: 'first', text: 'From the brand itself' }));
      if ('ok' in frame || 'no' in frame) resolve(frame);
    };
  });
  return {
    status: [made.status, begun.status, sent.status, gap.status, gone.status], received, gap: error.code, ok, token,
  };
}"""
# What becomes of a socket that says hello with a consumer's token.
SOCKET = """({ base, token }) => new Promise((resolve) => {
  const socket = new WebSocket(base.replace('http', 'ws') + '/v1/socket');
  const frames = [];
  socket.onopen = () => socket.send(JSON.stringify({ hello: { token } }));
  socket.onmessage = ({ data }) => frames.push(JSON.parse(data));
  socket.onclose = ({ code }) => resolve({ code, frames });
})"""
# Whether a script gets an answer to this request.
REQUEST = """({ url, options }) => fetch(url, options).then((answer) => answer.status, (problem) => problem.name)"""


@pytest.fixture(scope="module")
def sites():
    made = {name: Site(f"{name}.localhost") for name in ("brand", "other", "evil")}
    for site in made.values():
        site.page = "<!doctype html><title>A page</title>"
    yield made
    for site in made.values():
        site.close()


@pytest.fixture(scope="module")
def app(server, demo, sites) -> Demo:
    """An app that allows the brand's page, beside one that allows another page."""
    add_app(server, demo, "other", sites["other"].origin)
    return add_app(server, demo, "brand", sites["brand"].origin)


@pytest.fixture
def page(browser, sites):
    """Opens the page of a site."""
    context = browser.new_context()

    def opened(name: str):
        made = context.new_page()
        made.goto(sites[name].origin)
        return made

    yield opened
    context.close()


def test_a_page_of_an_allowed_origin_is_a_client_of_its_own(server, app, page):
    # Bytes that are no audio are refused as soon as the server has looked at them, before or after the next request.
    sound = list(recordings.wav_claiming(1, bytes(100))[:100])
    done = page("brand").evaluate(
        CLIENT, {"base": server.url, "account": app.account, "app": app.app, "sound": sound}
    )
    assert done["status"] == [201, 201, 200, 409, 204] and done["received"] == 100, done
    assert done["gap"] == "upload_gap" and done["ok"]["ok"] == "first", done


def test_a_page_that_only_another_app_allows_is_refused(server, app, page):
    token = api.new_consumer(server.url, app).token
    other = page("other")
    ended = other.evaluate(SOCKET, {"base": server.url, "token": token})
    assert ended["code"] == 4403 and ended["frames"][-1]["bye"]["code"] == "origin_refused", ended
    create = {
        "method": "POST",
        "headers": {"Content-Type": "application/json"},
        "body": f'{{"account":"{app.account}","app":"{app.app}"}}',
    }
    read = {"headers": {"Authorization": f"Bearer {token}"}}
    for path, options in (("/v1/consumers", create), ("/v1/uploads", read), ("/v1/settings", read)):
        asked = {"url": server.url + path, "options": options}
        assert other.evaluate(REQUEST, asked) == "TypeError", path


def test_a_page_of_a_foreign_origin_is_refused(server, app, page):
    token = api.new_consumer(server.url, app).token
    evil = page("evil")
    # A browser tells scripts of a refused upgrade no more than this.
    assert evil.evaluate(SOCKET, {"base": server.url, "token": token}) == {"code": 1006, "frames": []}
    read = {"headers": {"Authorization": f"Bearer {token}"}}
    assert evil.evaluate(REQUEST, {"url": server.url + "/v1/uploads", "options": read}) == "TypeError"


def test_a_page_of_an_allowed_origin_reads_nothing_of_an_agents(server, app, page):
    asked = {"url": server.url + "/v1/session", "options": {"credentials": "include"}}
    assert page("brand").evaluate(REQUEST, asked) == "TypeError"
