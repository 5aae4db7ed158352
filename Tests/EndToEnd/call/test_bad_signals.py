"""What devices of a call may not do: forged numbers, other conversations, a third device, what is too large, malformed
or too much, and what comes after the end. A call that keeps to the rules sets up meanwhile."""

import asyncio
import time

import pytest

from support import api, contact_centre, wire
from support.browser.calls import turn_on

MEDIA = {"media": {"microphone": True, "camera": False, "screen": False}}
OFFER = {"description": {"type": "offer", "sdp": "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n"}}


@pytest.fixture(scope="module")
def people(server, demo):
    return contact_centre.people(server, demo, "dana", "omar", "mira")


@pytest.fixture(scope="module", autouse=True)
def calls_are_on(people):
    turn_on(people["mira"], voice=True, video=True, requests=True)


class Call:
    """A call between a consumer's device and an agent's, up to the point where both may begin."""

    def __init__(self, server, demo, agent):
        self.server, self.who = server, api.new_consumer(server.url, demo)
        self.brand = contact_centre.AgentConnection(agent)
        self.c = self.who.conversation

    async def ask(self, **what) -> dict:
        key = api.new_id()
        await self.link.send({"ask": key, **what})
        return await self.link.until("ok", "no")

    async def begin(self) -> "Call":
        self.link = await wire.Link.open(self.server.socket_url, {"token": self.who.token})
        await self.link.until("ready")
        await self.link.send({"send": api.new_id(), "text": "Hi"})
        await self.link.until("ok")
        await self.brand.sit(self.server)
        await self.brand.asks(self.c, take={})
        self.number = (await self.brand.asks(self.c, invite="voice"))["n"]
        assert "ok" in await self.ask(answerCall=self.number)
        await self.join(self.link, "k")
        assert (await self.link.until("call"))["call"]["state"] == "waiting"
        await self.join(self.brand.link, "a", c=self.c)
        for link in (self.brand.link, self.link):
            assert (await link.until("call"))["call"]["state"] == "begin"
        return self

    async def join(self, link: wire.Link, device: str, **where) -> None:
        await link.send({"call": self.number, "device": device, "fresh": True, **where})

    async def say(self, link: wire.Link, signal: dict, **where) -> None:
        await link.send({"signal": signal, "call": self.number, **where})

    async def close(self) -> None:
        """Ends the call, so that the agent is free for the next one."""
        await self.brand.asks(self.c, hangUp={"call": self.number})
        for link in (self.link, self.brand.link):
            await link.close()


def test_what_devices_say_is_written_nowhere(server, demo, people):
    canary = f"canary{api.new_id()}"

    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        sdp = OFFER["description"]["sdp"] + f"s={canary}\r\n"
        signals = [{"description": {"type": "offer", "sdp": sdp}}, {"candidate": {"candidate": canary}}]
        for signal in signals:
            await call.say(call.link, signal)
            assert (await call.brand.link.until("signal"))["signal"]["say"] == signal
        await call.close()

    run(story())
    files = [path for path in server.data.rglob("*") if path.is_file()]
    assert any(path.suffix == ".sqlite" or ".db" in path.name for path in files), files
    assert not [path for path in files if canary.encode() in path.read_bytes()]
    assert canary not in server.log()


async def refusal(link: wire.Link) -> str:
    return (await link.until("problem", "no"))["problem"]["code"]


def run(story) -> None:
    wire.run(story)


def test_signals_go_to_the_other_device_and_to_nobody_else(server, demo, people):
    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        other = api.new_consumer(server.url, demo)
        outside = await wire.Link.open(server.socket_url, {"token": other.token})
        second = await wire.Link.open(server.socket_url, {"token": call.who.token})
        colleague = await contact_centre.AgentConnection(people["omar"]).sit(server)
        for link in (outside, second):
            await link.until("ready")
        await colleague.link.send({"watch": call.c})
        await colleague.link.until("watching")

        # Another consumer, a second tab of the same one, a colleague: none of them takes part or says anything.
        await call.join(outside, "x")
        assert await refusal(outside) in ("not_found", "call_over")
        await call.join(second, "other-tab")
        assert await refusal(second) == "call_elsewhere"
        await call.join(colleague.link, "x", c=call.c)
        assert await refusal(colleague.link) == "not_assigned"
        for link, where in ((outside, {}), (second, {}), (colleague.link, {"c": call.c})):
            await call.say(link, OFFER, **where)
            assert await refusal(link) == "call_elsewhere"
        # Forged numbers, of this device's own conversation.
        for number in (0, -1, call.number - 1, call.number + 1, 2**31):
            await call.link.send({"call": number, "device": "k"})
            assert await refusal(call.link) == "call_over"
            await call.link.send({"signal": OFFER, "call": number})
            assert await refusal(call.link) == "call_elsewhere"

        await call.say(call.link, OFFER)
        heard = (await call.brand.link.until("signal"))["signal"]
        assert heard == {"call": call.number, "c": call.c, "say": OFFER}
        for link in (outside, second, colleague.link):
            await link.send({"read": 1, "c": call.c} if link is colleague.link else {"read": 1})
            with pytest.raises(asyncio.TimeoutError):
                await link.until("signal", "call", within=0.3)
        for link in (outside, second, colleague.link):
            await link.close()
        await call.close()

    run(story())


@pytest.mark.parametrize(
    "signal",
    [{}, {"offer": "x"}, {**MEDIA, **OFFER}, {"description": {"type": "bomb", "sdp": ""}}, {"description": "x"},
     {"candidate": {}}, {"candidate": None}, {"media": {"microphone": "yes", "camera": False, "screen": False}}, [], 7],
)  # fmt: skip
def test_a_malformed_signal_is_refused_and_the_call_goes_on(server, demo, people, signal):
    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        await call.say(call.link, signal)
        assert await refusal(call.link) == "bad_request"
        await call.say(call.link, MEDIA)
        assert (await call.brand.link.until("signal"))["signal"]["say"] == MEDIA
        await call.close()

    run(story())


def test_what_is_too_large_is_refused_at_its_limit(server, demo, people):
    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        for size, passes in ((48 * 1024 - 1, True), (48 * 1024, True), (48 * 1024 + 1, False)):
            await call.say(call.link, {"description": {"type": "offer", "sdp": "x" * size}})
            if passes:
                assert len((await call.brand.link.until("signal"))["signal"]["say"]["description"]["sdp"]) == size
            else:
                assert await refusal(call.link) == "too_large"
        for size, passes in ((1023, True), (1024, True), (1025, False)):
            await call.say(call.link, {"candidate": {"candidate": "x" * size}})
            if passes:
                assert (await call.brand.link.until("signal"))["signal"]["say"]["candidate"]["candidate"] == "x" * size
            else:
                assert await refusal(call.link) == "too_large"
        # A megabyte is over the limit of any frame: the socket ends, the call does not.
        await call.say(call.link, {"description": {"type": "offer", "sdp": "x" * 1024 * 1024}})
        assert (await call.brand.link.until("call"))["call"]["state"] == "gone"
        call.link = await wire.Link.open(server.socket_url, {"token": call.who.token})
        await call.link.until("ready")
        await call.link.send({"call": call.number, "device": "k"})
        assert (await call.link.until("call"))["call"]["state"] == "resync"
        await call.close()

    run(story())


def test_a_flood_is_slowed_down_and_another_call_sets_up_meanwhile(server, demo, people, figure):
    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        refused = 0

        async def flood():
            nonlocal refused
            for _ in range(600):
                await call.say(call.link, {"candidate": {"candidate": "candidate:1 1 udp 1 192.0.2.1 9 typ host"}})
            while True:
                frame = await call.link.receive()
                refused += frame.get("problem", {}).get("code") == "rate_limited"
                if "bye" in frame:
                    return

        flooding = asyncio.create_task(flood())
        began = time.monotonic()
        other = await Call(server, demo, people["omar"]).begin()
        seconds = time.monotonic() - began
        figure("58", f"a call set up within {seconds:.2f} s beside a flood of 600 signals")
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        await other.close()
        await call.close()

    run(story())


def test_after_the_end_nothing_passes(server, demo, people):
    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        assert "ok" in await call.ask(hangUp={"call": call.number})
        await call.join(call.link, "k")
        assert await refusal(call.link) == "call_over"
        again = await call.ask(hangUp={"call": call.number})
        assert again["code"] == "call_over"
        late = await call.brand.asks(call.c, hangUp={"call": call.number})
        assert late["code"] == "call_over"
        events = contact_centre.kinds(await call.brand.log(call.c), "callEnded")
        assert [event["callEnded"]["why"] for event in events] == ["hungUp"]
        await call.close()

    run(story())


def test_devices_that_leave_and_stay_away_end_the_call_once(server, demo, people):
    async def story():
        call = await Call(server, demo, people["dana"]).begin()
        await call.brand.link.send({"watch": call.c})
        await call.brand.link.until("watching")
        call.link.drop()
        assert (await call.brand.link.until("call"))["call"]["state"] == "gone"
        (end,) = (await call.brand.link.until("events"))["events"]
        assert (end["by"], end["callEnded"]["why"]) == (0, "left")
        assert end["callEnded"]["ms"] >= 10_000
        assert len(contact_centre.kinds(await call.brand.log(call.c), "callEnded")) == 1
        await call.brand.link.close()

    run(story())


def test_calls_that_are_off_are_refused(server, demo, people):
    async def story():
        turn_on(people["mira"], voice=False, video=True, requests=False)
        try:
            who = api.new_consumer(server.url, demo)
            link = await wire.Link.open(server.socket_url, {"token": who.token})
            await link.until("ready")
            await link.send({"send": api.new_id(), "text": "Hi"})
            await link.until("ok")
            brand = await contact_centre.AgentConnection(people["dana"]).sit(server)
            await brand.asks(who.conversation, take={})
            assert (await brand.asks(who.conversation, invite="voice"))["code"] == "calls_off"
            await link.send({"ask": api.new_id(), "requestCall": "video"})
            assert (await link.until("no"))["code"] == "calls_off"
            await link.close()
            await brand.link.close()
        finally:
            turn_on(people["mira"], voice=True, video=True, requests=True)

    run(story())


def test_only_the_agent_of_the_conversation_asks_whether_a_call_can_work(server, demo, people):
    async def story():
        who = api.new_consumer(server.url, demo)
        link = await wire.Link.open(server.socket_url, {"token": who.token})
        await link.until("ready")
        await link.send({"send": api.new_id(), "text": "Hi"})
        await link.until("ok")
        brand = await contact_centre.AgentConnection(people["dana"]).sit(server)
        await brand.link.send({"check": who.conversation})
        assert await refusal(brand.link) == "not_assigned"
        await brand.asks(who.conversation, take={})
        for other, code in ((link, "not_assigned"), (api.new_consumer(server.url, demo), "not_found")):
            if other is not link:
                other = await wire.Link.open(server.socket_url, {"token": other.token})
                await other.until("ready")
            await other.send({"check": who.conversation})
            assert await refusal(other) == code
        colleague = await contact_centre.AgentConnection(people["omar"]).sit(server)
        await colleague.link.send({"check": who.conversation})
        assert await refusal(colleague.link) == "not_assigned"

        # Both sides are asked, and what the consumer's device answers arrives at those who follow.
        await brand.link.send({"watch": who.conversation})
        await brand.link.until("watching")
        await brand.link.send({"check": who.conversation})
        assert (await brand.link.until("check"))["check"] == {"c": who.conversation, "ice": []}
        assert (await link.until("check"))["check"] == {"ice": []}
        ready = {"camera": True, "host": True, "reflexive": False, "relay": False}
        for down, is_taken in ((0, True), (10_000_000, True), (10_000_001, False), (-1, False)):
            await link.send({"checked": {**ready, "down": down}})
            if is_taken:
                checked = (await brand.link.until("checked"))["checked"]
                assert checked == {"c": who.conversation, "ready": {**ready, "down": down}}
            else:
                assert await refusal(link) == "bad_request"
        await brand.link.send({"checked": ready})
        assert await refusal(brand.link) == "bad_request"

        turn_on(people["mira"], voice=False, video=False)
        await brand.link.send({"check": who.conversation})
        assert await refusal(brand.link) == "calls_off"
        turn_on(people["mira"], voice=True, video=True)
        await brand.asks(who.conversation, closeQuietly={})
        await brand.link.send({"check": who.conversation})
        assert await refusal(brand.link) == "already_closed"
        for one in (link, brand.link, colleague.link):
            await one.close()

    run(story())
