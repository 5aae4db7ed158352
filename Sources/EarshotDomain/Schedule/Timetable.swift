public import EarshotModel

/// By when a consumer is to be answered: the response times of every skill, counted in the time that somebody is there.
///
/// Expected time to respond = time to the next shift + response time. Within a shift the response time runs while somebody is there and stands still while nobody is:
/// with a shift to 20:00 and the next from 8:00, what comes at 19:55 with 15 minutes is due at 8:10. By LivePerson's formula, taken by the letter, it would be due at
/// 20:10, when nobody is there.
///
/// Make one per centre and keep it: what it knows of shifts and zones is worked out when it is made.
public struct Timetable: Sendable {
    private let skills: [SkillID: (times: ResponseTimes, staffed: StaffedTime)]
    private let fallback: (times: ResponseTimes, staffed: StaffedTime)

    public init(_ centre: ContactCentreSettings) {
        let staffed = Dictionary(centre.hours.map { ($0.id, StaffedTime($0)) }) { first, _ in first }
        func row(_ skill: Skill) -> (times: ResponseTimes, staffed: StaffedTime) {
            (skill.sla, skill.hours.flatMap { staffed[$0] } ?? .always)
        }
        skills = Dictionary(centre.skills.map { ($0.id, row($0)) }) { first, _ in first }
        fallback = row(centre.defaultSkill)
    }

    /// Which of a skill's response times holds.
    public enum Class: String, Hashable, Codable, Sendable, CaseIterable {
        case usual, urgent, first
    }

    /// When somebody with this skill is there. A skill that is gone is taken for the default one.
    public func staffed(_ skill: SkillID) -> StaffedTime { (skills[skill] ?? fallback).staffed }

    /// By when somebody who writes at this moment has an answer. `nil`: nobody is ever there again.
    public func expected(_ skill: SkillID, _ kind: Class, from moment: Timestamp) -> Timestamp? {
        let row = skills[skill] ?? fallback
        return row.staffed.adding(staffedMilliseconds: Int64(row.times[kind]) * 1000, to: moment)
    }

    /// When the consumer should have an answer. An agent's callback replaces the skill's response time, also while nothing is unanswered. `nil` while it waits for the
    /// consumer, and where the skill's hours never open again.
    public func due(_ entry: QueueEntry) -> Timestamp? {
        if let callback = entry.times.callback { return callback.until }
        return entry.times.unansweredSince.flatMap { expected(entry.skill, entry.responseClass, from: $0) }
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
