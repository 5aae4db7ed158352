import EarshotCore
import EarshotModel
import GRDB

/// The condition under which a conversation `c` of a feed is one that a person sees: `ConversationScope.Part` as SQL.
struct ScopeCondition {
    private(set) var sql = ""
    private(set) var arguments = StatementArguments()

    private static let people = "CAST(\(ContentField.people.opened("c.people")) AS TEXT)"
    /// Nothing where it cannot be read: a damaged row fails alone, and not the search.
    private static let routing = {
        let opened = ContentField.routing.opened("c.routing")
        return "CASE WHEN json_valid(\(opened)) THEN \(opened) END"
    }()

    init(_ part: ConversationScope.Part) {
        var alternatives: [String] = []
        for person in part.people {
            // People are stored as JSON without spaces. A name cannot contain this text: its quotes are escaped.
            alternatives.append("instr(\(Self.people), ?) > 0")
            arguments += [#""id":"\#(person.rawValue)""#]
        }
        alternatives += [
            "json_extract(\(Self.routing), '$.reserved.agent') = ?",
            "EXISTS (SELECT 1 FROM json_each(\(Self.routing), '$.offer.to') WHERE value = ?)",
            "EXISTS (SELECT 1 FROM json_each(\(Self.routing), '$.mentioned') WHERE value = ?)",
        ]
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
