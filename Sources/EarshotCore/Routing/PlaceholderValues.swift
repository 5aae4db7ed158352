import EarshotDomain
import EarshotModel

/// The values of an automatic message's placeholders at one moment. What is unknown or no longer true has no value.
struct PlaceholderValues {
    let state: ConversationState
    let router: RouterState
    let brand: String?
    let consumer: Consumer?
    let now: Timestamp

    var values: [AutomaticMessage.Placeholder: String] {
        var values: [AutomaticMessage.Placeholder: String] = [:]
        let skill = router.skill(of: state)
        values[.skill] = skill.name
        values[.brand] = brand
        values[.consumer] = consumer.map(\.name)
        values[.agentNickname] = agent
        values[.queuePosition] = router.engine.position(of: state.identity.id).map(String.init)
        // A time that has passed is no promise: the message is sent without it.
        if let due = router.engine.due(of: state.identity.id), due > now {
            values[.expectedResponseTime] = clock(due, skill)
        }
        if let callback = state.routing.callback, callback.until > now { values[.time] = clock(callback.until, skill) }
        return values
    }

    /// The agent who answers, or answered last.
    private var agent: String? {
        if let assignee = state.assignee, let person = state.person(assignee) { return person.name }
        return state.routing.previous.flatMap { router.staff[$0]?.name }
    }

    /// By the consumer's clock: in their time zone, or where that is unknown in the one of the skill's hours.
    private func clock(_ moment: Timestamp, _ skill: Skill) -> String {
        Zone.clock(
            moment, in: consumer?.zone ?? router.settings.hours(of: skill)?.zone, now: now,
            language: consumer?.language)
    }
}
