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

    @Test(arguments: Presence.State.allCases) func `keeps everything where the brand says never`(state: Presence.State) {
        var hall = Self.hall(Silence(onlineSeconds: state == .online || state == .occupied ? nil : 900, awaySeconds: nil, offlineSeconds: nil))
        hall.set(state, "dana")
        #expect(hall.wait(seconds: 1_000_000) == [])
    }

    @Test func `of whom nothing was said yet keeps it`() {
        var hall = Hall(online: [])
        hall.come("c") { $0.assignee = .n("dana") }
        #expect(hall.wait(seconds: 1_000_000) == [])
    }

    @Test(
        arguments: [(.online, 900, .silentOnline), (.occupied, 900, .silentOnline), (.away, 300, .silentAway), (.offline, 60, .silentOffline)]
            as [(Presence.State, Int, Move.Reason)])
    func `loses it after their state's time, and is not the next who gets it`(state: Presence.State, seconds: Int, why: Move.Reason) {
        var hall = Self.hall()
        hall.set(state, "dana")
        #expect(hall.settle() == [])
        #expect(hall.wait(seconds: seconds, ms: -1) == [])
        #expect(hall.floor.nextMoment == hall.now.adding(milliseconds: 1))
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
        hall.change("c") { ($0.promise, $0.unansweredSince) = (.init(madeAt: now, until: now.adding(minutes: 45)), nil) }
        #expect(hall.wait(seconds: 59 * 60 + 59) == [])
        #expect(hall.wait(seconds: 1) == [.requeue(.n("c"), why: .silentOnline)])
    }

    @Test func `who promised and is gone loses it in time for somebody else to keep the promise`() {
        var hall = Self.hall()
        let now = hall.now
        hall.change("c") { $0.promise = .init(madeAt: now, until: now.adding(minutes: 45)) }
        hall.set(.offline, "dana")
        #expect(hall.wait(seconds: 36 * 60 - 1) == [])
        #expect(hall.wait(seconds: 1) == [.requeue(.n("c"), why: .silentOffline)])
    }

    @Test func `is told once`() {
        var hall = Self.hall()
        hall.now = hall.now.adding(seconds: 900)
        #expect(hall.floor.moves(now: hall.now) == [.requeue(.n("c"), why: .silentOnline)])
        #expect(hall.load("dana") == 0, "it counts as done")
        #expect(hall.floor.moves(now: hall.now.adding(seconds: 900)) == [])
        hall.now = hall.now.adding(seconds: 900)
        hall.floor.retract(.n("c"), now: hall.now)
        #expect(hall.floor.moves(now: hall.now) == [])
        #expect(hall.floor.moves(now: hall.now.adding(seconds: 1)) == [.requeue(.n("c"), why: .silentOnline)])
    }
}
