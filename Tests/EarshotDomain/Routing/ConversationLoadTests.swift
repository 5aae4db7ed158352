import EarshotDomain
import EarshotModel
import Testing

@Suite struct `A conversation counts` {
    private static let now = at("2026-11-22T10:00:00Z")

    private static func entry(_ change: (inout QueueEntry) -> Void) -> QueueEntry {
        var entry = QueueEntry(
            conversation: .init(trusted: "c"), skill: Skill.general.id,
            agents: .init(assignee: .init(trusted: "dana")),
            times: .init(queuedAt: now.adding(hours: -5), assignedAt: now.adding(hours: -5)),
            priority: .init(isFirst: false))
        change(&entry)
        return entry
    }

    private static func weight(
        after seconds: Int = 0, speed: Int? = nil, _ capacity: Capacity = Capacity(),
        _ change: (inout QueueEntry) -> Void
    )
        -> ConversationLoad
    {
        capacity.load(of: entry(change), listenSpeed: speed, now: now.adding(seconds: seconds))
    }

    @Test func `as a whole one while it waits for an answer, however long`() {
        #expect(Self.weight { $0.times.unansweredSince = Self.now } == ConversationLoad(thousandths: 1000, until: nil))
        #expect(
            Self.weight(after: 86_400) { $0.times.unansweredSince = Self.now }
                == ConversationLoad(thousandths: 1000, until: nil))
    }

    @Test(
        arguments: [
            (0, 1000, 60), (59, 1000, 60), (60, 910, 120), (299, 640, 300), (300, 550, 360), (599, 190, 600),
            (600, 100, nil), (9999, 100, nil),
        ] as [(Int, Int, Int?)])
    func `less with every tenth of the time that it waits for the consumer`(seconds: Int, thousandths: Int, until: Int?)
    {
        let weight = Self.weight(after: seconds) { $0.times.answeredAt = Self.now }
        #expect(weight == ConversationLoad(thousandths: thousandths, until: until.map { Self.now.adding(seconds: $0) }))
    }

    @Test func `as idle at once when no time for decreasing is set`() {
        #expect(Self.weight(Capacity(idleAfterSeconds: 0)) { $0.times.answeredAt = Self.now }.thousandths == 100)
    }

    @Test func `as idle at once after an answer to a message of more than two hours`() {
        let old: Int64 = 7_200_001
        #expect(
            Self.weight { ($0.times.answeredAt, $0.times.answeredAgeMs) = (Self.now, old) }
                == ConversationLoad(thousandths: 100, until: nil))
        #expect(
            Self.weight { ($0.times.answeredAt, $0.times.answeredAgeMs) = (Self.now, old - 1) }.thousandths == 1000,
            "two hours are not more than two hours")
        #expect(
            Self.weight(Capacity(backlogAfterSeconds: nil)) {
                ($0.times.answeredAt, $0.times.answeredAgeMs) = (Self.now, old)
            }
            .thousandths == 1000,
            "switched off")
        #expect(
            Self.weight {
                ($0.times.answeredAt, $0.times.answeredAgeMs, $0.times.unansweredSince) = (Self.now, old, Self.now)
            }
            .thousandths == 1000,
            "the consumer wrote again")
    }

    @Test func `threshold 30 min, callback of 45: as idle now`() {
        let weight = Self.weight {
            ($0.times.unansweredSince, $0.times.callback) = (
                Self.now, .init(madeAt: Self.now, until: Self.now.adding(minutes: 45))
            )
        }
        #expect(weight == ConversationLoad(thousandths: 100, until: Self.now.adding(minutes: 35)))
    }

    @Test(arguments: [29, 30]) func `as idle with a callback of at least the threshold only`(minutes: Int) {
        let callback = QueueEntry.Callback(madeAt: Self.now, until: Self.now.adding(minutes: minutes))
        #expect(Self.weight { $0.times.callback = callback }.thousandths == (minutes < 30 ? 1000 : 100))
    }

    @Test func `as a whole one again ten minutes before the callback, and after it`() {
        let callback = QueueEntry.Callback(madeAt: Self.now, until: Self.now.adding(hours: 1))
        #expect(
            Self.weight(after: 50 * 60 - 1) { $0.times.callback = callback }
                == ConversationLoad(thousandths: 100, until: Self.now.adding(minutes: 50)))
        #expect(
            Self.weight(after: 50 * 60) { $0.times.callback = callback }
                == ConversationLoad(thousandths: 1000, until: nil))
        #expect(
            Self.weight(after: 2 * 3600) { $0.times.callback = callback }
                == ConversationLoad(thousandths: 1000, until: nil))
    }

    @Test(
        arguments: [
            (300_000, nil, 1000), (300_000, 100, 1000), (300_000, 200, 500), (300_000, 150, 666), (30_000, 100, 100),
            (300_000, 0, 100_000),
        ]
            as [(Int, Int?, Int)])
    func `more by the voice that nobody has played, at the agent's own speed`(ms: Int, speed: Int?, more: Int) {
        #expect(
            Self.weight(speed: speed) { ($0.times.unansweredSince, $0.priority.unplayedMs) = (Self.now, ms) }
                .thousandths == 1000
                + more)
        #expect(
            Self.weight(speed: speed) {
                ($0.times.answeredAt, $0.priority.unplayedMs) = (Self.now.adding(hours: -1), ms)
            }.thousandths
                == 100 + more,
            "answered without listening")
    }

    @Test func `no more for voice where that is off, or while it is snoozed`() {
        #expect(
            Self.weight(Capacity(unplayedSecondsPerSlot: nil)) {
                ($0.times.unansweredSince, $0.priority.unplayedMs) = (Self.now, 900_000)
            }.thousandths == 1000)
        let callback = QueueEntry.Callback(madeAt: Self.now, until: Self.now.adding(hours: 1))
        #expect(Self.weight { ($0.times.callback, $0.priority.unplayedMs) = (callback, 900_000) }.thousandths == 100)
    }

    @Test func `the same when the clock is set back`() {
        #expect(Self.weight(after: -3600) { $0.times.answeredAt = Self.now }.thousandths == 1000)
    }
}
