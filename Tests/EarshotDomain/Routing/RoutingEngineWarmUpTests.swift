import EarshotDomain
import EarshotModel
import Testing

@Suite struct `The start of a shift` {
    private static func scenario(_ skill: Skill = .test(), capacity: Int = 3) -> ContactCentreScenario {
        var scenario = ContactCentreScenario([skill], [.test("dana", capacity: capacity)], online: []) {
            $0.capacity.warmUpSeconds = 20
        }
        scenario.set(.offline, "dana")
        for name in ["a", "b", "c", "d", "e"] { scenario.come(name) }
        return scenario
    }

    @Test func `gives one conversation at a time up to the capacity, and then all that fit`() {
        var scenario = Self.scenario()
        scenario.set(.online, "dana")
        #expect(scenario.settle() == [.goes("a", to: "dana")])
        #expect(scenario.obstacle("dana", for: "b") == .pausing)
        #expect(scenario.engine.nextDeadline == scenario.now.adding(seconds: 20))
        #expect(scenario.wait(seconds: 19, ms: 999) == [])
        #expect(scenario.wait(ms: 1) == [.goes("b", to: "dana")])
        #expect(scenario.wait(seconds: 20) == [.goes("c", to: "dana")])
        for name in ["a", "b"] { scenario.close(name) }
        #expect(
            scenario["d"].agents.assignee == .n("dana") && scenario["e"].agents.assignee == .n("dana"), "warm by now")
    }

    @Test func `offers one at a time, whatever becomes of each`() {
        var scenario = Self.scenario(.test("general", .offer))
        scenario.set(.online, "dana")
        let first = scenario.now
        #expect(scenario.settle() == [.rings("a", ["dana"], first.adding(seconds: 30))])
        #expect(scenario.decline("a", by: "dana") == [])
        #expect(scenario.wait(seconds: 20) == [.rings("b", ["dana"], first.adding(seconds: 50))])
    }

    @Test func `follows being offline: a break is none, nor is a start of the server`() {
        var scenario = Self.scenario()
        scenario.set(.away, "dana")
        scenario.set(.online, "dana")
        #expect(scenario.settle().count == 3)
        var other = ContactCentreScenario([.test()], [.test("dana")]) { $0.capacity.warmUpSeconds = 20 }
        for name in ["a", "b", "c"] { other.come(name) }
        #expect(other["c"].agents.assignee == .n("dana"))
    }

    @Test func `continues when the settings change, and ends when warm-up is switched off`() {
        var scenario = Self.scenario()
        scenario.set(.online, "dana")
        #expect(scenario.settle().count == 1)
        var centre = ContactCentreSettings(skills: [.test()], people: [.test("dana")])
        centre.capacity.warmUpSeconds = 20
        scenario.engine.set(centre, now: scenario.now)
        #expect(scenario.settle() == [])
        #expect(scenario.wait(seconds: 20) == [.goes("b", to: "dana")])
        centre.capacity.warmUpSeconds = nil
        scenario.engine.set(centre, now: scenario.now)
        #expect(scenario.wait(seconds: 20) == [.goes("c", to: "dana")])
    }
}
