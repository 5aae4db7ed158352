import EarshotDomain
import EarshotModel
import Testing

@Suite struct `The capacity of an agent` {
    @Test func `of 3, two active and one idle make 2.1: one more is accepted, 3.1 is within slack, and no other`() {
        var hall = Hall()
        for name in ["a", "b", "idle"] { hall.come(name) }
        hall.answer("idle")
        _ = hall.wait(seconds: 600)
        #expect(hall.load("dana") == 2100, "the premise")
        #expect(hall.come("c") == [.goes("c", to: "dana")])
        #expect(hall.load("dana") == 3100)
        #expect(hall.come("d") == [])
        #expect(hall.obstacle("dana", for: "d") == .full)
    }

    @Test(arguments: [(500, 1), (499, 0)]) func `may be exceeded by the slack and no more`(slack: Int, accepted: Int) {
        var hall = Hall([.test()], [.test("dana", capacity: 2)]) {
            ($0.capacity.slack, $0.capacity.idle) = (slack, 500)
        }
        hall.come("a")
        hall.come("b")
        hall.answer("b")
        _ = hall.wait(seconds: 600)
        #expect(hall.load("dana") == 1500, "the premise: with one more it is half a conversation over")
        #expect(hall.come("c").count == accepted)
    }

    @Test func `comes free by itself as a conversation wanes, at the moment that the engine names`() {
        var hall = Hall([.test()], [.test("dana", capacity: 1)])
        hall.come("a")
        hall.come("b")
        #expect(hall.answer("a") == [])
        let answered = hall.now
        var moves: [Move] = []
        while moves.isEmpty, let next = hall.engine.nextMoment {
            hall.now = next
            moves = hall.settle()
        }
        #expect(moves == [.goes("b", to: "dana")])
        #expect(hall.now == answered.adding(seconds: 360), "0.46 and a whole one are within 1.5")
    }

    @Test func `is full again when a consumer writes, and what is theirs stays theirs`() {
        var hall = Hall([.test()], [.test("dana", capacity: 1)])
        hall.come("a")
        hall.answer("a")
        _ = hall.wait(seconds: 600)
        hall.come("b")
        let now = hall.now
        #expect(hall.change("a") { $0.unansweredSince = now } == [])
        #expect(hall.load("dana") == 2000)
        #expect(hall["a"].assignee == .n("dana") && hall["b"].assignee == .n("dana"))
    }

    @Test func `is taken by unplayed voice at the agent's own speed`() {
        var hall = Hall([.test()], [.test("slow"), .test("fast", speed: 200)])
        let voice = 750_000
        #expect(
            hall.come("a") { ($0.previous, $0.unplayedMs) = (.n("slow"), voice) } == [
                .goes("a", to: "slow", .previousAgent)
            ])
        #expect(
            hall.come("b") { ($0.previous, $0.unplayedMs) = (.n("fast"), voice) } == [
                .goes("b", to: "fast", .previousAgent)
            ])
        #expect(hall.load("slow") == 3500)
        #expect(hall.load("fast") == 2250)
        #expect(hall.come("c") == [.goes("c", to: "fast")])
    }

    @Test func `must hold what is to be played, too, but for an overdue conversation and for who has nothing to do`() {
        var hall = Hall([.test()], [.test("dana", capacity: 2)])
        #expect(
            hall.come("a") { $0.unplayedMs = 1_200_000 } == [.goes("a", to: "dana")], "5.0, but she had nothing to do")
        hall.answer("a")
        _ = hall.wait(seconds: 600)
        #expect(hall.load("dana") == 100)
        #expect(hall.come("b") { $0.unplayedMs = 600_000 } == [], "0.1 and 3.0 are more than 2.5")
        #expect(hall.obstacle("dana", for: "b") == .full)
        #expect(hall.come("c") == [.goes("c", to: "dana")], "a lighter one behind it goes")
        hall.answer("c")
        _ = hall.wait(seconds: 599)
        #expect(hall["b"].assignee == nil)
        #expect(hall.wait(seconds: 1) == [.goes("b", to: "dana")], "now it is overdue")
    }
}

@Suite struct `The backlog` {
    @Test
    func `the answer to a message of more than two hours makes it light at once, and the next comes ten seconds later`()
    {
        var hall = Hall([.test()], [.test("dana", capacity: 1)])
        hall.come("old")
        hall.come("next")
        _ = hall.wait(seconds: 10)
        #expect(hall.answer("old", ageMs: 7_200_001) == [])
        #expect(hall.load("dana") == 100)
        #expect(hall.obstacle("dana", for: "next") == .pausing)
        #expect(hall.engine.nextMoment == hall.now.adding(seconds: 10))
        #expect(hall.wait(seconds: 9, ms: 999) == [])
        #expect(hall.wait(ms: 1) == [.goes("next", to: "dana")])
    }

    @Test func `a pause lasts until the last such answer's is over, whatever happens to the others`() {
        var hall = Hall()
        hall.come("first")
        hall.come("second")
        hall.answer("first", ageMs: 7_200_001)
        _ = hall.wait(seconds: 5)
        hall.answer("second", ageMs: 7_200_001)
        hall.change("first") { $0.transfers = 1 }
        #expect(hall.come("next") == [])
        #expect(hall.wait(seconds: 9, ms: 999) == [])
        #expect(hall.wait(ms: 1) == [.goes("next", to: "dana")])
    }

    @Test func `a pause does not last for hours when the clock is set back`() {
        var hall = Hall()
        hall.come("old")
        hall.answer("old", ageMs: 7_200_001)
        #expect(hall.come("next") == [])
        hall.now = hall.now.adding(hours: -1)
        #expect(hall.settle() == [.goes("next", to: "dana")])
    }

    @Test func `a pause lasts though its conversation closes, and holds back what is meant for them`() {
        var hall = Hall()
        hall.come("old")
        hall.answer("old", ageMs: 7_200_001)
        #expect(hall.close("old") == [])
        let until = hall.now.adding(hours: 1)
        #expect(hall.come("next") { $0.reserved = .init(agent: .n("dana"), until: until) } == [])
        #expect(hall.wait(seconds: 10) == [.goes("next", to: "dana", .reserved)])
    }
}

@Suite struct `Manual SLA` {
    @Test func `45 min with a threshold of 30 makes room now`() {
        var hall = Hall([.test()], [.test("dana", capacity: 1)])
        hall.come("a")
        hall.come("b")
        let now = hall.now
        #expect(
            hall.change("a") {
                ($0.callback, $0.answeredAt) = (.init(madeAt: now, until: now.adding(minutes: 45)), now)
            } == [.goes("b", to: "dana")])
        #expect(hall.load("dana") == 1100)
    }

    @Test func `an hour at 10, back in the queue: nobody gets it before 10:50`() {
        var hall = Hall()
        let ten = hall.now
        #expect(ten == at("2026-11-22T10:00:00Z"), "the premise")
        #expect(
            hall.come("c") { ($0.callback, $0.isFirst) = (.init(madeAt: ten, until: ten.adding(hours: 1)), false) }
                == [])
        #expect(hall.engine.position(of: .n("c")) == 1, "it waits")
        #expect(hall.engine.due(of: .n("c")) == ten.adding(hours: 1))
        #expect(hall.engine.nextMoment == ten.adding(minutes: 50))
        #expect(hall.wait(seconds: 50 * 60 - 1, ms: 999) == [])
        #expect(hall.wait(ms: 1) == [.goes("c", to: "dana")])
    }
}
