import EarshotDomain
import EarshotModel
import Testing

@Suite struct `An agent gets nothing` {
    @Test(
        arguments: [(.away, .away), (.offline, .offline), (.occupied, .occupied)]
            as [(Presence.State, Explanation.Obstacle)])
    func `while they are not online`(state: Presence.State, why: Explanation.Obstacle) {
        var hall = Hall()
        hall.set(state, "dana")
        #expect(hall.come("c") == [])
        #expect(hall.obstacle("dana", for: "c") == why)
        hall.set(.online, "dana")
        #expect(hall.obstacle("dana", for: "c") == nil)
        #expect(hall.settle() == [.goes("c", to: "dana")])
    }

    @Test func `before it was ever said where they are`() {
        var hall = Hall(online: [])
        #expect(hall.come("c") == [])
        #expect(hall.obstacle("dana", for: "c") == .offline)
    }

    @Test func `of a skill that they have not`() {
        var hall = Hall([.test(), .test("sales")], [.test("dana", ["general"])])
        #expect(hall.come("c", "sales") == [])
        #expect(hall.engine.explain(.n("c"), now: hall.now)?.agents == [])
        #expect(hall.come("d") == [.goes("d", to: "dana")])
    }

    @Test func `during a call, which takes all`() {
        var hall = Hall()
        hall.engine.set(inCall: true, of: .n("dana"))
        #expect(hall.load("dana") == 3000)
        #expect(hall.come("c") == [])
        #expect(hall.obstacle("dana", for: "c") == .inCall)
        hall.engine.set(inCall: false, of: .n("dana"))
        #expect(hall.settle() == [.goes("c", to: "dana")])
    }

    @Test func `without capacity`() {
        var hall = Hall([.test()], [.test("dana", capacity: 0)])
        #expect(hall.come("c") == [])
        #expect(hall.obstacle("dana", for: "c") == .full)
    }

    @Test func `that is meant for somebody else`() {
        var hall = Hall([.test()], [.test("dana"), .test("finn")], online: ["dana"])
        let until = hall.now.adding(hours: 2)
        #expect(hall.come("c") { $0.reserved = .init(agent: .n("finn"), until: until) } == [])
        #expect(hall.obstacle("dana", for: "c") == .reserved)
        hall.set(.online, "finn")
        #expect(hall.settle() == [.goes("c", to: "finn", .reserved)])
    }

    @Test func `that is put off, or has an agent`() {
        var hall = Hall()
        let now = hall.now
        #expect(hall.come("c") { $0.callback = .init(madeAt: now, until: now.adding(hours: 1)) } == [])
        #expect(hall.obstacle("dana", for: "c") == .settled)
        #expect(hall.come("d") { $0.assignee = .n("finn") } == [])
        #expect(hall.obstacle("dana", for: "d") == .settled)
    }
}

@Suite struct `A conversation goes` {
    @Test func `to who answered before, though another has less to do`() {
        var hall = Hall([.test()], [.test("dana"), .test("finn")])
        #expect(hall.come("a") == [.goes("a", to: "dana")])
        #expect(hall.come("b") { $0.previous = .n("dana") } == [.goes("b", to: "dana", .previousAgent)])
    }

    @Test(arguments: [.away, .offline, .occupied] as [Presence.State])
    func `to another when who answered before is not online`(state: Presence.State) {
        var hall = Hall([.test()], [.test("dana"), .test("finn")])
        hall.set(state, "finn")
        #expect(hall.come("b") { $0.previous = .n("finn") } == [.goes("b", to: "dana")])
    }

    @Test func `to another when who answered before is full, refused it, or has lost the skill`() {
        var hall = Hall(
            [.test(), .test("sales")],
            [.test("dana", capacity: 5), .test("finn", capacity: 1), .test("ines", ["sales"])])
        #expect(hall.come("a") { $0.previous = .n("finn") } == [.goes("a", to: "finn", .previousAgent)])
        #expect(hall.come("b") { $0.previous = .n("finn") } == [.goes("b", to: "dana")])
        #expect(
            hall.come("c") { ($0.previous, $0.refused) = (.n("dana"), [.n("dana")]) } == [],
            "finn is full, dana refused")
        #expect(hall.come("d") { $0.previous = .n("ines") } == [.goes("d", to: "dana")])
    }

    @Test func `to the least utilised, by the share of their own capacity`() {
        var hall = Hall([.test()], [.test("dana", capacity: 2), .test("finn", capacity: 10)])
        var got: [Move] = []
        for name in ["a", "b", "c", "d", "e"] { got += hall.come(name) }
        #expect(
            got == [
                .goes("a", to: "dana"), .goes("b", to: "finn"), .goes("c", to: "finn"), .goes("d", to: "finn"),
                .goes("e", to: "finn"),
            ])
    }

    @Test func `among equals to who has waited longest since their last one`() {
        var hall = Hall([.test()], [.test("dana"), .test("finn"), .test("ines")])
        var got: [Move] = []
        for name in ["a", "b", "c", "d"] {
            got += hall.come(name)
            hall.close(name)
            _ = hall.wait(seconds: 1)
        }
        #expect(
            got == [.goes("a", to: "dana"), .goes("b", to: "finn"), .goes("c", to: "ines"), .goes("d", to: "dana")])
    }

    @Test func `to who has waited longest, also when they were rung at, and after a restart`() {
        var hall = Hall([.test("general", .offer)], [.test("dana"), .test("finn")])
        hall.come("a")
        hall.accept("a", by: "dana")
        hall.close("a")
        #expect(hall.load("dana") == hall.load("finn"), "the premise")
        hall.come("b")
        #expect(hall["b"].offer?.to == [.n("finn")])
        var again = Hall([.test()], [.test("dana"), .test("finn")])
        let now = again.now
        again.come("old") { ($0.assignee, $0.assignedAt) = (.n("dana"), now.adding(minutes: -9)) }
        again.come("older") { ($0.assignee, $0.assignedAt) = (.n("finn"), now.adding(minutes: -10)) }
        #expect(again.come("c") == [.goes("c", to: "finn")])
    }

    @Test func `not back to who refused it while anybody else is online, though they are full`() {
        var hall = Hall([.test()], [.test("dana"), .test("finn", capacity: 1)])
        hall.come("full") { $0.previous = .n("finn") }
        #expect(hall["full"].assignee == .n("finn"), "the premise")
        #expect(hall.come("c") { $0.refused = [.n("dana")] } == [])
        #expect(hall.obstacle("dana", for: "c") == .refused)
        #expect(hall.obstacle("finn", for: "c") == .full)
        #expect(hall.close("full") == [.goes("c", to: "finn")])
    }

    @Test func `after a rest back to who gave it back, when nobody else is online`() {
        var hall = Hall([.test()], [.test("dana"), .test("finn")], online: ["dana"])
        #expect(hall.come("c") { $0.refused = [.n("dana")] } == [])
        #expect(hall.engine.nextMoment == hall.now.adding(seconds: 30))
        #expect(hall.wait(seconds: 29) == [])
        #expect(hall.wait(seconds: 1) == [.goes("c", to: "dana")])
    }

    @Test func `nowhere twice: a move is proposed once, until the ticket changes or it is retracted`() {
        var hall = Hall()
        let ticket = QueueEntry(
            conversation: .n("c"), skill: .n("general"), queuedAt: hall.now, unansweredSince: hall.now)
        hall.place(ticket)
        #expect(hall.engine.moves(now: hall.now) == [.goes("c", to: "dana")])
        #expect(hall.load("dana") == 1000, "it counts as theirs already")
        #expect(hall.engine.moves(now: hall.now) == [])
        hall.engine.retract(.n("c"), now: hall.now)
        #expect(hall.load("dana") == 0)
        #expect(hall.engine.moves(now: hall.now.adding(seconds: 1)) == [.goes("c", to: "dana")])
        hall.place(ticket)
        #expect(hall.engine.moves(now: hall.now) == [.goes("c", to: "dana")])
        hall.engine.remove(.n("c"))
        #expect(hall.engine.moves(now: hall.now) == [])
        #expect(hall.load("dana") == 0)
    }

    @Test func `nowhere at once again when the log refuses it each time, but ever more rarely`() {
        var hall = Hall()
        hall.place(
            QueueEntry(conversation: .n("c"), skill: .n("general"), queuedAt: hall.now, unansweredSince: hall.now))
        var rests: [Int64] = []
        for _ in 0..<8 {
            #expect(hall.engine.moves(now: hall.now) == [.goes("c", to: "dana")])
            hall.engine.retract(.n("c"), now: hall.now)
            hall.engine.retract(.n("c"), now: hall.now)
            #expect(hall.engine.moves(now: hall.now) == [])
            #expect(hall.obstacle("dana", for: "c") == .settled)
            rests.append(hall.engine.nextMoment!.milliseconds - hall.now.milliseconds)
            hall.now = hall.engine.nextMoment!
        }
        #expect(rests == [1, 2, 4, 8, 16, 32, 60, 60].map { $0 * 1000 })
    }

    @Test func `somewhere by the configuration of the moment`() {
        var hall = Hall([.test(), .test("sales")], [.test("dana", ["general"], capacity: 1)])
        hall.come("a")
        #expect(hall.come("b") == [])
        #expect(hall.come("c", "sales") == [])
        hall.engine.set(
            ContactCentreSettings(
                skills: [.test(), .test("sales")], people: [.test("dana", ["general", "sales"], capacity: 5)]),
            now: hall.now)
        #expect(Set(hall.settle()) == [.goes("b", to: "dana"), .goes("c", to: "dana")])
        #expect(hall.load("dana") == 3000)
    }
}

@Suite struct `A change of the configuration` {
    private static let seats: [Seat] = [.test("dana"), .test("finn")]

    private static func change(_ hall: inout Hall, _ accept: AcceptMode = .auto) {
        hall.engine.set(ContactCentreSettings(skills: [.test("general", accept)], people: seats), now: hall.now)
    }

    @Test func `ends no call and no pause`() {
        var hall = Hall([.test()], Self.seats, online: ["dana"])
        hall.engine.set(inCall: true, of: .n("dana"))
        Self.change(&hall)
        #expect(hall.come("c") == [])
        #expect(hall.obstacle("dana", for: "c") == .inCall)
        hall.engine.set(inCall: false, of: .n("dana"))
        #expect(hall.settle() == [.goes("c", to: "dana")])
        hall.answer("c", ageMs: 7_200_001)
        hall.close("c")
        Self.change(&hall)
        #expect(hall.come("d") == [])
        #expect(hall.wait(seconds: 10) == [.goes("d", to: "dana")])
    }

    @Test func `does not forget who had something last, nor who has been asked`() {
        var hall = Hall([.test()], Self.seats)
        hall.come("a")
        hall.close("a")
        Self.change(&hall)
        #expect(hall.come("b") == [.goes("b", to: "finn")])
        var offer = Hall([.test("general", .offer)], Self.seats, online: ["dana"])
        offer.come("c")
        offer.decline("c", by: "dana")
        #expect(offer.wait(seconds: 30).count == 1, "the second round")
        offer.decline("c", by: "dana")
        Self.change(&offer, .offer)
        #expect(offer.settle() == [])
        #expect(offer.engine.nextMoment == offer.now.adding(seconds: 60))
    }
}

@Suite struct `A new conversation` {
    private static let skills: [Skill] = [.test(), .test("sales") { $0.fallback = .n("general") }]

    @Test func `stays when somebody with its skill is online, though they are full`() {
        var hall = Hall(Self.skills, [.test("dana"), .test("finn", ["sales"], capacity: 0)])
        #expect(hall.come("c", "sales") == [])
    }

    @Test func `stays when nobody with the fallback skill is online either`() {
        var hall = Hall(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: [])
        #expect(hall.come("c", "sales") == [])
        hall.set(.occupied, "dana")
        #expect(hall.settle() == [])
    }

    @Test(arguments: 0..<4) func `is no longer one when the brand has had to do with it`(change: Int) {
        var hall = Hall(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: ["dana"])
        let moves = hall.come("c", "sales") { ticket in
            switch change {
            case 0: ticket.isFirst = false
            case 1: ticket.transfers = 1
            case 2: ticket.previous = .n("finn")
            default: ticket.reserved = .init(agent: .n("finn"), until: ticket.queuedAt.adding(hours: 1))
            }
        }
        #expect(moves == [])
    }

    @Test func `goes to the fallback skill when nobody with its own is online`() {
        var hall = Hall(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: ["dana"])
        #expect(hall.come("c", "sales") == [.fallback(.n("c"), to: .n("general")), .goes("c", to: "dana")])
    }

    @Test func `goes there when the last one leaves, or the first one comes there`() {
        var hall = Hall(Self.skills, [.test("dana"), .test("finn", ["sales"], capacity: 0)])
        #expect(hall.come("c", "sales") == [])
        hall.set(.away, "finn")
        #expect(hall.settle() == [.fallback(.n("c"), to: .n("general")), .goes("c", to: "dana")])
        hall.set(.away, "dana")
        #expect(hall.come("d", "sales") == [])
        hall.set(.online, "dana")
        #expect(hall.settle() == [.fallback(.n("d"), to: .n("general")), .goes("d", to: "dana")])
    }

    @Test func `waits like all others when somebody with its skill comes before anything was asked`() {
        var hall = Hall(Self.skills, [.test("dana"), .test("finn", ["sales"])], online: ["dana"])
        hall.place(QueueEntry(conversation: .n("c"), skill: .n("sales"), queuedAt: hall.now, unansweredSince: hall.now))
        hall.set(.online, "finn")
        #expect(hall.settle() == [.goes("c", to: "finn")])
    }
}
