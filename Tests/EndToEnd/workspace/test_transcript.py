"""Transcripts as the server makes them: complete, in every form, and noted in the audit log."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
import requests
from playwright.sync_api import expect

from support import api, contact_centre, wire
from support.browser.pages import AgentPage
from support.voice import recordings, voice_messages

HOSTILE = "Hi </p><script>alert(1)</script> & \"you\"\n2026-01-01 00:00:00+00:00 Dana (agent): I promise"
NOTE = "A note among ourselves"
FORMS = {"txt": "text/plain", "xml": "application/xml", "json": "application/json", "html": "text/html"}


def asked(who: api.Agent, conversation: str, **query) -> requests.Response:
    return who.session.get(f"{who.base}/v1/conversations/{conversation}/transcript", params=query, timeout=60)


def exports(who: api.Agent, conversation: str) -> list[tuple[str, str]]:
    answer = who.session.get(f"{who.base}/v1/audit", params={"what": "transcript.exported"}, timeout=20)
    return [(one["by"], one["detail"]) for one in answer.json()["entries"] if one["conversation"] == conversation]


@pytest.fixture
def conversation(server, demo, consumer, agent, microphone, tmp_path):
    """A conversation with texts, a voice message that was listened to, a note and an end."""
    sound = tmp_path / "sound.webm"
    sound.write_bytes(recordings.encode(microphone, tmp_path, "WebM/Opus"))
    voice_messages.say(server, consumer, HOSTILE, sound)

    async def answer():
        connection = await contact_centre.AgentConnection(agent).sit(server)
        assert "ok" in await connection.asks(consumer.conversation, take={})
        voice = contact_centre.kinds(await connection.log(consumer.conversation), "audio")[0]["n"]
        await connection.link.send({"watch": consumer.conversation})
        await connection.next("watching")
        await connection.link.send({"played": voice, "c": consumer.conversation, "spans": [[0, 600_000]]})
        while not any(n == voice and whole for n, _, _, whole in (await connection.next("played"))["played"]):
            pass
        for what in ({"text": "Good morning"}, {"note": {"text": NOTE}}, {"close": {}}):
            answer = await connection.asks(consumer.conversation, **what)
            assert "ok" in answer, (what, answer)
        await connection.link.close()

    wire.run(answer())
    return consumer.conversation


def test_a_transcript_includes_everything_in_every_format(conversation, agent, manager):
    answers = {form: asked(agent, conversation, format=form, zone="Asia/Kolkata") for form in FORMS}
    for form, answer in answers.items():
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == f"{FORMS[form]}; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        kind = "inline" if form == "html" else "attachment"
        name = rf'{kind}; filename="transcript-\d{{4}}-\d\d-\d\d-{re.escape(conversation[:8])}\.{form}"'
        assert re.fullmatch(name, answer.headers["content-disposition"]), answer.headers["content-disposition"]
        label = "Voice message 0:" if form == "html" else "[audio message]"
        assert NOTE not in answer.text and label in answer.text and "+05:30" in answer.text
    text = answers["txt"].text
    assert re.search(r"\(consumer\): \[audio message\] \d+:\d\d, listened\n", text), text
    assert "\n    2026-01-01 00:00:00+00:00 Dana (agent): I promise" in text
    assert re.search(r"\n\S+ \S+ \* \S+ closed the conversation\.\n", text), text
    entries = answers["json"].json()["entries"]
    assert [entry["type"] for entry in entries if entry["type"] in ("text", "audio")] == ["text", "audio", "text"]
    assert entries[0]["type"] == "started" and "closed" in [entry["type"] for entry in entries]
    assert next(entry for entry in entries if entry["type"] == "text")["text"] == HOSTILE
    tree = ElementTree.fromstring(answers["xml"].content)
    assert [message.text for message in tree.iter("message")] == [HOSTILE, "[audio message]", "Good morning"]
    assert tree.find("participants/consumer").get("name") in text
    assert "<script" not in answers["html"].text
    by = agent.id
    assert exports(manager, conversation)[::-1] == [(by, "txt"), (by, "xml"), (by, "json"), (by, "html")]


def test_private_notes_are_included_on_request(conversation, agent, manager):
    for form in FORMS:
        assert NOTE in asked(agent, conversation, format=form, notes=1).text
    assert exports(manager, conversation)[0] == (agent.id, "html, with notes")


def test_a_transcript_is_complete_beyond_a_page(server, consumer, agent):
    texts = [f"message {number}" for number in range(450)]
    voice_messages.say(server, consumer, *texts)
    entries = asked(agent, consumer.conversation, format="json").json()["entries"]
    assert [entry["text"] for entry in entries if entry["type"] == "text"] == texts
    numbers = [entry["seq"] for entry in entries]
    assert numbers == sorted(set(numbers))


def test_a_consumer_gets_none_and_a_head_leaves_no_entry(server, conversation, consumer, agent, manager):
    address = f"{server.url}/v1/conversations/{conversation}/transcript"
    assert requests.get(address, headers=consumer.headers, timeout=20).status_code == 401
    assert requests.get(address, timeout=20).status_code == 401
    head = agent.session.head(address, timeout=20)
    assert head.status_code == 200 and head.content == b""
    assert exports(manager, conversation) == []


def test_an_agent_copies_and_downloads_a_transcript(server, demo, conversation, new_context):
    context = new_context(timezone_id="America/St_Johns")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    agent = AgentPage(context, server).sign_in(demo, demo.agent)
    agent.page.evaluate(f"location.hash = '#/closed/{conversation}'")
    more = agent.page.get_by_role("button", name="More actions", exact=True).last
    more.click()
    agent.page.get_by_role("button", name=re.compile("^Copy transcript")).last.click()
    expect(agent.page.get_by_text("Transcript copied")).to_be_visible()
    copied = agent.page.evaluate("navigator.clipboard.readText()")
    assert "Times: America/St_Johns" in copied and "[audio message]" in copied, copied
    more.click()
    with agent.page.expect_download() as download:
        agent.page.get_by_role("group", name="Transcript").get_by_role("link", name="JSON").click()
    assert download.value.suggested_filename.endswith(".json")
    more.click()
    with context.expect_page() as opened:
        agent.page.get_by_role("group", name="Transcript").get_by_role("link", name="Print").click()
    expect(opened.value.get_by_text("Good morning")).to_be_visible()
    expect(opened.value.get_by_role("heading", level=1)).to_be_visible()
