import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A ring` {
    private static let three: [Seat] = [.test("dana"), .test("finn"), .test("ines")]

    @Test func `goes to one, and when it ends to the next who has not been asked`() {
        var hall = Hall([.test("general", .offer)], Self.three)
        let start = hall.now
        #expect(hall.come("c") == [.rings("c", ["dana"], start.adding(seconds: 30))])
        #expect(hall.engine.nextMoment == start.adding(seconds: 30))
        #expect(hall.wait(seconds: 29, ms: 999) == [])
        #expect(hall.wait(ms: 1) == [.lapse(.n("c")), .rings("c", ["finn"], start.adding(seconds: 60))])
        #expect(hall.decline("c", by: "finn") == [.rings("c", ["ines"], start.adding(seconds: 60))])
        #expect(hall.accept("c", by: "ines") == [])
        #expect(hall.load("ines") == 1000 && hall.load("dana") == 0)
    }

    @Test func `counts as an active conversation where it rings`() {
        var hall = Hall([.test("general", .offer)], [.test("dana", capacity: 1)])
        #expect(hall.come("a").count == 1)
        #expect(hall.load("dana") == 1000)
        #expect(hall.engine.load(of: .n("dana"), now: hall.now).ringing == 1)
        #expect(hall.come("b") == [])
        #expect(hall.obstacle("dana", for: "b") == .full)
        #expect(hall.decline("a", by: "dana") == [.rings("b", ["dana"], hall.now.adding(seconds: 30))])
    }

    @Test func `to all begins anew after a rest that doubles, and never rings one person on and on`() {
        var hall = Hall([.test("general", .offer)], [.test("dana"), .test("finn")])
        var rings: [(agent: String, after: Int64)] = []
        let start = hall.now
        for move in hall.come("c") { Self.note(move, start, hall.now, &rings) }
        while let next = hall.engine.nextMoment, next < start.adding(seconds: 2400) {
            hall.now = next
            for move in hall.settle() { Self.note(move, start, next, &rings) }
        }
        let rests = stride(from: 1, to: rings.count - 1, by: 2).map { rings[$0 + 1].after - rings[$0].after - 30 }
        #expect(rests == [30, 60, 120, 240, 480, 600])
        for round in stride(from: 0, to: rings.count - 1, by: 2) {
            #expect(Set(rings[round...round + 1].map(\.agent)) == ["dana", "finn"], "everybody once a round")
        }
    }

    private static func note(
        _ move: Move, _ start: Timestamp, _ now: Timestamp, _ rings: inout [(agent: String, after: Int64)]
    ) {
        if case .offer(_, let to, _, _) = move {
            rings.append((to[0].rawValue, (now.milliseconds - start.milliseconds) / 1000))
        }
    }

    @Test func `begins anew when it should, also when the consumer goes on writing`() {
        var hall = Hall([.test("general", .offer)], Self.three, online: ["dana"])
        hall.come("c")
        #expect(hall.decline("c", by: "dana") == [])
        #expect(hall.wait(seconds: 20) == [])
        #expect(hall.change("c") { $0.unplayedMs = 9_000 } == [])
        #expect(hall.wait(seconds: 10) == [.rings("c", ["dana"], hall.now.adding(seconds: 30))])
    }

    @Test func `reaches somebody who comes while all others have refused, at once`() {
        var hall = Hall([.test("general", .offer)], Self.three, online: ["dana"])
        hall.come("c")
        #expect(hall.decline("c", by: "dana") == [])
        #expect(hall.obstacle("dana", for: "c") == .settled, "it rests")
        hall.set(.online, "finn")
        #expect(hall.settle() == [.rings("c", ["finn"], hall.now.adding(seconds: 30))])
    }

    @Test func `ends at once when nobody whom it rings at is there any more`() {
        var hall = Hall([.test("general", .offer)], Self.three)
        hall.come("c")
        #expect(hall["c"].offer?.to == [.n("dana")], "the premise")
        hall.set(.occupied, "dana")
        #expect(hall.settle() == [], "they can still take it")
        hall.set(.away, "dana")
        #expect(hall.settle() == [.lapse(.n("c")), .rings("c", ["finn"], hall.now.adding(seconds: 30))])
    }

    @Test func `does not last for hours when the clock is set back, nor does a rest`() {
        var hall = Hall([.test("general", .offer)], Self.three, online: ["dana"])
        hall.come("c")
        hall.now = hall.now.adding(hours: -1)
        #expect(hall.settle() == [.lapse(.n("c"))], "then it rests, for dana was the only one")
        #expect(hall.engine.nextMoment == hall.now.adding(seconds: 30))
        hall.now = hall.now.adding(hours: -1)
        #expect(hall.settle() == [])
        #expect(hall.engine.nextMoment == hall.now.adding(seconds: 30))
        #expect(hall.wait(seconds: 30) == [.rings("c", ["dana"], hall.now.adding(seconds: 30))])
    }

    @Test func `of all rings at everyone who is free, and goes on while one of them is left`() {
        var hall = Hall(
            [.test("general", .offerToAll)], Self.three + [.test("jo", capacity: 0), .test("kim")],
            online: ["dana", "finn", "ines", "jo"])
        let until = hall.now.adding(seconds: 30)
        #expect(hall.come("c") == [.rings("c", ["dana", "finn", "ines"], until, .everyone)])
        #expect(hall.decline("c", by: "dana") == [])
        #expect(hall.decline("c", by: "ines") == [])
        #expect(hall["c"].offer?.to == [.n("finn")])
        #expect(hall.load("dana") == 0 && hall.load("finn") == 1000)
        #expect(hall.accept("c", by: "finn") == [])
    }

    @Test func `of all may be one of several at the same agent, as far as their capacity goes`() {
        var hall = Hall([.test("general", .offerToAll)], [.test("dana", capacity: 2), .test("finn", capacity: 1)])
        #expect(hall.come("a").count == 1)
        #expect(hall.come("b") == [.rings("b", ["dana"], hall.now.adding(seconds: 30), .everyone)])
        #expect(hall.come("c") == [])
    }

    @Test func `of all rings at no more than the limit`() {
        var hall = Hall(
            [.test("general", .offerToAll)], (0..<(RoutingEngine.offersAtOnce + 5)).map { .test("agent\($0)") })
        guard case .offer(_, let to, _, .everyone)? = hall.come("c").first else { return #expect(Bool(false)) }
        #expect(to.count == RoutingEngine.offersAtOnce)
    }

    @Test func `goes on after a restart, and ends when it would have ended`() {
        var hall = Hall([.test("general", .offer)], Self.three)
        hall.come("c")
        _ = hall.wait(seconds: 20)
        var again = RoutingEngine(centre: ContactCentreSettings(skills: [.test("general", .offer)], people: Self.three))
        for name in ["dana", "finn", "ines"] {
            again.set(Presence(state: .online, since: hall.now), of: .n(name), now: hall.now)
        }
        again.place(hall["c"], now: hall.now)
        #expect(again.moves(now: hall.now) == [])
        #expect(again.nextMoment == hall.now.adding(seconds: 10))
        #expect(again.moves(now: hall.now.adding(seconds: 10)) == [.lapse(.n("c"))])
    }
}

@Suite struct `What is meant for one agent` {
    private static func hall(_ accept: AcceptMode = .auto, finn: Presence.State) -> Hall {
        var hall = Hall(
            [.test("general", accept)], [.test("dana"), .test("finn", ["general"], capacity: 1)], online: ["dana"])
        hall.set(finn, "finn")
        return hall
    }

    private static func meant(_ ticket: inout QueueEntry) {
        ticket.reserved = .init(agent: .n("finn"), until: ticket.queuedAt.adding(hours: 2))
    }

    @Test(arguments: [.away, .offline] as [Presence.State])
    func `waits while they are not there, and goes to all when its time is over`(
        state: Presence.State
    ) {
        var hall = Self.hall(finn: state)
        #expect(hall.come("c", "general", Self.meant) == [])
        #expect(hall.wait(seconds: 7199) == [])
        #expect(hall.engine.nextMoment == hall.now.adding(seconds: 1))
        #expect(hall.wait(seconds: 1) == [.release(.n("c"), why: .notTaken), .goes("c", to: "dana")])
    }

    @Test func `goes to all when they decline it, or let it ring`() {
        var hall = Self.hall(.offer, finn: .occupied)
        let start = hall.now
        #expect(hall.come("c", "general", Self.meant) == [.rings("c", ["finn"], start.adding(seconds: 30), .reserved)])
        #expect(
            hall.decline("c", by: "finn") == [
                .release(.n("c"), why: .declined), .rings("c", ["dana"], start.adding(seconds: 30)),
            ])
        #expect(hall.come("d", "general", Self.meant).count == 1)
        #expect(hall.wait(seconds: 30).contains(.release(.n("d"), why: .declined)))
    }

    @Test func `is all that somebody occupied gets`() {
        var hall = Self.hall(finn: .occupied)
        hall.set(.away, "dana")
        #expect(hall.come("a") == [])
        #expect(hall.obstacle("finn", for: "a") == .occupied)
        #expect(hall.come("b", "general", Self.meant) == [.goes("b", to: "finn", .reserved)])
    }

    @Test func `waits until they have room for it, and then goes first`() {
        var hall = Self.hall(finn: .online)
        hall.set(.away, "dana")
        hall.come("a")
        #expect(hall["a"].assignee == .n("finn"), "the premise")
        hall.come("b")
        #expect(hall.come("c", "general", Self.meant) == [])
        #expect(hall.obstacle("finn", for: "c") == .full)
        #expect(hall.close("a") == [.goes("c", to: "finn", .reserved)])
    }

    @Test func `must fit what they have, at their own speed and not at the fastest one's`() {
        var hall = Hall([.test()], [.test("slow", capacity: 2), .test("fast", speed: 200)], online: ["slow"])
        hall.come("a")
        hall.answer("a")
        _ = hall.wait(seconds: 600)
        #expect(hall.load("slow") == 100, "the premise: room for 2.4")
        func meant(_ ticket: inout QueueEntry) {
            ticket.reserved = .init(agent: .n("slow"), until: ticket.queuedAt.adding(hours: 2))
        }
        #expect(
            hall.come("heavy") {
                meant(&$0)
                $0.unplayedMs = 600_000
            } == [], "3.0 at their speed, 2.0 at the other's")
        #expect(hall.come("light") { meant(&$0) } == [.goes("light", to: "slow", .reserved)])
    }

    @Test func `goes to who has not the skill, too, and to a manager without a seat`() {
        var hall = Hall([.test(), .test("sales")], [.test("dana"), .test("finn")])
        hall.set(.online, "boss")
        let until = hall.now.adding(hours: 2)
        #expect(
            hall.come("c", "sales") { $0.reserved = .init(agent: .n("finn"), until: until) } == [
                .goes("c", to: "finn", .reserved)
            ])
        #expect(
            hall.come("d", "sales") { $0.reserved = .init(agent: .n("boss"), until: until) } == [
                .goes("d", to: "boss", .reserved)
            ])
    }
}
