import EarshotDomain
import EarshotModel

/// How right the promised times were: counted as answers come, and kept over a restart.
extension AccountFloor {
    /// The brand answered somebody who waited: was it by the time that they were told?
    func measure(_ state: ConversationState) {
        guard let before = states[state.identity.id], before.unansweredSince != nil, let due = floor.due(of: state.identity.id),
            let answered = state.moments.answered, answered != before.moments.answered, answered >= punctuality.day
        else { return }
        punctuality.count(before.care.skill ?? centre.defaultSkill.id, at: answered, due: due)
    }

    /// So often it is stored at most: a word of an agent's must not cost a second commit.
    private static let storeMs: Int64 = 1_000

    /// What was stored, where it is of this day.
    func remember(_ punctuality: Punctuality?, now: Timestamp) {
        forget(before: RoutingDesk.midnight(now))
        guard let punctuality, punctuality.day == self.punctuality.day else { return }
        (self.punctuality, stored) = (punctuality, punctuality)
    }

    /// At start: the answer that stands in the state came after what was stored. A crash may have been faster. Of what an agent had promised nothing stands there any more:
    /// it counts by the skill's response time.
    func recover(_ state: ConversationState) {
        guard let answered = state.moments.answered, answered > (stored?.through ?? punctuality.day), state.moments.answeredAgeMs > 0 else { return }
        let since = answered.adding(milliseconds: -state.moments.answeredAgeMs)
        let isFirst = since == state.moments.resumed ?? state.moments.started
        let skill = state.care.skill ?? centre.defaultSkill.id
        guard let due = timetable.expected(skill, state.care.isUrgent ? .urgent : isFirst ? .first : .usual, from: since) else { return }
        punctuality.count(skill, at: answered, due: due)
    }

    /// What is to be stored now.
    /// - Parameter isLast: whatever was stored a moment ago.
    func unstored(now: Timestamp, isLast: Bool) -> Punctuality? {
        guard punctuality != stored, punctuality.through > punctuality.day else { return nil }
        let isDue = storedAt.map { now >= $0.adding(milliseconds: Self.storeMs) || now < $0 } ?? true
        return isDue || isLast ? punctuality : nil
    }

    func noteStored(_ punctuality: Punctuality, now: Timestamp) { (stored, storedAt) = (punctuality, now) }
}
