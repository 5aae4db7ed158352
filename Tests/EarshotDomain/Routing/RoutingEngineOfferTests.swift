import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A ring` {
    private static let three: [Seat] = [.test("dana"), .test("finn"), .test("ines")]

    @Test func `goes to one, and when it ends to the next who has not been asked`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three)
        let start = scenario.now
        #expect(scenario.come("c") == [.rings("c", ["dana"], start.adding(seconds: 30))])
        #expect(scenario.engine.nextDeadline == start.adding(seconds: 30))
        #expect(scenario.wait(seconds: 29, ms: 999) == [])
        #expect(scenario.wait(ms: 1) == [.expiry("c", ["dana"]), .rings("c", ["finn"], start.adding(seconds: 60))])
        #expect(scenario.decline("c", by: "finn") == [.rings("c", ["ines"], start.adding(seconds: 60))])
        #expect(scenario.accept("c", by: "ines") == [])
        #expect(scenario.load("ines") == 1000 && scenario.load("dana") == 0)
    }

    @Test func `counts as an active conversation where it rings`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], [.test("dana", capacity: 1)])
        #expect(scenario.come("a").count == 1)
        #expect(scenario.load("dana") == 1000)
        #expect(scenario.engine.load(of: .n("dana"), now: scenario.now).offers == 1)
        #expect(scenario.come("b") == [])
        #expect(scenario.obstacle("dana", for: "b") == .full)
        #expect(scenario.decline("a", by: "dana") == [.rings("b", ["dana"], scenario.now.adding(seconds: 30))])
    }

    @Test func `to all begins anew after a rest that doubles, and never rings one person on and on`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], [.test("dana"), .test("finn")])
        var rings: [(agent: String, after: Int64)] = []
        let start = scenario.now
        for action in scenario.come("c") { Self.note(action, start, scenario.now, &rings) }
        while let next = scenario.engine.nextDeadline, next < start.adding(seconds: 2400) {
            scenario.now = next
            for action in scenario.settle() { Self.note(action, start, next, &rings) }
        }
        let rests = stride(from: 1, to: rings.count - 1, by: 2).map { rings[$0 + 1].after - rings[$0].after - 30 }
        #expect(rests == [30, 60, 120, 240, 480, 600])
        for round in stride(from: 0, to: rings.count - 1, by: 2) {
            #expect(Set(rings[round...round + 1].map(\.agent)) == ["dana", "finn"], "everybody once a round")
        }
    }

    private static func note(
        _ action: ProposedAction, _ start: Timestamp, _ now: Timestamp, _ rings: inout [(agent: String, after: Int64)]
    ) {
        if case .offer(let to, _, _) = action.action {
            rings.append((to[0].rawValue, (now.milliseconds - start.milliseconds) / 1000))
        }
    }

    @Test func `begins anew when it should, also when the consumer goes on writing`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three, online: ["dana"])
        scenario.come("c")
        #expect(scenario.decline("c", by: "dana") == [])
        #expect(scenario.wait(seconds: 20) == [])
        #expect(scenario.change("c") { $0.priority.unplayedMs = 9_000 } == [])
        #expect(scenario.wait(seconds: 10) == [.rings("c", ["dana"], scenario.now.adding(seconds: 30))])
    }

    @Test func `reaches somebody who comes while all others have refused, at once`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three, online: ["dana"])
        scenario.come("c")
        #expect(scenario.decline("c", by: "dana") == [])
        #expect(scenario.obstacle("dana", for: "c") == .settled, "it rests")
        scenario.set(.online, "finn")
        #expect(scenario.settle() == [.rings("c", ["finn"], scenario.now.adding(seconds: 30))])
    }

    @Test func `ends at once when nobody whom it rings at is there any more`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three)
        scenario.come("c")
        #expect(scenario["c"].agents.offer?.to == [.n("dana")], "the premise")
        scenario.set(.occupied, "dana")
        #expect(scenario.settle() == [], "they can still take it")
        scenario.set(.away, "dana")
        #expect(scenario.settle() == [.expiry("c", ["dana"]), .rings("c", ["finn"], scenario.now.adding(seconds: 30))])
    }

    @Test func `does not last for hours when the clock is set back, nor does a rest`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three, online: ["dana"])
        scenario.come("c")
        scenario.now = scenario.now.adding(hours: -1)
        #expect(scenario.settle() == [.expiry("c", ["dana"])], "then it rests, for dana was the only one")
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 30))
        scenario.now = scenario.now.adding(hours: -1)
        #expect(scenario.settle() == [])
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 30))
        #expect(scenario.wait(seconds: 30) == [.rings("c", ["dana"], scenario.now.adding(seconds: 30))])
    }

    @Test func `of all rings at everyone who is free, and goes on while one of them is left`() {
        var scenario = ContactCentreScenario(
            [.test("general", .offerToAll)], Self.three + [.test("jo", capacity: 0), .test("kim")],
            online: ["dana", "finn", "ines", "jo"])
        let until = scenario.now.adding(seconds: 30)
        #expect(scenario.come("c") == [.rings("c", ["dana", "finn", "ines"], until, .everyone)])
        #expect(scenario.decline("c", by: "dana") == [])
        #expect(scenario.decline("c", by: "ines") == [])
        #expect(scenario["c"].agents.offer?.to == [.n("finn")])
        #expect(scenario.load("dana") == 0 && scenario.load("finn") == 1000)
        #expect(scenario.accept("c", by: "finn") == [])
    }

    @Test func `of all may be one of several at the same agent, as far as their capacity goes`() {
        var scenario = ContactCentreScenario([.test("general", .offerToAll)], [.test("dana", capacity: 2), .test("finn", capacity: 1)])
        #expect(scenario.come("a").count == 1)
        #expect(scenario.come("b") == [.rings("b", ["dana"], scenario.now.adding(seconds: 30), .everyone)])
        #expect(scenario.come("c") == [])
    }

    @Test func `of all rings at no more than the limit`() {
        var scenario = ContactCentreScenario(
            [.test("general", .offerToAll)], (0..<(RoutingEngine.offersAtOnce + 5)).map { .test("agent\($0)") })
        guard case .offer(let to, _, .everyone)? = scenario.come("c").first?.action else { return #expect(Bool(false)) }
        #expect(to.count == RoutingEngine.offersAtOnce)
    }

    @Test func `goes on after a restart, and ends when it would have ended`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three)
        scenario.come("c")
        _ = scenario.wait(seconds: 20)
        var again = RoutingEngine(centre: ContactCentreSettings(skills: [.test("general", .offer)], people: Self.three))
        for name in ["dana", "finn", "ines"] {
            again.set(Presence(state: .online, since: scenario.now), of: .n(name), now: scenario.now)
        }
        again.update(scenario["c"], now: scenario.now)
        #expect(again.proposeActions(now: scenario.now) == [])
        #expect(again.nextDeadline == scenario.now.adding(seconds: 10))
        #expect(again.proposeActions(now: scenario.now.adding(seconds: 10)) == [.expiry("c", ["dana"])])
    }
}

@Suite struct `What is meant for one agent` {
    private static func scenario(_ accept: AcceptMode = .auto, finn: Presence.State) -> ContactCentreScenario {
        var scenario = ContactCentreScenario(
            [.test("general", accept)], [.test("dana"), .test("finn", ["general"], capacity: 1)], online: ["dana"])
        scenario.set(finn, "finn")
        return scenario
    }

    private static func meant(_ entry: inout QueueEntry) {
        entry.agents.reserved = .init(agent: .n("finn"), until: entry.times.queuedAt.adding(hours: 2))
    }

    @Test(arguments: [.away, .offline] as [Presence.State])
    func `waits while they are not there, and goes to all when its time is over`(
        state: Presence.State
    ) {
        var scenario = Self.scenario(finn: state)
        #expect(scenario.come("c", "general", Self.meant) == [])
        #expect(scenario.wait(seconds: 7199) == [])
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 1))
        #expect(scenario.wait(seconds: 1) == [.release("c", .notTaken), .goes("c", to: "dana")])
    }

    @Test func `goes to all when they decline it, or let it ring`() {
        var scenario = Self.scenario(.offer, finn: .occupied)
        let start = scenario.now
        #expect(scenario.come("c", "general", Self.meant) == [.rings("c", ["finn"], start.adding(seconds: 30), .reserved)])
        #expect(
            scenario.decline("c", by: "finn") == [
                .release("c", .declined), .rings("c", ["dana"], start.adding(seconds: 30)),
            ])
        #expect(scenario.come("d", "general", Self.meant).count == 1)
        #expect(scenario.wait(seconds: 30).contains(.release("d", .declined)))
    }

    @Test func `is all that somebody occupied gets`() {
        var scenario = Self.scenario(finn: .occupied)
        scenario.set(.away, "dana")
        #expect(scenario.come("a") == [])
        #expect(scenario.obstacle("finn", for: "a") == .occupied)
        #expect(scenario.come("b", "general", Self.meant) == [.goes("b", to: "finn", .reserved)])
    }

    @Test func `waits until they have room for it, and then goes first`() {
        var scenario = Self.scenario(finn: .online)
        scenario.set(.away, "dana")
        scenario.come("a")
        #expect(scenario["a"].agents.assignee == .n("finn"), "the premise")
        scenario.come("b")
        #expect(scenario.come("c", "general", Self.meant) == [])
        #expect(scenario.obstacle("finn", for: "c") == .full)
        #expect(scenario.close("a") == [.goes("c", to: "finn", .reserved)])
    }

    @Test func `must fit what they have, at their own speed and not at the fastest one's`() {
        var scenario = ContactCentreScenario([.test()], [.test("slow", capacity: 2), .test("fast", speed: 200)], online: ["slow"])
        scenario.come("a")
        scenario.answer("a")
        _ = scenario.wait(seconds: 600)
        #expect(scenario.load("slow") == 100, "the premise: room for 2.4")
        func meant(_ entry: inout QueueEntry) {
            entry.agents.reserved = .init(agent: .n("slow"), until: entry.times.queuedAt.adding(hours: 2))
        }
        #expect(
            scenario.come("heavy") {
                meant(&$0)
                $0.priority.unplayedMs = 600_000
            } == [], "3.0 at their speed, 2.0 at the other's")
        #expect(scenario.come("light") { meant(&$0) } == [.goes("light", to: "slow", .reserved)])
    }

    @Test func `goes to who has not the skill, too, and to a manager without a seat`() {
        var scenario = ContactCentreScenario([.test(), .test("sales")], [.test("dana"), .test("finn")])
        scenario.set(.online, "boss")
        let until = scenario.now.adding(hours: 2)
        #expect(
            scenario.come("c", "sales") { $0.agents.reserved = .init(agent: .n("finn"), until: until) } == [
                .goes("c", to: "finn", .reserved)
            ])
        #expect(
            scenario.come("d", "sales") { $0.agents.reserved = .init(agent: .n("boss"), until: until) } == [
                .goes("d", to: "boss", .reserved)
            ])
    }
}
