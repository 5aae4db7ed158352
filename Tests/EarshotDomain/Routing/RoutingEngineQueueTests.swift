import EarshotDomain
import EarshotModel
import Testing

@Suite struct `The queue` {
    /// Nobody is online, so that all wait.
    private static func scenario(_ skills: [Skill] = [.test()]) -> ContactCentreScenario {
        ContactCentreScenario(skills, [.test("dana", skills.map(\.id.rawValue), capacity: 1)], online: [])
    }

    private static func positions(_ scenario: ContactCentreScenario, _ names: [String]) -> [Int?] {
        names.map { scenario.engine.position(of: .n($0)) }
    }

    private static func points(_ scenario: ContactCentreScenario, _ name: String) -> [Score.Name: Int] {
        let parts = scenario.engine.explain(.n(name), now: scenario.now)!.score.parts
        return Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.points) })
    }

    @Test func `has no position for a conversation that is not open or has an agent`() {
        var scenario = Self.scenario()
        scenario.come("c") { $0.agents.assignee = .n("dana") }
        #expect(Self.positions(scenario, ["c", "none"]) == [nil, nil])
        #expect(scenario.engine.due(of: .n("none")) == nil)
        #expect(scenario.engine.explain(.n("none"), now: scenario.now) == nil)
        #expect(
            scenario.engine.load(of: .n("none"), now: scenario.now)
                == scenario.engine.load(of: .n("nobody"), now: scenario.now))
    }

    @Test func `is ordered by the time that is left`() {
        var scenario = Self.scenario()
        let now = scenario.now
        scenario.come("later")
        scenario.come("sooner") { $0.times.unansweredSince = now.adding(minutes: -5) }
        scenario.come("overdue") { $0.times.unansweredSince = now.adding(hours: -3) }
        #expect(Self.positions(scenario, ["overdue", "sooner", "later"]) == [1, 2, 3])
        scenario.close("overdue")
        #expect(Self.positions(scenario, ["sooner", "later"]) == [1, 2])
    }

    @Test func `has actionable conversations first, then those that wait for the consumer, then snoozed ones`() {
        var scenario = Self.scenario()
        let now = scenario.now
        scenario.come("put off") {
            ($0.times.callback, $0.times.unansweredSince) = (
                .init(madeAt: now, until: now.adding(hours: 1)), now.adding(hours: -9)
            )
        }
        scenario.come("waits") {
            ($0.times.unansweredSince, $0.times.queuedAt, $0.priority.transfers) = (nil, now.adding(hours: -9), 5)
        }
        scenario.come("acts")
        #expect(Self.positions(scenario, ["acts", "waits", "put off"]) == [1, 2, 3])
        #expect(scenario.engine.explain(.n("acts"), now: now)?.score.isActionable == true)
        #expect(scenario.engine.explain(.n("waits"), now: now)?.score.isActionable == false)
        _ = scenario.wait(seconds: 50 * 60)
        #expect(scenario.engine.explain(.n("put off"), now: scenario.now)?.score.isActionable == true)
        #expect(Self.positions(scenario, ["acts", "put off", "waits"]) == [1, 2, 3])
    }

    @Test func `explains every position by parts that add up to its order`() {
        var scenario = Self.scenario()
        let now = scenario.now
        scenario.come("c") {
            ($0.priority.isUrgent, $0.priority.transfers, $0.priority.unplayedMs, $0.times.queuedAt) = (
                true, 2, 90_000, now.adding(minutes: -8)
            )
        }
        #expect(
            Self.points(scenario, "c") == [
                .timeLeft: 3300, .waiting: 120, .urgent: 300, .transfers: 240, .unplayed: 90, .velocity: 0,
            ])
        #expect(scenario.engine.explain(.n("c"), now: now)?.score.total == 4050)
        #expect(scenario.engine.explain(.n("c"), now: now)?.due == now.adding(minutes: 5))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `is in the order of the points, now and later`(seed: UInt64) {
        var (scenario, random) = (Self.scenario(), RepeatableNumbers(seed: seed))
        let now = scenario.now
        for index in 0..<60 {
            scenario.come("c\(index)") { entry in
                entry.times.unansweredSince = now.adding(seconds: -Int(random.next() % 4000))
                entry.times.queuedAt = now.adding(seconds: -Int(random.next() % 4000))
                entry.priority.isUrgent = random.next() % 4 == 0
                entry.priority.transfers = Int(random.next() % 8)
                entry.priority.unplayedMs = Int(random.next() % 200) * 1000
            }
        }
        for later in [0, 1800, 86_400] {
            let rows = (0..<60).map { scenario.engine.explain(.n("c\($0)"), now: now.adding(seconds: later))! }.sorted {
                $0.position! < $1.position!
            }
            #expect(rows.map(\.position) == (1...60).map { $0 })
            for (before, after) in zip(rows, rows.dropFirst()) {
                #expect(before.score.total >= after.score.total - 6, "but for what whole points leave out")
            }
        }
    }

    @Test func `of a skill with velocity goes before another's`() {
        var scenario = Self.scenario([.test(), .test("vip") { $0.velocity = 150 }])
        scenario.come("usual")
        _ = scenario.wait(seconds: 60)
        scenario.come("vip", "vip")
        #expect(Self.points(scenario, "vip")[.velocity] == 1500)
        scenario.set(.online, "dana")
        #expect(scenario.settle() == [.goes("vip", to: "dana")])
    }

    @Test func `with velocity never lowers a conversation that has much time left`() {
        var scenario = Self.scenario([.test(), .test("vip") { ($0.velocity, $0.sla.first) = (200, 10_000) }])
        scenario.come("c", "vip")
        #expect(Self.points(scenario, "c")[.timeLeft] == -6400)
        #expect(Self.points(scenario, "c")[.velocity] == 3200)
    }

    @Test func `is counted by skill, with the oldest, the unplayed voice and the overdue`() {
        var scenario = Self.scenario([.test(), .test("sales")])
        let now = scenario.now
        scenario.come("a") { $0.priority.unplayedMs = 60_000 }
        scenario.come("b") { ($0.priority.unplayedMs, $0.times.queuedAt) = (30_000, now.adding(minutes: -9)) }
        scenario.come("c") {
            ($0.agents.assignee, $0.priority.unplayedMs, $0.times.unansweredSince) = (
                .n("dana"), 5_000, now.adding(minutes: -11)
            )
        }
        var (general, sales) = (QueueCount(), QueueCount())
        (general.waiting, general.oldest, general.unplayedMs, general.assigned, general.overdue) = (
            2, now.adding(minutes: -9), 90_000, 1, 1
        )
        #expect(scenario.engine.counts(now: now) == [.n("general"): general, .n("sales"): sales])
        scenario.close("b")
        scenario.set(.online, "dana")
        (general.waiting, general.oldest, general.unplayedMs, general.online) = (1, now, 60_000, 1)
        sales.online = 1
        #expect(scenario.engine.counts(now: now) == [.n("general"): general, .n("sales"): sales])
        (general.overdue) = 2
        #expect(scenario.engine.counts(now: now.adding(minutes: 11))[.n("general")]?.overdue == 2)
    }

    @Test func `loses all its counts of a conversation that moves to another`() {
        var scenario = Self.scenario([.test(), .test("sales")])
        let now = scenario.now
        scenario.come("c") { $0.priority.unplayedMs = 60_000 }
        scenario.change("c") { $0.skill = .n("sales") }
        var sales = QueueCount()
        (sales.waiting, sales.oldest, sales.unplayedMs, sales.overdue) = (1, now, 60_000, 1)
        #expect(scenario.engine.counts(now: now.adding(hours: 1)) == [.n("general"): QueueCount(), .n("sales"): sales])
    }

    @Test func `of a deleted skill is the default skill's`() {
        var scenario = Self.scenario()
        scenario.come("c", "gone")
        #expect(scenario.engine.counts(now: scenario.now)[.n("general")]?.waiting == 1)
        scenario.set(.online, "dana")
        #expect(scenario.settle() == [.goes("c", to: "dana")])
    }
}
