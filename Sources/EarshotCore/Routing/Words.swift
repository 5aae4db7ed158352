import EarshotDomain
import EarshotModel
import Foundation

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

    /// `08:15`, and the day where it is not today, in the zone of the skill's hours.
    private func clock(_ moment: Timestamp, _ skill: Skill) -> String {
        let zone = floor.centre.hours(of: skill).flatMap { TimeZone(identifier: $0.zone) } ?? TimeZone(identifier: "UTC") ?? .gmt
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let (date, today) = (Self.date(moment), Self.date(now))
        let parts = calendar.dateComponents([.hour, .minute, .day, .month], from: date)
        let time = String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
        let suffix = floor.centre.hours(of: skill) == nil ? " UTC" : ""
        guard !calendar.isDate(date, inSameDayAs: today) else { return time + suffix }
        return String(format: "%02d:%02d%@ (%d %@)", parts.hour ?? 0, parts.minute ?? 0, suffix, parts.day ?? 0, Self.months[(parts.month ?? 1) - 1])
    }

    private static func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000) }
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
