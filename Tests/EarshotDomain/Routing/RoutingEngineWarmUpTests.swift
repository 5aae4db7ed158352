import EarshotDomain
import EarshotModel
import Testing

@Suite struct `The begin of a shift` {
    private static func hall(_ skill: Skill = .test(), capacity: Int = 3) -> Hall {
        var hall = Hall([skill], [.test("dana", capacity: capacity)], online: []) { $0.capacity.warmUpSeconds = 20 }
        hall.set(.offline, "dana")
        for name in ["a", "b", "c", "d", "e"] { hall.come(name) }
        return hall
    }

    @Test func `gives one conversation after the other, as many as the capacity, and then all that fit`() {
        var hall = Self.hall()
        hall.set(.online, "dana")
        #expect(hall.settle() == [.goes("a", to: "dana")])
        #expect(hall.obstacle("dana", for: "b") == .pausing)
        #expect(hall.engine.nextMoment == hall.now.adding(seconds: 20))
        #expect(hall.wait(seconds: 19, ms: 999) == [])
        #expect(hall.wait(ms: 1) == [.goes("b", to: "dana")])
        #expect(hall.wait(seconds: 20) == [.goes("c", to: "dana")])
        for name in ["a", "b"] { hall.close(name) }
        #expect(hall["d"].assignee == .n("dana") && hall["e"].assignee == .n("dana"), "warm by now")
    }

    @Test func `rings one after the other, whatever becomes of each`() {
        var hall = Self.hall(.test("general", .offer))
        hall.set(.online, "dana")
        let first = hall.now
        #expect(hall.settle() == [.rings("a", ["dana"], first.adding(seconds: 30))])
        #expect(hall.decline("a", by: "dana") == [])
        #expect(hall.wait(seconds: 20) == [.rings("b", ["dana"], first.adding(seconds: 50))])
    }

    @Test func `is where somebody was offline: a break is none, nor is a start of the server`() {
        var hall = Self.hall()
        hall.set(.away, "dana")
        hall.set(.online, "dana")
        #expect(hall.settle().count == 3)
        var other = Hall([.test()], [.test("dana")]) { $0.capacity.warmUpSeconds = 20 }
        for name in ["a", "b", "c"] { other.come(name) }
        #expect(other["c"].assignee == .n("dana"))
    }

    @Test func `goes on where it was when the settings change, and is over when it is switched off`() {
        var hall = Self.hall()
        hall.set(.online, "dana")
        #expect(hall.settle().count == 1)
        var centre = ContactCentreSettings(skills: [.test()], people: [.test("dana")])
        centre.capacity.warmUpSeconds = 20
        hall.engine.set(centre, now: hall.now)
        #expect(hall.settle() == [])
        #expect(hall.wait(seconds: 20) == [.goes("b", to: "dana")])
        centre.capacity.warmUpSeconds = nil
        hall.engine.set(centre, now: hall.now)
        #expect(hall.wait(seconds: 20) == [.goes("c", to: "dana")])
    }
}
