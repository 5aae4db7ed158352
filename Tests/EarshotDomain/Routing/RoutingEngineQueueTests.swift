import EarshotDomain
import EarshotModel
import Testing

@Suite struct `The queue` {
    /// Nobody is online, so that all wait.
    private static func hall(_ skills: [Skill] = [.test()]) -> Hall {
        Hall(skills, [.test("dana", skills.map(\.id.rawValue), capacity: 1)], online: [])
    }

    private static func positions(_ hall: Hall, _ names: [String]) -> [Int?] {
        names.map { hall.engine.position(of: .n($0)) }
    }

    private static func points(_ hall: Hall, _ name: String) -> [Score.Name: Int] {
        let parts = hall.engine.explain(.n(name), now: hall.now)!.score.parts
        return Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.points) })
    }

    @Test func `knows nothing of what is not open or has an agent`() {
        var hall = Self.hall()
        hall.come("c") { $0.assignee = .n("dana") }
        #expect(Self.positions(hall, ["c", "none"]) == [nil, nil])
        #expect(hall.engine.due(of: .n("none")) == nil)
        #expect(hall.engine.explain(.n("none"), now: hall.now) == nil)
        #expect(hall.engine.load(of: .n("none"), now: hall.now) == hall.engine.load(of: .n("nobody"), now: hall.now))
    }

    @Test func `is in the order of the time that is left`() {
        var hall = Self.hall()
        let now = hall.now
        hall.come("later")
        hall.come("sooner") { $0.unansweredSince = now.adding(minutes: -5) }
        hall.come("overdue") { $0.unansweredSince = now.adding(hours: -3) }
        #expect(Self.positions(hall, ["overdue", "sooner", "later"]) == [1, 2, 3])
        hall.close("overdue")
        #expect(Self.positions(hall, ["sooner", "later"]) == [1, 2])
    }

    @Test func `has first what can be acted on, then what waits for the consumer, then what is put off`() {
        var hall = Self.hall()
        let now = hall.now
        hall.come("put off") {
            ($0.callback, $0.unansweredSince) = (.init(madeAt: now, until: now.adding(hours: 1)), now.adding(hours: -9))
        }
        hall.come("waits") { ($0.unansweredSince, $0.queuedAt, $0.transfers) = (nil, now.adding(hours: -9), 5) }
        hall.come("acts")
        #expect(Self.positions(hall, ["acts", "waits", "put off"]) == [1, 2, 3])
        #expect(hall.engine.explain(.n("acts"), now: now)?.score.isActionable == true)
        #expect(hall.engine.explain(.n("waits"), now: now)?.score.isActionable == false)
        _ = hall.wait(seconds: 50 * 60)
        #expect(hall.engine.explain(.n("put off"), now: hall.now)?.score.isActionable == true)
        #expect(Self.positions(hall, ["acts", "put off", "waits"]) == [1, 2, 3])
    }

    @Test func `explains every place by parts that sum to its order`() {
        var hall = Self.hall()
        let now = hall.now
        hall.come("c") {
            ($0.isUrgent, $0.transfers, $0.unplayedMs, $0.queuedAt) = (true, 2, 90_000, now.adding(minutes: -8))
        }
        #expect(
            Self.points(hall, "c") == [
                .timeLeft: 3300, .waiting: 120, .urgent: 300, .transfers: 240, .unplayed: 90, .velocity: 0,
            ])
        #expect(hall.engine.explain(.n("c"), now: now)?.score.total == 4050)
        #expect(hall.engine.explain(.n("c"), now: now)?.due == now.adding(minutes: 5))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `stands in the order of the points, now and later`(seed: UInt64)
    {
        var (hall, random) = (Self.hall(), RepeatableNumbers(seed: seed))
        let now = hall.now
        for index in 0..<60 {
            hall.come("c\(index)") { ticket in
                ticket.unansweredSince = now.adding(seconds: -Int(random.next() % 4000))
                ticket.queuedAt = now.adding(seconds: -Int(random.next() % 4000))
                ticket.isUrgent = random.next() % 4 == 0
                ticket.transfers = Int(random.next() % 8)
                ticket.unplayedMs = Int(random.next() % 200) * 1000
            }
        }
        for later in [0, 1800, 86_400] {
            let rows = (0..<60).map { hall.engine.explain(.n("c\($0)"), now: now.adding(seconds: later))! }.sorted {
                $0.position! < $1.position!
            }
            #expect(rows.map(\.position) == (1...60).map { $0 })
            for (before, after) in zip(rows, rows.dropFirst()) {
                #expect(before.score.total >= after.score.total - 6, "but for what whole points leave out")
            }
        }
    }

    @Test func `of a skill with velocity goes before another's`() {
        var hall = Self.hall([.test(), .test("vip") { $0.velocity = 150 }])
        hall.come("usual")
        _ = hall.wait(seconds: 60)
        hall.come("vip", "vip")
        #expect(Self.points(hall, "vip")[.velocity] == 1500)
        hall.set(.online, "dana")
        #expect(hall.settle() == [.goes("vip", to: "dana")])
    }

    @Test func `with velocity never makes worse what has much time left`() {
        var hall = Self.hall([.test(), .test("vip") { ($0.velocity, $0.sla.first) = (200, 10_000) }])
        hall.come("c", "vip")
        #expect(Self.points(hall, "c")[.timeLeft] == -6400)
        #expect(Self.points(hall, "c")[.velocity] == 3200)
    }

    @Test func `is counted by skill, with the oldest, the unplayed voice and the overdue`() {
        var hall = Self.hall([.test(), .test("sales")])
        let now = hall.now
        hall.come("a") { $0.unplayedMs = 60_000 }
        hall.come("b") { ($0.unplayedMs, $0.queuedAt) = (30_000, now.adding(minutes: -9)) }
        hall.come("c") {
            ($0.assignee, $0.unplayedMs, $0.unansweredSince) = (.n("dana"), 5_000, now.adding(minutes: -11))
        }
        var (general, sales) = (QueueCount(), QueueCount())
        (general.waiting, general.oldest, general.unplayedMs, general.assigned, general.overdue) = (
            2, now.adding(minutes: -9), 90_000, 1, 1
        )
        #expect(hall.engine.counts(now: now) == [.n("general"): general, .n("sales"): sales])
        hall.close("b")
        hall.set(.online, "dana")
        (general.waiting, general.oldest, general.unplayedMs, general.online) = (1, now, 60_000, 1)
        sales.online = 1
        #expect(hall.engine.counts(now: now) == [.n("general"): general, .n("sales"): sales])
        (general.overdue) = 2
        #expect(hall.engine.counts(now: now.adding(minutes: 11))[.n("general")]?.overdue == 2)
    }

    @Test func `is left for another with everything that was counted`() {
        var hall = Self.hall([.test(), .test("sales")])
        let now = hall.now
        hall.come("c") { $0.unplayedMs = 60_000 }
        hall.change("c") { $0.skill = .n("sales") }
        var sales = QueueCount()
        (sales.waiting, sales.oldest, sales.unplayedMs, sales.overdue) = (1, now, 60_000, 1)
        #expect(hall.engine.counts(now: now.adding(hours: 1)) == [.n("general"): QueueCount(), .n("sales"): sales])
    }

    @Test func `of a skill that is gone is the default one's`() {
        var hall = Self.hall()
        hall.come("c", "gone")
        #expect(hall.engine.counts(now: hall.now)[.n("general")]?.waiting == 1)
        hall.set(.online, "dana")
        #expect(hall.settle() == [.goes("c", to: "dana")])
    }
}
