import EarshotDomain
import EarshotModel
import Testing

@Suite struct `An agent who does not answer` {
    /// Dana has a conversation whose consumer waits since now.
    private static func scenario(_ silence: Silence = Silence()) -> ContactCentreScenario {
        var scenario = ContactCentreScenario { $0.silence = silence }
        scenario.come("c")
        return scenario
    }

    @Test func `keeps conversations that wait for the consumer, however long, in every state`() {
        for state in Presence.State.allCases {
            var scenario = Self.scenario()
            scenario.answer("c")
            scenario.set(state, "dana")
            #expect(scenario.wait(seconds: 1_000_000) == [], "\(state)")
        }
    }

    @Test(arguments: Presence.State.allCases) func `keeps everything where the brand says never`(state: Presence.State)
    {
        var scenario = Self.scenario(
            Silence(
                onlineSeconds: state == .online || state == .occupied ? nil : 900, awaySeconds: nil, offlineSeconds: nil
            ))
        scenario.set(state, "dana")
        #expect(scenario.wait(seconds: 1_000_000) == [])
    }

    @Test func `whose presence is unknown keeps it`() {
        var scenario = ContactCentreScenario(online: [])
        scenario.come("c") { $0.agents.assignee = .n("dana") }
        #expect(scenario.wait(seconds: 1_000_000) == [])
    }

    @Test(
        arguments: [
            (.online, 900, .silentOnline), (.occupied, 900, .silentOnline), (.away, 300, .silentAway),
            (.offline, 60, .silentOffline),
        ]
            as [(Presence.State, Int, RoutingAction.Reason)])
    func `loses it after the time of their state, and is not the next to get it`(
        state: Presence.State, seconds: Int, why: RoutingAction.Reason
    ) {
        var scenario = Self.scenario()
        scenario.set(state, "dana")
        #expect(scenario.settle() == [])
        #expect(scenario.wait(seconds: seconds, ms: -1) == [])
        #expect(scenario.engine.nextDeadline == scenario.now.adding(milliseconds: 1))
        #expect(scenario.wait(ms: 1) == [.requeue("c", why)])
        #expect(scenario["c"].agents.refused == [.n("dana")])
    }

    @Test func `has the time from when they got it, and from when they left`() {
        var scenario = Self.scenario()
        let now = scenario.now
        scenario.change("c") { $0.times.unansweredSince = now.adding(hours: -3) }
        #expect(scenario.wait(seconds: 600) == [])
        scenario.set(.offline, "dana")
        #expect(scenario.wait(seconds: 59) == [], "a page that is reloaded loses nothing")
        #expect(scenario.wait(seconds: 1) == [.requeue("c", .silentOffline)])
    }

    @Test func `never gets more time by going away`() {
        var scenario = Self.scenario()
        _ = scenario.wait(seconds: 800)
        scenario.set(.away, "dana")
        #expect(scenario.wait(seconds: 99) == [])
        #expect(scenario.wait(seconds: 1) == [.requeue("c", .silentAway)])
    }

    @Test func `keeps it by coming back in time, or by answering`() {
        var scenario = Self.scenario()
        scenario.set(.offline, "dana")
        #expect(scenario.wait(seconds: 59) == [])
        scenario.set(.online, "dana")
        #expect(scenario.wait(seconds: 800) == [])
        scenario.answer("c")
        #expect(scenario.wait(seconds: 100_000) == [])
    }

    @Test func `who promised a callback has until then, and the usual time after it`() {
        var scenario = Self.scenario()
        let now = scenario.now
        scenario.change("c") {
            ($0.times.callback, $0.times.unansweredSince) = (.init(madeAt: now, until: now.adding(minutes: 45)), nil)
        }
        #expect(scenario.wait(seconds: 59 * 60 + 59) == [])
        #expect(scenario.wait(seconds: 1) == [.requeue("c", .silentOnline)])
    }

    @Test func `who promised a callback and left loses it in time for another agent to keep the promise`() {
        var scenario = Self.scenario()
        let now = scenario.now
        scenario.change("c") { $0.times.callback = .init(madeAt: now, until: now.adding(minutes: 45)) }
        scenario.set(.offline, "dana")
        #expect(scenario.wait(seconds: 36 * 60 - 1) == [])
        #expect(scenario.wait(seconds: 1) == [.requeue("c", .silentOffline)])
    }

    @Test func `loses it once`() {
        var scenario = Self.scenario()
        scenario.now = scenario.now.adding(seconds: 900)
        #expect(scenario.engine.proposeActions(now: scenario.now) == [.requeue("c", .silentOnline)])
        #expect(scenario.load("dana") == 0, "it counts as done")
        #expect(scenario.engine.proposeActions(now: scenario.now.adding(seconds: 900)) == [])
        scenario.now = scenario.now.adding(seconds: 900)
        scenario.engine.retract(.n("c"), now: scenario.now)
        #expect(scenario.engine.proposeActions(now: scenario.now) == [])
        #expect(scenario.engine.proposeActions(now: scenario.now.adding(seconds: 1)) == [.requeue("c", .silentOnline)])
    }
}

@Suite struct `A person whose account is disabled` {
    @Test func `gets no offer and no conversation`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], [.test("dana"), .test("omar")])
        let first = scenario.come("c")
        #expect(first == [.rings("c", ["dana"], scenario.now.adding(seconds: 30))], "the premise: it rings at dana")
        scenario.switchOff("dana")
        #expect(
            scenario.settle() == [.expiry("c", ["dana"]), .rings("c", ["omar"], scenario.now.adding(seconds: 30))],
            "at once")
        scenario.switchOff("omar")
        #expect(scenario.settle() == [.expiry("c", ["omar"])])
        #expect(scenario.come("d") == [])
        #expect(scenario.load("omar") == 0)
    }

    @Test(arguments: [Silence(), Silence(onlineSeconds: 30), Silence(onlineSeconds: nil)])
    func `loses their conversations as an offline agent does`(silence: Silence) {
        for isSwitchedOff in [false, true] {
            var scenario = ContactCentreScenario { $0.silence = silence }
            scenario.come("c")
            _ = scenario.wait(seconds: 20)
            if isSwitchedOff { scenario.switchOff("dana") } else { scenario.set(.offline, "dana") }
            let seconds = silence.onlineSeconds == 30 ? 10 : 60
            #expect(scenario.settle() + scenario.wait(seconds: seconds, ms: -1) == [], "\(isSwitchedOff)")
            #expect(scenario.wait(ms: 1) == [.requeue("c", .silentOffline)], "\(isSwitchedOff)")
        }
    }

    @Test func `keeps nothing even where the brand lets offline agents keep everything`() {
        var scenario = ContactCentreScenario {
            $0.silence = Silence(onlineSeconds: nil, awaySeconds: nil, offlineSeconds: nil)
        }
        scenario.come("c")
        scenario.set(.offline, "dana")
        #expect(scenario.wait(seconds: 1_000_000) == [], "the premise")
        scenario.switchOff("dana")
        #expect(scenario.settle() == [.requeue("c", .silentOffline)])
    }

    @Test func `keeps conversations that wait for the consumer until the consumer writes`() {
        var scenario = ContactCentreScenario()
        scenario.come("c")
        scenario.answer("c")
        scenario.switchOff("dana")
        #expect(scenario.wait(seconds: 100_000) == [])
        let now = scenario.now
        #expect(scenario.change("c") { $0.times.unansweredSince = now } == [])
        #expect(scenario.wait(seconds: 60) == [.requeue("c", .silentOffline)])
    }

    @Test func `loses their reservations`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("omar")], online: ["omar"])
        scenario.set(.offline, "dana")
        let until = scenario.now.adding(hours: 2)
        #expect(
            scenario.come("c") { $0.agents.reserved = .init(agent: .n("dana"), until: until) } == [],
            "the premise: it waits for dana")
        scenario.switchOff("dana")
        #expect(scenario.settle() == [.release("c", .notTaken), .goes("c", to: "omar")])
        #expect(
            scenario.come("d") { $0.agents.reserved = .init(agent: .n("dana"), until: until) }.first
                == .release("d", .notTaken), "one that was in flight")
    }

    @Test func `stays disabled when the settings change, and is back when enabled`() {
        var scenario = ContactCentreScenario()
        scenario.switchOff("dana")
        scenario.engine.set(
            ContactCentreSettings(skills: [.test()], people: [.test("dana")], silence: Silence(offlineSeconds: nil)),
            now: scenario.now)
        let until = scenario.now.adding(hours: 2)
        #expect(
            scenario.come("c") { $0.agents.reserved = .init(agent: .n("dana"), until: until) }.first
                == .release("c", .notTaken))
        scenario.set(.online, "dana")
        #expect(scenario.settle() == [.goes("c", to: "dana")])
    }
}

@Suite struct `A person whose profile does not let them answer` {
    private static func scenario(_ accept: AcceptMode) -> ContactCentreScenario {
        var scenario = ContactCentreScenario([.test("general", accept)], [.test("dana"), .test("omar")])
        scenario.allow("dana", answering: false)
        return scenario
    }

    @Test(arguments: [AcceptMode.auto, .offer, .offerToAll])
    func `gets nothing, though they are online and everyone else is busy`(accept: AcceptMode) {
        var scenario = Self.scenario(accept)
        let until = scenario.now.adding(seconds: 30)
        let expected: ProposedAction =
            switch accept {
            case .auto: .goes("c", to: "omar")
            case .offer: .rings("c", ["omar"], until)
            case .offerToAll: .rings("c", ["omar"], until, .everyone)
            }
        #expect(scenario.come("c") == [expected])
        scenario.set(.away, "omar")
        _ = scenario.settle()
        #expect(scenario.come("d") { $0.agents.previous = .n("dana") } == [], "nor as the agent of the last time")
        #expect(scenario.load("dana") == 0)
        #expect(scenario.obstacle("dana", for: "d") == .noPermission)
        #expect(scenario.engine.counts(now: scenario.now)[.n("general")]?.online == 0)
        scenario.allow("dana", answering: true)
        #expect(scenario.settle().contains { $0.conversation == .n("d") }, "the permission came back")
    }

    @Test func `does not keep a new conversation from the fallback skill`() {
        let skills = [Skill.test("general"), .test("orders") { $0.fallback = .n("general") }]
        var scenario = ContactCentreScenario(skills, [.test("dana", ["orders"]), .test("omar")])
        scenario.allow("dana", answering: false)
        #expect(scenario.come("c", "orders") == [.fallback("c", to: "general"), .goes("c", to: "omar")])
    }

    @Test func `loses an offer at once when the permission is taken away`() {
        var scenario = ContactCentreScenario([.test("general", .offer)], [.test("dana"), .test("omar")])
        let until = scenario.now.adding(seconds: 30)
        #expect(scenario.come("c") == [.rings("c", ["dana"], until)], "the premise: it rings at dana")
        scenario.allow("dana", answering: false)
        #expect(scenario.settle() == [.withdrawal("c", ["dana"]), .rings("c", ["omar"], until)])
    }

    @Test(arguments: [false, true])
    func `loses a conversation at once, whether or not its consumer waits`(isAnswered: Bool) {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("omar")], online: ["dana"])
        #expect(scenario.come("c") == [.goes("c", to: "dana")], "the premise: it is dana's")
        if isAnswered { scenario.answer("c") }
        scenario.set(.online, "omar")
        scenario.allow("dana", answering: false)
        #expect(scenario.settle() == [.withdrawal("c", ["dana"]), .goes("c", to: "omar")])
    }

    @Test func `loses a reservation at once, also over a change of the settings`() {
        var scenario = ContactCentreScenario([.test()], [.test("dana"), .test("omar")], online: ["omar"])
        scenario.set(.away, "dana")
        let until = scenario.now.adding(hours: 2)
        #expect(
            scenario.come("c") { $0.agents.reserved = .init(agent: .n("dana"), until: until) } == [],
            "the premise: it waits for dana")
        scenario.allow("dana", answering: false)
        #expect(scenario.settle() == [.withdrawal("c", ["dana"]), .goes("c", to: "omar")])
        scenario.engine.set(
            ContactCentreSettings(skills: [.test()], people: [.test("dana"), .test("omar")]), now: scenario.now)
        #expect(
            scenario.come("d") { $0.agents.reserved = .init(agent: .n("dana"), until: until) }.first
                == .withdrawal("d", ["dana"]))
    }
}
