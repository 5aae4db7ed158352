import EarshotDomain
import EarshotModel

/// The values of an automatic message's placeholders, as things stand. What is not known, or not true any more, has no value.
struct Words {
    let state: ConversationState
    let floor: AccountFloor
    let brand: String?
    let consumer: Consumer?
    let now: Timestamp

    var values: [AutomaticMessage.Placeholder: String] {
        var values: [AutomaticMessage.Placeholder: String] = [:]
        let skill = floor.centre.skill(state.care.skill ?? floor.centre.defaultSkill.id) ?? floor.centre.defaultSkill
        values[.skill] = skill.name
        values[.brand] = brand
        values[.consumer] = consumer.map(\.name)
        values[.agentNickname] = agent
        values[.queuePosition] = floor.floor.position(of: state.identity.id).map(String.init)
        // A time that has passed is no promise: the message is said without it.
        if let due = floor.floor.due(of: state.identity.id), due > now { values[.expectedResponseTime] = clock(due, skill) }
        if let promise = state.care.promise, promise.until > now { values[.time] = clock(promise.until, skill) }
        return values
    }

    /// Whoever answers, or answered last.
    private var agent: String? {
        if let assignee = state.assignee, let person = state.person(assignee) { return person.name }
        return state.care.previous.flatMap { floor.staff[$0]?.name }
    }

    /// By the consumer's own clock; of whom none is known, by that of the skill's hours.
    private func clock(_ moment: Timestamp, _ skill: Skill) -> String {
        Zone.clock(moment, in: consumer?.zone ?? floor.centre.hours(of: skill)?.zone, now: now)
    }
}
