import EarshotDomain
import EarshotModel

/// Counts for one day how many answers came by the time that consumers had been told, and says when the counts must be
/// saved.
struct EtaTracker {
    /// The shortest time between two saves: an agent's message must not cost a second commit.
    private static let saveIntervalMs: Int64 = 1_000

    private var accuracy = EtaAccuracy(day: Timestamp(milliseconds: 0))
    private var saved: EtaAccuracy?
    private var savedAt: Timestamp?

    var day: Timestamp { accuracy.day }

    /// When unsaved counts may be saved; `nil`: everything is saved.
    var nextSave: Timestamp? {
        hasUnsaved ? savedAt?.adding(milliseconds: Self.saveIntervalMs) : nil
    }

    func sum(of skill: SkillID) -> (answered: Int, kept: Int) { accuracy.sum(of: skill) }

    /// Starts a new day. - Returns: whether it is one.
    mutating func begin(day: Timestamp) -> Bool {
        guard day > accuracy.day else { return false }
        accuracy = EtaAccuracy(day: day)
        return true
    }

    /// Takes over what was saved, if it is of this day.
    mutating func restore(_ accuracy: EtaAccuracy?) {
        guard let accuracy, accuracy.day == self.accuracy.day else { return }
        (self.accuracy, saved) = (accuracy, accuracy)
    }

    /// Counts an answer that is part of this commit. - Parameter due: when the consumer had been told to expect it.
    mutating func count(_ state: ConversationState, before: ConversationState?, due: Timestamp?, default skill: SkillID)
    {
        guard let before, before.unansweredSince != nil, let due, let answered = state.timestamps.answered,
            answered != before.timestamps.answered, answered >= accuracy.day
        else { return }
        accuracy.count(before.routing.skill ?? skill, at: answered, due: due)
    }

    /// At start: counts the last answer of a conversation if it came after the last save, as after a crash. The state
    /// no longer says whether an agent had promised a callback: the answer is counted by the skill's response time.
    mutating func recover(_ state: ConversationState, _ timetable: Timetable, default defaultSkill: SkillID) {
        guard let answered = state.timestamps.answered, answered > (saved?.through ?? accuracy.day),
            state.timestamps.answeredAgeMs > 0
        else { return }
        let since = answered.adding(milliseconds: -state.timestamps.answeredAgeMs)
        let isFirst = since == state.timestamps.resumed ?? state.timestamps.started
        let skill = state.routing.skill ?? defaultSkill
        let kind: Timetable.Class = state.routing.isUrgent ? .urgent : isFirst ? .first : .usual
        guard let due = timetable.expected(skill, kind, from: since) else { return }
        accuracy.count(skill, at: answered, due: due)
    }

    /// What must be saved now. - Parameter isLast: save also what was counted within the save interval.
    func unsaved(now: Timestamp, isLast: Bool) -> EtaAccuracy? {
        guard hasUnsaved else { return nil }
        let isDue = savedAt.map { now >= $0.adding(milliseconds: Self.saveIntervalMs) || now < $0 } ?? true
        return isDue || isLast ? accuracy : nil
    }

    mutating func noteSaved(_ accuracy: EtaAccuracy, now: Timestamp) { (saved, savedAt) = (accuracy, now) }

    private var hasUnsaved: Bool { accuracy != saved && accuracy.through > accuracy.day }
}
