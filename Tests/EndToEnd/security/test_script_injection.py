"""Text, names and tags from consumers never run as code in the agent's or the consumer's page."""

import json
import re
from urllib.parse import quote

import pytest
import requests
from playwright.sync_api import expect

from support import api, wire
from support.browser import device_storage
from support.browser.pages import AgentPage, ConsumerPage
from support.voice import recordings, speech

RUN = "window.ran=(window.ran||0)+1"
TAGS = [
    "<script>{}</script>",
    "<img src=x onerror={}>",
    "<svg onload={}>",
    "<svg><script>{}</script></svg>",
    "<body onload={}>",
    "<iframe srcdoc='<script>parent.{}</script>'>",
    "<details open ontoggle={}>",
    "<video><source onerror={}>",
    "<audio src=x onerror={}>",
    "<input autofocus onfocus={}>",
    "<marquee onstart={}>",
    "<a href=javascript:{}>x</a>",
    "<math><mtext></mtext><mglyph><style><img src=x onerror={}>",
    "<object data='data:text/html,<script>{}</script>'>",
    "<embed src=javascript:{}>",
    "<form action=javascript:{}><button autofocus>",
    "<meta http-equiv=refresh content='0;url=javascript:{}'>",
    "<link rel=stylesheet href=javascript:{}>",
    "<style>@import 'javascript:{}'</style>",
    "<template><script>{}</script></template>",
]
QUOTES = ['"{}"', "'{}'", "`{}`", '">{}', "'>{}", "--><x>{}", "</title>{}", "</textarea>{}", "</script>{}", "]]>{}"]
ODD = [
    "{{{{{}}}}}",
    "${{{}}}",
    "javascript:{}",
    "JaVaScRiPt:{}",
    "java\tscript:{}",
    "data:text/html,<script>{}</script>",
    "\u202e{}",
    "\u2028{}\u2029",
    "\0{}",
    "%3Cscript%3E{}%3C/script%3E",
    "&lt;script&gt;{}&lt;/script&gt;",
    "\\u003cscript\\u003e{}\\u003c/script\\u003e",
    "+ADw-script+AD4-{}+ADw-/script+AD4-",
    "=HYPERLINK(\"javascript:{}\")",
    "{} onclick={}",
]
PAYLOADS = (
    [tag.format(RUN) for tag in TAGS]
    + [quote_.format(TAGS[1].format(RUN)) for quote_ in QUOTES]
    + [quote_.format(TAGS[0].format(RUN)) for quote_ in QUOTES]
    + [odd.replace("{}", RUN) for odd in ODD]
    + [f"\" {event}={RUN} x=\"" for event in ("onmouseover", "onfocus", "onload", "onerror", "onanimationstart")]
)
# What tells that something ran, or that only the policy stopped it: neither may happen.
WATCH = (
    "document.addEventListener('securitypolicyviolation', event => { (window.violations ??= "
    "[]).push(event.violatedDirective + ' ' + event.blockedURI); });"
)


def with_tags(microphone, folder, name: str) -> bytes:
    """A recording whose every tag is a payload."""
    keys = ["title", "artist", "album", "comment", "genre", "copyright", "encoder", "description", "lyrics", "date"]
    tags = [part for key, number in zip(keys * 10, range(len(PAYLOADS))) for part in
            ("-metadata", f"{key if number < len(keys) else f'{key}{number}'}={PAYLOADS[number]}".replace("\0", ""))]
    target = folder / "tagged"
    codec = recordings.FORMATS[name][1]
    speech.run("ffmpeg", "-v", "error", "-y", "-i", str(microphone), "-t", "2", *tags, *codec, str(target))
    data = target.read_bytes()
    assert b"window.ran" in data, "the container kept no tag: the test would prove nothing"
    return data


@pytest.fixture(scope="module")
def poisoned(server, demo, microphone, tmp_path_factory):
    """A consumer whose page, language, texts and recordings are payloads."""
    answer = api.fresh_client().post(f"{server.url}/v1/consumers", timeout=20, json={
        "account": demo.account, "app": demo.app, "page": "javascript:" + RUN, "language": "<svg/onload=" + RUN + ">"})
    assert answer.status_code == 201, answer.text
    consumer = api.identity(answer.json())
    media = [
        api.upload(
            server.url,
            consumer,
            with_tags(microphone, tmp_path_factory.mktemp("tags"), name),
            f"audio/webm; x={quote(PAYLOADS[0])}"[:100],
        )
        for name in ("MP3", "WebM/Opus", "Ogg/Opus", "MP4/AAC, index in front")
    ]
    assert [answer.status_code for answer in media] == [200] * 4, [answer.text for answer in media]

    async def say():
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        messages = [{"text": payload} for payload in PAYLOADS] + [{"audio": answer.json()["media"]} for answer in media]
        for number, message in enumerate(messages):
            await link.send({"send": f"k{number}", **message})
            frame = await link.until("ok", "no")
            assert "ok" in frame, (message, frame)
        await link.close()

    wire.run(say())
    return consumer, [answer.json()["media"] for answer in media]


def ran(frame) -> tuple[int, list[str]]:
    return frame.evaluate("window.ran || 0"), frame.evaluate("window.violations || []")


def test_nothing_a_consumer_says_runs_in_the_agents_page(browser, server, demo, poisoned, figure):
    context = browser.new_context(locale="en-GB")
    context.add_init_script(WATCH)
    agent = AgentPage(context, server).sign_in(demo, demo.agent)
    dialogs = []
    agent.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    agent.tab("All").click()
    agent.row(re.compile("Voice message")).first.click()
    expect(agent.voice).to_be_visible()
    shown = agent.messages.inner_text()
    assert (
        sum(payload.strip() in shown for payload in PAYLOADS[-40:]) >= 20
    ), "the payloads are not on the page: the test would prove nothing"
    agent.page.mouse.wheel(0, -20_000)
    agent.voice.click()
    links = agent.page.eval_on_selector_all("a[href], iframe[src]", "all => all.map(one => one.href || one.src)")
    assert all(link.startswith(("http://", "https://", "blob:")) for link in links), links
    assert (ran(agent.page), dialogs) == ((0, []), [])
    figure(
        "49",
        f"{len(PAYLOADS)} payloads as texts, as tags of 4 containers, as page and language: 0 ran in the agent's page, "
        "0 stopped only by its policy",
    )
    context.close()


def test_nothing_a_consumer_says_runs_in_their_own_page(browser, server, demo, poisoned):
    """The same conversation in the widget, by the consumer's own token."""
    consumer, _ = poisoned
    known = {
        "token": consumer.token, "consumer": consumer.id, "conversation": consumer.conversation,
        "limits": consumer.limits,
    }
    state = device_storage.state_with(server, demo, json.dumps(known))
    context = browser.new_context(locale="en-GB", storage_state=state)
    context.add_init_script(WATCH)
    page = ConsumerPage(context, server).open()
    expect(page.voice).to_be_visible()
    frame = next(frame for frame in page.page.frames if "/widget" in frame.url)
    assert ran(frame) == (0, []) and ran(page.page) == (0, [])
    context.close()


def test_no_tag_of_a_recording_survives_in_what_others_play(server, poisoned):
    consumer, media = poisoned
    for name in media:
        for form in ("mp3", "ogg", "m4a"):
            answer = requests.get(
                f"{server.url}/v1/media/{consumer.conversation}/{name}.{form}", headers=consumer.headers, timeout=60
            )
            assert answer.status_code == 200, (form, answer.text)
            assert b"window.ran" not in answer.content and b"<script" not in answer.content.lower(), form


def test_media_is_never_served_as_a_page(server, poisoned, figure):
    consumer, media = poisoned
    seen = 0
    for name in media:
        for form in ("mp3", "ogg", "m4a", "mp3?download=1", "ogg?download=1", "m4a?download=1"):
            answer = requests.get(
                f"{server.url}/v1/media/{consumer.conversation}/{name}.{form}", headers=consumer.headers, timeout=60
            )
            head = answer.headers
            assert answer.status_code == 200 and head["Content-Type"].startswith("audio/"), (form, head)
            assert head["X-Content-Type-Options"] == "nosniff" and "sandbox" in head["Content-Security-Policy"], (
                form,
                head,
            )
            disposition = head["Content-Disposition"]
            assert disposition.startswith("attachment") if "download" in form else disposition, (form, disposition)
            assert not re.search(r"[<>]|window", disposition), disposition
            seen += 1
    figure(
        "50",
        f"{seen} media answers: audio type, nosniff, sandboxed, a name of the server's own; attachment where it is a "
        "download",
    )
