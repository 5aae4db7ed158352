"""Two agents accept the same conversation at once, repeatedly: one gets it, and the other is told who."""

import asyncio
import threading

from support import contact_centre, wire
from support.demo import discover

ROUNDS = 100


class Rival(threading.Thread):
    """An agent in a thread and an event loop of their own."""

    def __init__(self, server, agent, barrier: threading.Barrier, conversations: list[str]):
        super().__init__()
        self.server, self.agent, self.barrier, self.conversations = server, agent, barrier, conversations
        self.answers: list[dict] = []
        self.problem: BaseException | None = None

    def run(self):
        try:
            asyncio.run(self.story())
        except BaseException as problem:  # shown by the test
            self.problem = problem
            self.barrier.abort()

    async def story(self):
        connection = await (await contact_centre.AgentConnection(self.agent).sit(self.server)).be("online")
        for conversation in self.conversations:
            await asyncio.to_thread(self.barrier.wait, 60)
            row = await connection.until_row(
                conversation, lambda row: len(row.get("routing", {}).get("offer", {}).get("to", [])) == 2
            )
            assert row["status"] == "waiting"
            await asyncio.to_thread(self.barrier.wait, 60)
            answer = await connection.asks(conversation, take={})
            self.answers.append(answer)
            await asyncio.to_thread(self.barrier.wait, 60)
            if "ok" in answer:
                assert "ok" in await connection.asks(conversation, closeQuietly={})


def test_of_two_simultaneous_accepts_exactly_one_wins(new_server, figure):
    server = new_server().start()
    demo = discover(server)
    staff = contact_centre.people(server, demo)
    contact_centre.put(
        staff["mira"], "skills", [contact_centre.skill("general", default=True, accept="offerToAll", offerSeconds=60)]
    )
    contact_centre.put(
        staff["mira"],
        "people",
        [{"agent": staff[name].id, "skills": ["general"], "capacity": 10} for name in ("dana", "omar")],
    )
    consumers = [contact_centre.arriving(server, demo, "general") for _ in range(ROUNDS)]
    barrier = threading.Barrier(3)
    rivals = [
        Rival(server, staff[name], barrier, [consumer.conversation for consumer in consumers])
        for name in ("dana", "omar")
    ]
    for rival in rivals:
        rival.start()

    async def arrive(consumer):
        link = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await link.until("ready")
        await link.send({"send": "hello", "text": "Is anybody there?"})
        await link.until("ok")
        await link.close()

    for consumer in consumers:
        try:
            # Both are there before the conversation comes, so that it rings at both.
            barrier.wait(60)
            wire.run(arrive(consumer))
            barrier.wait(60)
            # Both have their answer before the winner closes it.
            barrier.wait(60)
        except threading.BrokenBarrierError:
            break
    for rival in rivals:
        rival.join(60)
    assert not [rival.problem for rival in rivals if rival.problem], [repr(rival.problem) for rival in rivals]
    wins = [sum("ok" in answer for answer in pair) for pair in zip(*(rival.answers for rival in rivals))]
    losers = [answer for rival in rivals for answer in rival.answers if "no" in answer]
    figure(
        "accept",
        f"{ROUNDS} conversations accepted by two at once: {wins.count(1)} single winners, {len(wins) - wins.count(1)} "
        "others",
    )
    assert wins == [1] * ROUNDS
    assert {answer["code"] for answer in losers} == {"already_taken"}
    names = {rival.agent.body["agent"]["name"] for rival in rivals}
    assert all(any(name in answer["text"] for name in names) for answer in losers), losers[:3]
    server.stop()
