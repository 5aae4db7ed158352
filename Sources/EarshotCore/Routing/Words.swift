import EarshotDomain
import EarshotModel

/// The values of an automatic message's placeholders, as things stand. What is not known, or not true any more, has no value.
struct Words {
    let state: ConversationState
    let router: AccountRouter
    let brand: String?
    let consumer: Consumer?
    let now: Timestamp

    var values: [AutomaticMessage.Placeholder: String] {
        var values: [AutomaticMessage.Placeholder: String] = [:]
        let skill =
            router.centre.skill(state.routing.skill ?? router.centre.defaultSkill.id) ?? router.centre.defaultSkill
        values[.skill] = skill.name
        values[.brand] = brand
        values[.consumer] = consumer.map(\.name)
        values[.agentNickname] = agent
        values[.queuePosition] = router.engine.position(of: state.identity.id).map(String.init)
        // A time that has passed is no promise: the message is said without it.
        if let due = router.engine.due(of: state.identity.id), due > now {
            values[.expectedResponseTime] = clock(due, skill)
        }
        if let callback = state.routing.callback, callback.until > now { values[.time] = clock(callback.until, skill) }
        return values
    }

    /// Whoever answers, or answered last.
    private var agent: String? {
        if let assignee = state.assignee, let person = state.person(assignee) { return person.name }
        return state.routing.previous.flatMap { router.staff[$0]?.name }
    }

    /// By the consumer's own clock; of whom none is known, by that of the skill's hours.
    private func clock(_ moment: Timestamp, _ skill: Skill) -> String {
        Zone.clock(moment, in: consumer?.zone ?? router.centre.hours(of: skill)?.zone, now: now)
    }
}
