"""Consumers see times in their own time zone, also in automatic messages, and after they changed zones."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from support import api, contact_centre, wire
from support.browser import device_storage
from support.browser.pages import ConsumerPage

FIRST = 600
PROMISE = 3600
NEW_YORK, TOKYO = "America/New_York", "Asia/Tokyo"


def clock(seconds: float, zone: str, now: float) -> str:
    there, today = (datetime.fromtimestamp(moment, ZoneInfo(zone)) for moment in (seconds, now))
    return there.strftime("%H:%M") + ("" if there.date() == today.date() else f" ({there.day} {there:%b})")


def test_automatic_messages_show_times_in_the_consumers_time_zone(browser, server, demo):
    mira = contact_centre.people(server, demo, "mira")["mira"]
    week = [{"day": day, "from": 0, "to": 1440} for day in range(1, 8)]
    contact_centre.put(
        mira, "hours", [{"id": "all", "name": "Always", "zone": "Europe/Berlin", "week": week, "holidays": []}]
    )
    contact_centre.put(mira, "rules", [])
    contact_centre.put(
        mira,
        "skills",
        [
            contact_centre.skill(
                "front", default=True, hours="all", sla={"usual": FIRST, "urgent": FIRST, "first": FIRST}
            )
        ],
    )
    contact_centre.put(mira, "automatic", [
        {"id": "hi", "on": "firstWelcome", "enabled": True, "text": "We answer by {expectedResponseTime}, your time"},
        {"id": "back", "on": "callback", "enabled": True, "text": "Back at {time}, your time"},
    ])
    context = browser.new_context(timezone_id=NEW_YORK, locale="en-GB")
    page = ConsumerPage(context, server).open()
    page.say("When do you answer?")
    expect(page.text("We answer by")).to_be_visible()
    kept = device_storage.state_with(server, demo, json.dumps(device_storage.identity(page.frame)))
    context.close()

    travelled = browser.new_context(timezone_id=TOKYO, locale="en-GB", storage_state=kept)
    # The widget asks as soon as its page loads, so the wait begins before the page.
    with travelled.expect_event("response", lambda answer: answer.url.endswith("/v1/consumers/me")) as back:
        page = ConsumerPage(travelled, server).open()
    assert back.value.status == 200

    async def promise() -> list[dict]:
        connection = await contact_centre.AgentConnection(mira).sit(server)
        mine = next(row["c"] for row in connection.rows.values() if row["last"].get("text") == "When do you answer?")
        assert "ok" in await connection.asks(mine, take={})
        assert "ok" in await connection.asks(mine, callback=PROMISE)
        while len(contact_centre.kinds(events := await connection.log(mine), "automatic")) < 2:
            await connection.next("rows")
        return events

    events = wire.run(promise())
    said = {event["automatic"]["on"]: event["automatic"]["text"] for event in contact_centre.kinds(events, "automatic")}
    started, promised = (contact_centre.kinds(events, kind)[0] for kind in ("started", "callback"))
    at = {event["automatic"]["on"]: event["at"] / 1000 for event in contact_centre.kinds(events, "automatic")}
    answer, until = clock(started["at"] / 1000 + FIRST, NEW_YORK, at["firstWelcome"]), clock(
        promised["callback"]["until"] / 1000, TOKYO, at["callback"]
    )
    assert said == {"firstWelcome": f"We answer by {answer}, your time", "callback": f"Back at {until}, your time"}
    expect(page.text(f"Back at {until}, your time")).to_be_visible()
    travelled.close()


def test_an_unknown_time_zone_does_not_turn_a_consumer_away(server, demo):
    for zone, status in (("Nowhere/Land", 201), ("x" * 64, 201), ("x" * 65, 400)):
        answer = api.fresh_client().post(
            f"{server.url}/v1/consumers", json={"account": demo.account, "app": demo.app, "zone": zone}, timeout=20
        )
        assert answer.status_code == status, answer.text
