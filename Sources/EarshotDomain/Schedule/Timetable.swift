public import EarshotModel

/// When consumers should have an answer: the response time of every skill, counted within its opening hours.
///
/// Expected time to respond = time to the next shift + response time. The response time runs only within shifts: with a
/// shift until 20:00 and the next from 8:00, a message of 19:55 with a response time of 15 minutes is due at 8:10.
/// LivePerson's formula taken literally would give 20:10, outside the hours.
///
/// Make one for each version of the settings and keep it, because making it computes all shifts and zones.
public struct Timetable: Sendable {
    private let skills: [SkillID: (times: ResponseTimes, staffed: StaffedTime)]
    private let fallback: (times: ResponseTimes, staffed: StaffedTime)

    /// Computes the timetable of these settings.
    public init(_ centre: ContactCentreSettings) {
        let staffed = Dictionary(centre.hours.map { ($0.id, StaffedTime($0)) }) { first, _ in first }
        func row(_ skill: Skill) -> (times: ResponseTimes, staffed: StaffedTime) {
            (skill.sla, skill.hours.flatMap { staffed[$0] } ?? .always)
        }
        skills = Dictionary(centre.skills.map { ($0.id, row($0)) }) { first, _ in first }
        fallback = row(centre.defaultSkill)
    }

    /// Which of a skill's response times applies.
    public enum Class: String, Hashable, Codable, Sendable, CaseIterable {
        /// Neither urgent nor first.
        case usual
        /// Marked as urgent.
        case urgent
        /// The first answer of a conversation.
        case first
    }

    /// The opening hours of a skill; of a skill that no longer exists, the default skill's.
    public func staffed(_ skill: SkillID) -> StaffedTime { (skills[skill] ?? fallback).staffed }

    /// When a consumer who writes at this moment should have an answer. `nil`: the hours never open again.
    public func expected(_ skill: SkillID, _ kind: Class, from moment: Timestamp) -> Timestamp? {
        let row = skills[skill] ?? fallback
        return row.staffed.adding(staffedMilliseconds: Int64(row.times[kind]) * 1000, to: moment)
    }

    /// When the consumer should have an answer. An agent's callback replaces the skill's response time, also while
    /// nothing is unanswered. `nil` while it waits for the consumer, and where the skill's hours never open again.
    public func due(_ entry: QueueEntry) -> Timestamp? {
        if let callback = entry.times.callback { return callback.until }
        return entry.times.unansweredSince.flatMap { expected(entry.skill, entry.responseClass, from: $0) }
    }

    /// What the consumer can be told at this moment about when they have an answer. A promise that was not kept is
    /// followed by the next: one response time later, and again, up to `mostRenewals` times. After that no time is
    /// named, because nobody would believe it.
    public func promise(_ entry: QueueEntry, at now: Timestamp) -> AnswerPromise? {
        guard var by = due(entry) else { return nil }
        if by > now { return AnswerPromise(by: by, isLate: false) }
        for _ in 0..<Self.mostRenewals {
            guard let next = expected(entry.skill, entry.responseClass, from: by) else { break }
            if next > now { return AnswerPromise(by: next, isLate: true) }
            by = next
        }
        return AnswerPromise(by: nil, isLate: true)
    }

    /// How many new times are promised in place of one that was not kept.
    public static let mostRenewals = 3
}

/// When a consumer can expect an answer, as they are told.
public struct AnswerPromise: Hashable, Sendable {
    /// When they have an answer; `nil`: no time is promised now. Never in the past.
    public let by: Timestamp?
    /// Whether an earlier time was promised, and passed.
    public let isLate: Bool

    /// Makes the value.
    public init(by: Timestamp?, isLate: Bool) {
        self.by = by
        self.isLate = isLate
    }
}

extension ContactCentreSettings {
    /// When the consumer should have an answer. To ask often, keep a `Timetable`.
    public func due(_ entry: QueueEntry) -> Timestamp? { Timetable(self).due(entry) }
}

extension QueueEntry {
    /// Which response time applies. Urgent goes before first: it was marked so because it cannot wait.
    public var responseClass: Timetable.Class { priority.isUrgent ? .urgent : priority.isFirst ? .first : .usual }
}

extension ResponseTimes {
    /// The response time in seconds within the skill's hours.
    public subscript(_ kind: Timetable.Class) -> Int {
        switch kind {
        case .usual: usual
        case .urgent: urgent
        case .first: first
        }
    }
}
