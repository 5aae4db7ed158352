import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A silent agent` {
    /// Dana has a conversation whose consumer waits since now.
    private static func hall(_ silence: Silence = Silence()) -> Hall {
        var hall = Hall { $0.silence = silence }
        hall.come("c")
        return hall
    }

    @Test func `keeps what waits for the consumer, however long, wherever they are`() {
        for state in Presence.State.allCases {
            var hall = Self.hall()
            hall.answer("c")
            hall.set(state, "dana")
            #expect(hall.wait(seconds: 1_000_000) == [], "\(state)")
        }
    }

    @Test(arguments: Presence.State.allCases) func `keeps everything where the brand says never`(state: Presence.State)
    {
        var hall = Self.hall(
            Silence(
                onlineSeconds: state == .online || state == .occupied ? nil : 900, awaySeconds: nil, offlineSeconds: nil
            ))
        hall.set(state, "dana")
        #expect(hall.wait(seconds: 1_000_000) == [])
    }

    @Test func `of whom nothing was said yet keeps it`() {
        var hall = Hall(online: [])
        hall.come("c") { $0.assignee = .n("dana") }
        #expect(hall.wait(seconds: 1_000_000) == [])
    }

    @Test(
        arguments: [
            (.online, 900, .silentOnline), (.occupied, 900, .silentOnline), (.away, 300, .silentAway),
            (.offline, 60, .silentOffline),
        ]
            as [(Presence.State, Int, Move.Reason)])
    func `loses it after their state's time, and is not the next who gets it`(
        state: Presence.State, seconds: Int, why: Move.Reason
    ) {
        var hall = Self.hall()
        hall.set(state, "dana")
        #expect(hall.settle() == [])
        #expect(hall.wait(seconds: seconds, ms: -1) == [])
        #expect(hall.engine.nextMoment == hall.now.adding(milliseconds: 1))
        #expect(hall.wait(ms: 1) == [.requeue(.n("c"), why: why)])
        #expect(hall["c"].refused == [.n("dana")])
    }

    @Test func `has the time from when they got it, and from when they went`() {
        var hall = Self.hall()
        let now = hall.now
        hall.change("c") { $0.unansweredSince = now.adding(hours: -3) }
        #expect(hall.wait(seconds: 600) == [])
        hall.set(.offline, "dana")
        #expect(hall.wait(seconds: 59) == [], "a page loaded anew loses nothing")
        #expect(hall.wait(seconds: 1) == [.requeue(.n("c"), why: .silentOffline)])
    }

    @Test func `never has longer for having gone away`() {
        var hall = Self.hall()
        _ = hall.wait(seconds: 800)
        hall.set(.away, "dana")
        #expect(hall.wait(seconds: 99) == [])
        #expect(hall.wait(seconds: 1) == [.requeue(.n("c"), why: .silentAway)])
    }

    @Test func `who comes back in time keeps it, and who answers does`() {
        var hall = Self.hall()
        hall.set(.offline, "dana")
        #expect(hall.wait(seconds: 59) == [])
        hall.set(.online, "dana")
        #expect(hall.wait(seconds: 800) == [])
        hall.answer("c")
        #expect(hall.wait(seconds: 100_000) == [])
    }

    @Test func `who promised has until then, and the usual time after it`() {
        var hall = Self.hall()
        let now = hall.now
        hall.change("c") {
            ($0.callback, $0.unansweredSince) = (.init(madeAt: now, until: now.adding(minutes: 45)), nil)
        }
        #expect(hall.wait(seconds: 59 * 60 + 59) == [])
        #expect(hall.wait(seconds: 1) == [.requeue(.n("c"), why: .silentOnline)])
    }

    @Test func `who callback and is gone loses it in time for somebody else to keep the promise`() {
        var hall = Self.hall()
        let now = hall.now
        hall.change("c") { $0.callback = .init(madeAt: now, until: now.adding(minutes: 45)) }
        hall.set(.offline, "dana")
        #expect(hall.wait(seconds: 36 * 60 - 1) == [])
        #expect(hall.wait(seconds: 1) == [.requeue(.n("c"), why: .silentOffline)])
    }

    @Test func `is told once`() {
        var hall = Self.hall()
        hall.now = hall.now.adding(seconds: 900)
        #expect(hall.engine.moves(now: hall.now) == [.requeue(.n("c"), why: .silentOnline)])
        #expect(hall.load("dana") == 0, "it counts as done")
        #expect(hall.engine.moves(now: hall.now.adding(seconds: 900)) == [])
        hall.now = hall.now.adding(seconds: 900)
        hall.engine.retract(.n("c"), now: hall.now)
        #expect(hall.engine.moves(now: hall.now) == [])
        #expect(hall.engine.moves(now: hall.now.adding(seconds: 1)) == [.requeue(.n("c"), why: .silentOnline)])
    }
}

@Suite struct `Somebody who is switched off` {
    @Test func `rings no more, and is given nothing`() {
        var hall = Hall([.test("general", .offer)], [.test("dana"), .test("omar")])
        let first = hall.come("c")
        #expect(first == [.rings("c", ["dana"], hall.now.adding(seconds: 30))], "the premise: it rings at dana")
        hall.switchOff("dana")
        #expect(hall.settle() == [.lapse(.n("c")), .rings("c", ["omar"], hall.now.adding(seconds: 30))], "at once")
        hall.switchOff("omar")
        #expect(hall.settle() == [.lapse(.n("c"))])
        #expect(hall.come("d") == [])
        #expect(hall.load("omar") == 0)
    }

    @Test(arguments: [Silence(), Silence(onlineSeconds: 30), Silence(onlineSeconds: nil)])
    func `loses what is theirs as somebody who went offline does`(silence: Silence) {
        for isSwitchedOff in [false, true] {
            var hall = Hall { $0.silence = silence }
            hall.come("c")
            _ = hall.wait(seconds: 20)
            if isSwitchedOff { hall.switchOff("dana") } else { hall.set(.offline, "dana") }
            let seconds = silence.onlineSeconds == 30 ? 10 : 60
            #expect(hall.settle() + hall.wait(seconds: seconds, ms: -1) == [], "\(isSwitchedOff)")
            #expect(hall.wait(ms: 1) == [.requeue(.n("c"), why: .silentOffline)], "\(isSwitchedOff)")
        }
    }

    @Test func `keeps nothing where the brand lets who is offline keep all`() {
        var hall = Hall { $0.silence = Silence(onlineSeconds: nil, awaySeconds: nil, offlineSeconds: nil) }
        hall.come("c")
        hall.set(.offline, "dana")
        #expect(hall.wait(seconds: 1_000_000) == [], "the premise")
        hall.switchOff("dana")
        #expect(hall.settle() == [.requeue(.n("c"), why: .silentOffline)])
    }

    @Test func `has what waits for the consumer until the consumer writes`() {
        var hall = Hall()
        hall.come("c")
        hall.answer("c")
        hall.switchOff("dana")
        #expect(hall.wait(seconds: 100_000) == [])
        let now = hall.now
        #expect(hall.change("c") { $0.unansweredSince = now } == [])
        #expect(hall.wait(seconds: 60) == [.requeue(.n("c"), why: .silentOffline)])
    }

    @Test func `has nothing kept for them`() {
        var hall = Hall([.test()], [.test("dana"), .test("omar")], online: ["omar"])
        hall.set(.offline, "dana")
        let until = hall.now.adding(hours: 2)
        #expect(
            hall.come("c") { $0.reserved = .init(agent: .n("dana"), until: until) } == [],
            "the premise: it waits for dana")
        hall.switchOff("dana")
        #expect(hall.settle() == [.release(.n("c"), why: .notTaken), .goes("c", to: "omar")])
        #expect(
            hall.come("d") { $0.reserved = .init(agent: .n("dana"), until: until) }.first
                == .release(.n("d"), why: .notTaken), "one that was on its way")
    }

    @Test func `stays so when the centre changes, and is there again when switched on`() {
        var hall = Hall()
        hall.switchOff("dana")
        hall.engine.set(
            ContactCentreSettings(skills: [.test()], people: [.test("dana")], silence: Silence(offlineSeconds: nil)),
            now: hall.now)
        let until = hall.now.adding(hours: 2)
        #expect(
            hall.come("c") { $0.reserved = .init(agent: .n("dana"), until: until) }.first
                == .release(.n("c"), why: .notTaken))
        hall.set(.online, "dana")
        #expect(hall.settle() == [.goes("c", to: "dana")])
    }
}
