import EarshotDomain
import EarshotModel
import Testing

@Suite struct `An offer` {
    private static let three: [Seat] = [.test("dana"), .test("finn"), .test("ines")]

    @Test func `goes to one agent, and after it expires to the next who was not asked`() {
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

    @Test func `counts as an active conversation for the agent who has it`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], [.test("dana", capacity: 1)])
        #expect(scenario.come("a").count == 1)
        #expect(scenario.load("dana") == 1000)
        #expect(scenario.engine.load(of: .n("dana"), now: scenario.now).offers == 1)
        #expect(scenario.come("b") == [])
        #expect(scenario.obstacle("dana", for: "b") == .full)
        #expect(scenario.decline("a", by: "dana") == [.rings("b", ["dana"], scenario.now.adding(seconds: 30))])
    }

    @Test func `to all is repeated after a pause that doubles, and never goes to one person again and again`() {
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

    @Test func `is repeated on time, also when the consumer goes on writing`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three, online: ["dana"])
        scenario.come("c")
        #expect(scenario.decline("c", by: "dana") == [])
        #expect(scenario.wait(seconds: 20) == [])
        #expect(scenario.change("c") { $0.priority.unplayedMs = 9_000 } == [])
        #expect(scenario.wait(seconds: 10) == [.rings("c", ["dana"], scenario.now.adding(seconds: 30))])
    }

    @Test func `goes at once to an agent who comes online after all others refused`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three, online: ["dana"])
        scenario.come("c")
        #expect(scenario.decline("c", by: "dana") == [])
        #expect(scenario.obstacle("dana", for: "c") == .settled, "it rests")
        scenario.set(.online, "finn")
        #expect(scenario.settle() == [.rings("c", ["finn"], scenario.now.adding(seconds: 30))])
    }

    @Test func `expires at once when every agent who has it has left`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], Self.three)
        scenario.come("c")
        #expect(scenario["c"].agents.offer?.to == [.n("dana")], "the premise")
        scenario.set(.occupied, "dana")
        #expect(scenario.settle() == [], "they can still take it")
        scenario.set(.away, "dana")
        #expect(scenario.settle() == [.expiry("c", ["dana"]), .rings("c", ["finn"], scenario.now.adding(seconds: 30))])
    }

    @Test func `does not last for hours when the clock is set back, nor does a pause`() {
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

    @Test func `to all goes to every free agent, and stays open while one of them has not declined`() {
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

    @Test func `to all may be one of several for the same agent, within their capacity`() {
        var scenario = ContactCentreScenario(
            [.test("general", .offerToAll)], [.test("dana", capacity: 2), .test("finn", capacity: 1)])
        #expect(scenario.come("a").count == 1)
        #expect(scenario.come("b") == [.rings("b", ["dana"], scenario.now.adding(seconds: 30), .everyone)])
        #expect(scenario.come("c") == [])
    }

    @Test func `to all goes to no more agents than the limit`() {
        var scenario = ContactCentreScenario(
            [.test("general", .offerToAll)], (0..<(RoutingEngine.offersAtOnce + 5)).map { .test("agent\($0)") })
        guard case .offer(let to, _, .everyone)? = scenario.come("c").first?.action else { return #expect(Bool(false)) }
        #expect(to.count == RoutingEngine.offersAtOnce)
    }

    @Test func `continues after a restart, and expires when it would have expired`() {
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

@Suite struct `A conversation that is reserved for one agent` {
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
    func `waits while they are away, and may go to anyone after the reservation ends`(
        state: Presence.State
    ) {
        var scenario = Self.scenario(finn: state)
        #expect(scenario.come("c", "general", Self.meant) == [])
        #expect(scenario.wait(seconds: 7199) == [])
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 1))
        #expect(scenario.wait(seconds: 1) == [.release("c", .notTaken), .goes("c", to: "dana")])
    }

    @Test func `may go to anyone after they decline it or let the offer expire`() {
        var scenario = Self.scenario(.offer, finn: .occupied)
        let start = scenario.now
        #expect(
            scenario.come("c", "general", Self.meant) == [.rings("c", ["finn"], start.adding(seconds: 30), .reserved)])
        #expect(
            scenario.decline("c", by: "finn") == [
                .release("c", .declined), .rings("c", ["dana"], start.adding(seconds: 30)),
            ])
        #expect(scenario.come("d", "general", Self.meant).count == 1)
        #expect(scenario.wait(seconds: 30).contains(.release("d", .declined)))
    }

    @Test func `is the only kind that an occupied agent gets`() {
        var scenario = Self.scenario(finn: .occupied)
        scenario.set(.away, "dana")
        #expect(scenario.come("a") == [])
        #expect(scenario.obstacle("finn", for: "a") == .occupied)
        #expect(scenario.come("b", "general", Self.meant) == [.goes("b", to: "finn", .reserved)])
    }

    @Test func `waits until they have room, and then goes first`() {
        var scenario = Self.scenario(finn: .online)
        scenario.set(.away, "dana")
        scenario.come("a")
        #expect(scenario["a"].agents.assignee == .n("finn"), "the premise")
        scenario.come("b")
        #expect(scenario.come("c", "general", Self.meant) == [])
        #expect(scenario.obstacle("finn", for: "c") == .full)
        #expect(scenario.close("a") == [.goes("c", to: "finn", .reserved)])
    }

    @Test func `needs room at their own listening speed, not at the fastest one's`() {
        var scenario = ContactCentreScenario(
            [.test()], [.test("slow", capacity: 2), .test("fast", speed: 200)], online: ["slow"])
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

    @Test func `goes also to an agent without the skill, and to a manager without a seat`() {
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
