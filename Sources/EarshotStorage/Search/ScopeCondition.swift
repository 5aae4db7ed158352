import EarshotCore
import EarshotModel
import GRDB

/// The condition under which a conversation `c` of a feed is one that a person sees: `ConversationScope.Part` as SQL.
struct ScopeCondition {
    private(set) var sql = ""
    private(set) var arguments = StatementArguments()

    private static let people = {
        let opened = "CAST(\(ContentField.people.opened("c.people")) AS TEXT)"
        return "CASE WHEN json_valid(\(opened)) THEN \(opened) END"
    }()
    /// Nothing where it cannot be read: a damaged row fails alone, and not the search.
    private static let routing = {
        let opened = ContentField.routing.opened("c.routing")
        return "CASE WHEN json_valid(\(opened)) THEN \(opened) END"
    }()

    /// `RoutingState.called`: rows of before it was kept have `mentioned` only.
    private static let called =
        "coalesce(json_extract(\(routing), '$.calledPeople'), json_extract(\(routing), '$.mentioned'))"

    init(_ part: ConversationScope.Part) {
        var alternatives: [String] = []
        let marks = part.people.map { _ in "?" }.joined(separator: ", ")
        alternatives += [
            """
            EXISTS (SELECT 1 FROM json_each(\(Self.people)) WHERE json_extract(value, '$.id') IN (\(marks))
            AND ifnull(json_extract(value, '$.quiet'), 0) = 0)
            """,
            "json_extract(\(Self.routing), '$.reserved.agent') = ?",
            "EXISTS (SELECT 1 FROM json_each(\(Self.routing), '$.offer.to') WHERE value = ?)",
            "EXISTS (SELECT 1 FROM json_each(\(Self.called)) WHERE value = ?)",
        ]
        arguments += StatementArguments(part.people.map(\.rawValue).sorted())
        let agent = part.agent.rawValue
        arguments += [agent, agent, agent]
        if part.hasHistory { alternatives.append("c.closed = 1") }
        if !part.skills.isEmpty { alternatives.append(isOf(part.skills, part)) }
        if !part.queues.isEmpty {
            alternatives.append("(c.status IN ('new', 'waiting') AND \(isOf(part.queues, part)))")
        }
        sql = "(" + alternatives.joined(separator: " OR ") + ")"
    }

    /// A conversation without a skill counts as one of the default skill.
    private mutating func isOf(_ skills: Set<SkillID>, _ part: ConversationScope.Part) -> String {
        let skill = "ifnull(json_extract(\(Self.routing), '$.skill'), ?)"
        arguments += [part.defaultSkill.rawValue]
        arguments += StatementArguments(skills.map(\.rawValue).sorted())
        return "\(skill) IN (\(skills.map { _ in "?" }.joined(separator: ", ")))"
    }
}
