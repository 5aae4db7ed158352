import EarshotDomain
import EarshotModel

/// How right the promised times were: counted as answers come, and kept over a restart.
extension AccountRouter {
    /// The brand answered somebody who waited: was it by the time that they were told?
    func measure(_ state: ConversationState) {
        guard let before = states[state.identity.id], before.unansweredSince != nil,
            let due = engine.due(of: state.identity.id),
            let answered = state.timestamps.answered, answered != before.timestamps.answered,
            answered >= etaAccuracy.day
        else { return }
        etaAccuracy.count(before.routing.skill ?? centre.defaultSkill.id, at: answered, due: due)
    }

    /// So often it is stored at most: a word of an agent's must not cost a second commit.
    private static let storeMs: Int64 = 1_000

    /// What was stored, where it is of this day.
    func remember(_ etaAccuracy: EtaAccuracy?, now: Timestamp) {
        forget(before: RoutingService.midnight(now))
        guard let etaAccuracy, etaAccuracy.day == self.etaAccuracy.day else { return }
        (self.etaAccuracy, stored) = (etaAccuracy, etaAccuracy)
    }

    /// At start: the answer that stands in the state came after what was stored. A crash may have been faster. Of what an agent had promised nothing stands there any more:
    /// it counts by the skill's response time.
    func recover(_ state: ConversationState) {
        guard let answered = state.timestamps.answered, answered > (stored?.through ?? etaAccuracy.day),
            state.timestamps.answeredAgeMs > 0
        else { return }
        let since = answered.adding(milliseconds: -state.timestamps.answeredAgeMs)
        let isFirst = since == state.timestamps.resumed ?? state.timestamps.started
        let skill = state.routing.skill ?? centre.defaultSkill.id
        guard
            let due = timetable.expected(
                skill, state.routing.isUrgent ? .urgent : isFirst ? .first : .usual, from: since)
        else { return }
        etaAccuracy.count(skill, at: answered, due: due)
    }

    /// What is to be stored now.
    /// - Parameter isLast: whatever was stored a moment ago.
    func unstored(now: Timestamp, isLast: Bool) -> EtaAccuracy? {
        guard etaAccuracy != stored, etaAccuracy.through > etaAccuracy.day else { return nil }
        let isDue = storedAt.map { now >= $0.adding(milliseconds: Self.storeMs) || now < $0 } ?? true
        return isDue || isLast ? etaAccuracy : nil
    }

    func noteStored(_ etaAccuracy: EtaAccuracy, now: Timestamp) { (stored, storedAt) = (etaAccuracy, now) }
}
