import EarshotDomain
import EarshotModel
import Testing

@Suite struct `The capacity of an agent` {
    @Test func `of 3, two active and one idle make 2.1: one more is accepted, 3.1 is within slack, and no other`() {
        var scenario = ContactCentreScenario()
        for name in ["a", "b", "idle"] { scenario.come(name) }
        scenario.answer("idle")
        _ = scenario.wait(seconds: 600)
        #expect(scenario.load("dana") == 2100, "the premise")
        #expect(scenario.come("c") == [.goes("c", to: "dana")])
        #expect(scenario.load("dana") == 3100)
        #expect(scenario.come("d") == [])
        #expect(scenario.obstacle("dana", for: "d") == .full)
    }

    @Test(arguments: [(500, 1), (499, 0)]) func `may be exceeded by the slack and no more`(slack: Int, accepted: Int) {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 2)]) {
            ($0.capacity.slack, $0.capacity.idle) = (slack, 500)
        }
        scenario.come("a")
        scenario.come("b")
        scenario.answer("b")
        _ = scenario.wait(seconds: 600)
        #expect(scenario.load("dana") == 1500, "the premise: with one more it is half a conversation over")
        #expect(scenario.come("c").count == accepted)
    }

    @Test func `becomes free as a conversation's load decreases, at the moment that the engine names`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 1)])
        scenario.come("a")
        scenario.come("b")
        #expect(scenario.answer("a") == [])
        let answered = scenario.now
        var actions: [ProposedAction] = []
        while actions.isEmpty, let next = scenario.engine.nextDeadline {
            scenario.now = next
            actions = scenario.settle()
        }
        #expect(actions == [.goes("b", to: "dana")])
        #expect(scenario.now == answered.adding(seconds: 360), "0.46 and a whole one are within 1.5")
    }

    @Test func `is full again when a consumer writes, and the agent keeps their conversations`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 1)])
        scenario.come("a")
        scenario.answer("a")
        _ = scenario.wait(seconds: 600)
        scenario.come("b")
        let now = scenario.now
        #expect(scenario.change("a") { $0.times.unansweredSince = now } == [])
        #expect(scenario.load("dana") == 2000)
        #expect(scenario["a"].agents.assignee == .n("dana") && scenario["b"].agents.assignee == .n("dana"))
    }

    @Test func `is taken by unplayed voice at the agent's own speed`() {
        var scenario = ContactCentreScenario([.test()], [.test("slow"), .test("fast", speed: 200)])
        let voice = 750_000
        #expect(
            scenario.come("a") { ($0.agents.previous, $0.priority.unplayedMs) = (.n("slow"), voice) } == [
                .goes("a", to: "slow", .previousAgent)
            ])
        #expect(
            scenario.come("b") { ($0.agents.previous, $0.priority.unplayedMs) = (.n("fast"), voice) } == [
                .goes("b", to: "fast", .previousAgent)
            ])
        #expect(scenario.load("slow") == 3500)
        #expect(scenario.load("fast") == 2250)
        #expect(scenario.come("c") == [.goes("c", to: "fast")])
    }

    @Test func `must have room for voice too, except for overdue conversations and for idle agents`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 2)])
        #expect(
            scenario.come("a") { $0.priority.unplayedMs = 1_200_000 } == [.goes("a", to: "dana")],
            "5.0, but she had nothing to do")
        scenario.answer("a")
        _ = scenario.wait(seconds: 600)
        #expect(scenario.load("dana") == 100)
        #expect(scenario.come("b") { $0.priority.unplayedMs = 600_000 } == [], "0.1 and 3.0 are more than 2.5")
        #expect(scenario.obstacle("dana", for: "b") == .full)
        #expect(scenario.come("c") == [.goes("c", to: "dana")], "a lighter one behind it goes")
        scenario.answer("c")
        _ = scenario.wait(seconds: 599)
        #expect(scenario["b"].agents.assignee == nil)
        #expect(scenario.wait(seconds: 1) == [.goes("b", to: "dana")], "now it is overdue")
    }
}

@Suite struct `The backlog` {
    @Test
    func `the answer to a message of more than two hours makes it light at once, and the next comes ten seconds later`()
    {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 1)])
        scenario.come("old")
        scenario.come("next")
        _ = scenario.wait(seconds: 10)
        #expect(scenario.answer("old", ageMs: 7_200_001) == [])
        #expect(scenario.load("dana") == 100)
        #expect(scenario.obstacle("dana", for: "next") == .pausing)
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 10))
        #expect(scenario.wait(seconds: 9, ms: 999) == [])
        #expect(scenario.wait(ms: 1) == [.goes("next", to: "dana")])
    }

    @Test func `a pause lasts until the last such answer's is over, whatever happens to the others`() {
        var scenario = ContactCentreScenario()
        scenario.come("first")
        scenario.come("second")
        scenario.answer("first", ageMs: 7_200_001)
        _ = scenario.wait(seconds: 5)
        scenario.answer("second", ageMs: 7_200_001)
        scenario.change("first") { $0.priority.transfers = 1 }
        #expect(scenario.come("next") == [])
        #expect(scenario.wait(seconds: 9, ms: 999) == [])
        #expect(scenario.wait(ms: 1) == [.goes("next", to: "dana")])
    }

    @Test func `a pause does not last for hours when the clock is set back`() {
        var scenario = ContactCentreScenario()
        scenario.come("old")
        scenario.answer("old", ageMs: 7_200_001)
        #expect(scenario.come("next") == [])
        scenario.now = scenario.now.adding(hours: -1)
        #expect(scenario.settle() == [.goes("next", to: "dana")])
    }

    @Test func `a pause lasts though its conversation closes, and holds back what is reserved for them`() {
        var scenario = ContactCentreScenario()
        scenario.come("old")
        scenario.answer("old", ageMs: 7_200_001)
        #expect(scenario.close("old") == [])
        let until = scenario.now.adding(hours: 1)
        #expect(scenario.come("next") { $0.agents.reserved = .init(agent: .n("dana"), until: until) } == [])
        #expect(scenario.wait(seconds: 10) == [.goes("next", to: "dana", .reserved)])
    }
}

@Suite struct `Manual SLA` {
    @Test func `45 min with a threshold of 30 makes room now`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 1)])
        scenario.come("a")
        scenario.come("b")
        let now = scenario.now
        #expect(
            scenario.change("a") {
                ($0.times.callback, $0.times.answeredAt) = (.init(madeAt: now, until: now.adding(minutes: 45)), now)
            } == [.goes("b", to: "dana")])
        #expect(scenario.load("dana") == 1100)
    }

    @Test func `an hour at 10, back in the queue: no agent gets it before 10:50`() {
        var scenario = ContactCentreScenario()
        let ten = scenario.now
        #expect(ten == at("2026-11-22T10:00:00Z"), "the premise")
        #expect(
            scenario.come("c") {
                ($0.times.callback, $0.priority.isFirst) = (.init(madeAt: ten, until: ten.adding(hours: 1)), false)
            }
                == [])
        #expect(scenario.engine.position(of: .n("c")) == 1, "it waits")
        #expect(scenario.engine.due(of: .n("c")) == ten.adding(hours: 1))
        #expect(scenario.engine.nextDeadline == ten.adding(minutes: 50))
        #expect(scenario.wait(seconds: 50 * 60 - 1, ms: 999) == [])
        #expect(scenario.wait(ms: 1) == [.goes("c", to: "dana")])
    }
}
