"""A disabled agent is signed out at once and gets nothing; their conversations wait again, also after a kill."""

from support import api, contact_centre, wire
from support.demo import discover

NOBODY = "AAAAAAAAAAAAAAAAAAAAAA"


def switch(manager: api.Agent, agent: str, off: bool) -> None:
    answer = manager.session.patch(
        f"{manager.base}/v1/agents/{agent}", json={"disabled": off}, headers=manager.headers, timeout=20
    )
    assert answer.status_code == 200, answer.text


async def hello(server, consumer) -> None:
    link = await wire.Link.open(server.socket_url, {"token": consumer.token})
    await link.until("ready")
    await link.send({"send": api.new_id(), "text": "Hello"})
    await link.until("ok")
    await link.close()


async def team(server, agent: api.Agent) -> list[str]:
    """Who is there, as somebody is told who asks now."""
    connection = await contact_centre.AgentConnection(agent).sit(server)
    await connection.link.send({"team": True})
    names = [person["name"].split()[0] for person in (await connection.next("team"))["team"]]
    await connection.link.close()
    return names


def test_a_disabled_agent_is_signed_out_at_once_and_stays_so_over_a_kill(new_server):
    server = new_server().start()
    demo = discover(server)
    staff = contact_centre.people(server, demo)
    dana, omar, mira = (staff[name] for name in ("dana", "omar", "mira"))
    contact_centre.put(mira, "skills", [contact_centre.skill("front", default=True, accept="auto")])
    # The brand takes nothing from who is offline: what is given back is given back because somebody is switched off.
    silence = mira.session.get(f"{mira.base}/v1/centre", timeout=20).json()["silence"]
    contact_centre.put(mira, "silence", {name: value for name, value in silence.items() if name != "offlineSeconds"})
    first, second = (contact_centre.arriving(server, demo, "") for _ in range(2))

    async def shift():
        manager = await contact_centre.AgentConnection(mira).sit(server)
        await (await contact_centre.AgentConnection(dana).sit(server)).be("online")
        await hello(server, first)
        await manager.until_row(first.conversation, lambda row: row.get("to") == dana.id)
        assert "Dana" in await team(server, mira)
        switch(mira, dana.id, True)
        assert "Dana" not in await team(server, mira)
        await manager.until_row(first.conversation, lambda row: row["status"] == "waiting")
        queued = contact_centre.kinds(await manager.log(first.conversation), "queued")
        assert queued[-1]["queued"]["why"] == "offline", queued
        await refused(manager)

    async def refused(manager):
        """A person who is switched off is to a transfer as one whom there never was."""
        row = manager.rows[first.conversation]
        if row["status"] == "waiting":
            assert "ok" in await manager.asks(first.conversation, take={})
        answers = [await manager.asks(first.conversation, transfer={"agent": who}) for who in (dana.id, NOBODY)]
        assert [answer.get("code") for answer in answers] == ["unknown_agent"] * 2, answers

    async def after():
        manager = await contact_centre.AgentConnection(mira).sit(server)
        assert "Dana" not in await team(server, mira)
        await refused(manager)
        other = await (await contact_centre.AgentConnection(omar).sit(server)).be("online")
        await hello(server, second)
        await other.until_row(second.conversation, lambda row: row.get("to") == omar.id)
        given = contact_centre.kinds(await manager.log(second.conversation), "assigned")
        assert len(given) == 1, given
        switch(mira, dana.id, False)
        assert "Dana" in await team(server, mira)
        assert "ok" in await manager.asks(first.conversation, transfer={"agent": dana.id})
        await manager.until_row(first.conversation, lambda row: row.get("routing", {}).get("for") == dana.id)

    wire.run(shift())
    server.kill()
    server.start()
    wire.run(after())
    server.stop()
