import EarshotDomain
import EarshotModel
import Testing

@Suite struct `An agent gets no conversation` {
    @Test(
        arguments: [(.away, .away), (.offline, .offline), (.occupied, .occupied)]
            as [(Presence.State, Explanation.Obstacle)])
    func `while they are not online`(state: Presence.State, why: Explanation.Obstacle) {
        var scenario = ContactCentreScenario()
        scenario.set(state, "dana")
        #expect(scenario.come("c") == [])
        #expect(scenario.obstacle("dana", for: "c") == why)
        scenario.set(.online, "dana")
        #expect(scenario.obstacle("dana", for: "c") == nil)
        #expect(scenario.settle() == [.goes("c", to: "dana")])
    }

    @Test func `before their presence is known`() {
        var scenario = ContactCentreScenario(online: [])
        #expect(scenario.come("c") == [])
        #expect(scenario.obstacle("dana", for: "c") == .offline)
    }

    @Test func `of a skill that they do not have`() {
        var scenario = ContactCentreScenario([.test(), .test("sales")], [.test("dana", ["general"])])
        #expect(scenario.come("c", "sales") == [])
        #expect(scenario.engine.explain(.n("c"), now: scenario.now)?.agents == [])
        #expect(scenario.come("d") == [.goes("d", to: "dana")])
    }

    @Test func `during a call, which takes all capacity`() {
        var scenario = ContactCentreScenario()
        scenario.engine.set(inCall: true, of: .n("dana"))
        #expect(scenario.load("dana") == 3000)
        #expect(scenario.come("c") == [])
        #expect(scenario.obstacle("dana", for: "c") == .inCall)
        scenario.engine.set(inCall: false, of: .n("dana"))
        #expect(scenario.settle() == [.goes("c", to: "dana")])
    }

    @Test func `without capacity`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 0)])
        #expect(scenario.come("c") == [])
        #expect(scenario.obstacle("dana", for: "c") == .full)
    }

    @Test func `that is reserved for another agent`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("finn")], online: ["dana"])
        let until = scenario.now.adding(hours: 2)
        #expect(scenario.come("c") { $0.agents.reserved = .init(agent: .n("finn"), until: until) } == [])
        #expect(scenario.obstacle("dana", for: "c") == .reserved)
        scenario.set(.online, "finn")
        #expect(scenario.settle() == [.goes("c", to: "finn", .reserved)])
    }

    @Test func `that is snoozed, or has an agent`() {
        var scenario = ContactCentreScenario()
        let now = scenario.now
        #expect(scenario.come("c") { $0.times.callback = .init(madeAt: now, until: now.adding(hours: 1)) } == [])
        #expect(scenario.obstacle("dana", for: "c") == .settled)
        #expect(scenario.come("d") { $0.agents.assignee = .n("finn") } == [])
        #expect(scenario.obstacle("dana", for: "d") == .settled)
    }
}

@Suite struct `A conversation goes` {
    @Test func `to the agent who answered before, though another has a lower load`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("finn")])
        #expect(scenario.come("a") == [.goes("a", to: "dana")])
        #expect(scenario.come("b") { $0.agents.previous = .n("dana") } == [.goes("b", to: "dana", .previousAgent)])
    }

    @Test(arguments: [.away, .offline, .occupied] as [Presence.State])
    func `to another agent when the one who answered before is not online`(state: Presence.State) {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("finn")])
        scenario.set(state, "finn")
        #expect(scenario.come("b") { $0.agents.previous = .n("finn") } == [.goes("b", to: "dana")])
    }

    @Test func `to another agent when the one who answered before is full, refused it, or lost the skill`() {
        var scenario = ContactCentreScenario(
            [.test(), .test("sales")],
            [.test("dana", capacity: 5), .test("finn", capacity: 1), .test("ines", ["sales"])])
        #expect(scenario.come("a") { $0.agents.previous = .n("finn") } == [.goes("a", to: "finn", .previousAgent)])
        #expect(scenario.come("b") { $0.agents.previous = .n("finn") } == [.goes("b", to: "dana")])
        #expect(
            scenario.come("c") { ($0.agents.previous, $0.agents.refused) = (.n("dana"), [.n("dana")]) } == [],
            "finn is full, dana refused")
        #expect(scenario.come("d") { $0.agents.previous = .n("ines") } == [.goes("d", to: "dana")])
    }

    @Test func `to the least utilised, by the share of their own capacity`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana", capacity: 2), .test("finn", capacity: 10)])
        var got: [ProposedAction] = []
        for name in ["a", "b", "c", "d", "e"] { got += scenario.come(name) }
        #expect(
            got == [
                .goes("a", to: "dana"), .goes("b", to: "finn"), .goes("c", to: "finn"), .goes("d", to: "finn"),
                .goes("e", to: "finn"),
            ])
    }

    @Test func `among equals to the agent who has waited longest since their last one`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("finn"), .test("ines")])
        var got: [ProposedAction] = []
        for name in ["a", "b", "c", "d"] {
            got += scenario.come(name)
            scenario.close(name)
            _ = scenario.wait(seconds: 1)
        }
        #expect(
            got == [.goes("a", to: "dana"), .goes("b", to: "finn"), .goes("c", to: "ines"), .goes("d", to: "dana")])
    }

    @Test func `to the agent who has waited longest, also where conversations are offered, and after a restart`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], [.test("dana"), .test("finn")])
        scenario.come("a")
        scenario.accept("a", by: "dana")
        scenario.close("a")
        #expect(scenario.load("dana") == scenario.load("finn"), "the premise")
        scenario.come("b")
        #expect(scenario["b"].agents.offer?.to == [.n("finn")])
        var again = ContactCentreScenario([.test()], [.test("dana"), .test("finn")])
        let now = again.now
        again.come("old") { ($0.agents.assignee, $0.times.assignedAt) = (.n("dana"), now.adding(minutes: -9)) }
        again.come("older") { ($0.agents.assignee, $0.times.assignedAt) = (.n("finn"), now.adding(minutes: -10)) }
        #expect(again.come("c") == [.goes("c", to: "finn")])
    }

    @Test func `not back to an agent who refused it while another is online, even if that one is full`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("finn", capacity: 1)])
        scenario.come("full") { $0.agents.previous = .n("finn") }
        #expect(scenario["full"].agents.assignee == .n("finn"), "the premise")
        #expect(scenario.come("c") { $0.agents.refused = [.n("dana")] } == [])
        #expect(scenario.obstacle("dana", for: "c") == .refused)
        #expect(scenario.obstacle("finn", for: "c") == .full)
        #expect(scenario.close("full") == [.goes("c", to: "finn")])
    }

    @Test func `after a pause back to the agent who gave it back, when no other is online`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("finn")], online: ["dana"])
        #expect(scenario.come("c") { $0.agents.refused = [.n("dana")] } == [])
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 30))
        #expect(scenario.wait(seconds: 29) == [])
        #expect(scenario.wait(seconds: 1) == [.goes("c", to: "dana")])
    }

    @Test func `once: an action is proposed once until the entry changes or it is retracted`() {
        var scenario = ContactCentreScenario()
        let entry = QueueEntry(
            conversation: .n("c"), skill: .n("general"),
            times: .init(queuedAt: scenario.now, unansweredSince: scenario.now))
        scenario.place(entry)
        #expect(scenario.engine.proposeActions(now: scenario.now) == [.goes("c", to: "dana")])
        #expect(scenario.load("dana") == 1000, "it counts as theirs already")
        #expect(scenario.engine.proposeActions(now: scenario.now) == [])
        scenario.engine.retract(.n("c"), now: scenario.now)
        #expect(scenario.load("dana") == 0)
        #expect(scenario.engine.proposeActions(now: scenario.now.adding(seconds: 1)) == [.goes("c", to: "dana")])
        scenario.place(entry)
        #expect(scenario.engine.proposeActions(now: scenario.now) == [.goes("c", to: "dana")])
        scenario.engine.remove(.n("c"))
        #expect(scenario.engine.proposeActions(now: scenario.now) == [])
        #expect(scenario.load("dana") == 0)
    }

    @Test func `more and more rarely when the log refuses it each time`() {
        var scenario = ContactCentreScenario()
        scenario.place(
            QueueEntry(
                conversation: .n("c"), skill: .n("general"),
                times: .init(queuedAt: scenario.now, unansweredSince: scenario.now)))
        var rests: [Int64] = []
        for _ in 0..<8 {
            #expect(scenario.engine.proposeActions(now: scenario.now) == [.goes("c", to: "dana")])
            scenario.engine.retract(.n("c"), now: scenario.now)
            scenario.engine.retract(.n("c"), now: scenario.now)
            #expect(scenario.engine.proposeActions(now: scenario.now) == [])
            #expect(scenario.obstacle("dana", for: "c") == .settled)
            rests.append(scenario.engine.nextDeadline!.milliseconds - scenario.now.milliseconds)
            scenario.now = scenario.engine.nextDeadline!
        }
        #expect(rests == [1, 2, 4, 8, 16, 32, 60, 60].map { $0 * 1000 })
    }

    @Test func `by the settings of that moment`() {
        var scenario = ContactCentreScenario([.test(), .test("sales")], [.test("dana", ["general"], capacity: 1)])
        scenario.come("a")
        #expect(scenario.come("b") == [])
        #expect(scenario.come("c", "sales") == [])
        scenario.engine.set(
            ContactCentreSettings(
                skills: [.test(), .test("sales")], people: [.test("dana", ["general", "sales"], capacity: 5)]),
            now: scenario.now)
        #expect(Set(scenario.settle()) == [.goes("b", to: "dana"), .goes("c", to: "dana")])
        #expect(scenario.load("dana") == 3000)
    }
}

@Suite struct `A change of the settings` {
    private static let seats: [Seat] = [.test("dana"), .test("finn")]

    private static func change(_ scenario: inout ContactCentreScenario, _ accept: AcceptMode = .auto) {
        scenario.engine.set(ContactCentreSettings(skills: [.test("general", accept)], people: seats), now: scenario.now)
    }

    @Test func `ends no call and no pause`() {
        var scenario = ContactCentreScenario([.test()], Self.seats, online: ["dana"])
        scenario.engine.set(inCall: true, of: .n("dana"))
        Self.change(&scenario)
        #expect(scenario.come("c") == [])
        #expect(scenario.obstacle("dana", for: "c") == .inCall)
        scenario.engine.set(inCall: false, of: .n("dana"))
        #expect(scenario.settle() == [.goes("c", to: "dana")])
        scenario.answer("c", ageMs: 7_200_001)
        scenario.close("c")
        Self.change(&scenario)
        #expect(scenario.come("d") == [])
        #expect(scenario.wait(seconds: 10) == [.goes("d", to: "dana")])
    }

    @Test func `keeps who had a conversation last, and who has been asked`() {
        var scenario = ContactCentreScenario([.test()], Self.seats)
        scenario.come("a")
        scenario.close("a")
        Self.change(&scenario)
        #expect(scenario.come("b") == [.goes("b", to: "finn")])
        var offer = ContactCentreScenario([.test("general", .offer)], Self.seats, online: ["dana"])
        offer.come("c")
        offer.decline("c", by: "dana")
        #expect(offer.wait(seconds: 30).count == 1, "the second round")
        offer.decline("c", by: "dana")
        Self.change(&offer, .offer)
        #expect(offer.settle() == [])
        #expect(offer.engine.nextDeadline == offer.now.adding(seconds: 60))
    }
}

@Suite struct `A new conversation` {
    private static let skills: [Skill] = [.test(), .test("sales") { $0.fallback = .n("general") }]

    @Test func `stays when an agent with its skill is online, even if they are full`() {
        var scenario = ContactCentreScenario(Self.skills, [.test("dana"), .test("finn", ["sales"], capacity: 0)])
        #expect(scenario.come("c", "sales") == [])
    }

    @Test func `stays when no agent with the fallback skill is online either`() {
        var scenario = ContactCentreScenario(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: [])
        #expect(scenario.come("c", "sales") == [])
        scenario.set(.occupied, "dana")
        #expect(scenario.settle() == [])
    }

    @Test(arguments: 0..<4) func `no longer counts as new once the brand has handled it`(change: Int) {
        var scenario = ContactCentreScenario(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: ["dana"])
        let actions = scenario.come("c", "sales") { entry in
            switch change {
            case 0: entry.priority.isFirst = false
            case 1: entry.priority.transfers = 1
            case 2: entry.agents.previous = .n("finn")
            default: entry.agents.reserved = .init(agent: .n("finn"), until: entry.times.queuedAt.adding(hours: 1))
            }
        }
        #expect(actions == [])
    }

    @Test func `goes to the fallback skill when no agent with its own is online`() {
        var scenario = ContactCentreScenario(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: ["dana"])
        #expect(scenario.come("c", "sales") == [.fallback("c", to: "general"), .goes("c", to: "dana")])
    }

    @Test func `goes there when the last agent leaves, or the first agent of the fallback comes online`() {
        var scenario = ContactCentreScenario(Self.skills, [.test("dana"), .test("finn", ["sales"], capacity: 0)])
        #expect(scenario.come("c", "sales") == [])
        scenario.set(.away, "finn")
        #expect(scenario.settle() == [.fallback("c", to: "general"), .goes("c", to: "dana")])
        scenario.set(.away, "dana")
        #expect(scenario.come("d", "sales") == [])
        scenario.set(.online, "dana")
        #expect(scenario.settle() == [.fallback("d", to: "general"), .goes("d", to: "dana")])
    }

    @Test func `waits like all others when an agent with its skill comes before actions were asked for`() {
        var scenario = ContactCentreScenario(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: ["dana"])
        scenario.place(
            QueueEntry(
                conversation: .n("c"), skill: .n("sales"),
                times: .init(queuedAt: scenario.now, unansweredSince: scenario.now)))
        scenario.set(.online, "finn")
        #expect(scenario.settle() == [.goes("c", to: "finn")])
    }
}
