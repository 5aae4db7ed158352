public import EarshotModel
import Foundation

/// What is known about a new conversation, for the routing rules.
public struct RouteFacts: Hashable, Codable, Sendable {
    /// The address of the page that the consumer wrote from.
    public var page: String?
    /// The consumer's language, as a BCP 47 tag.
    public var language: String?
    /// The messaging channel.
    public var channel: String?
    /// The id of the app.
    public var app: String?
    /// The conversation's attributes by name.
    public var attributes: [String: String]

    /// Makes the value. What is `nil` is unknown.
    public init(
        page: String? = nil, language: String? = nil, channel: String? = nil, app: String? = nil,
        attributes: [String: String] = [:]
    ) {
        self.page = page
        self.language = language
        self.channel = channel
        self.app = app
        self.attributes = attributes
    }

    static let attributePrefix = "attribute."

    /// The value by the name that conditions use; `nil`: it is unknown, or there is no such name.
    func value(of name: String) -> String? {
        switch name {
        case "page": page
        case "language": language
        case "channel": channel
        case "app": app
        default:
            name.hasPrefix(Self.attributePrefix) ? attributes[String(name.dropFirst(Self.attributePrefix.count))] : nil
        }
    }
}

/// The skill that the routing rules choose for a new conversation, and what every rule found.
public struct Routed: Hashable, Codable, Sendable {
    /// The chosen skill.
    public var skill: SkillID
    /// Whether the conversation is marked as urgent.
    public var urgent: Bool
    /// The rule that won; `nil`: none matched, and the default skill was chosen.
    public var rule: String?
    /// What every rule found, in their order.
    public var explanation: [Finding]

    /// Makes the value.
    public init(skill: SkillID, urgent: Bool, rule: String? = nil, explanation: [Finding] = []) {
        self.skill = skill
        self.urgent = urgent
        self.rule = rule
        self.explanation = explanation
    }

    /// What one rule found.
    public struct Finding: Hashable, Codable, Sendable {
        /// The id of the rule.
        public var rule: String
        /// Whether it won, and if not, why.
        public var outcome: Outcome
        /// One for each condition, in their order.
        public var checks: [Check]
    }

    /// What came of a rule.
    public enum Outcome: String, Hashable, Codable, Sendable, CaseIterable {
        /// The first rule that matched.
        case won
        /// It matches, but an earlier rule won.
        case outranked
        /// A condition does not hold.
        case failed
        /// The rule is switched off.
        case off
        /// The rule's skill no longer exists.
        case noSkill
    }

    /// What one condition found.
    public struct Check: Hashable, Codable, Sendable {
        /// The condition.
        public var condition: RoutingRule.Condition
        /// The value it was compared with; `nil`: it is unknown.
        public var found: String?
        /// Whether the condition holds.
        public var holds: Bool
    }
}

extension ContactCentreSettings {
    /// Chooses a skill by the routing rules. The first rule wins that is on, whose skill exists, and whose conditions
    /// all hold. A rule without conditions always matches. Rules after the winner are checked too: the rule tester
    /// shows them.
    public func route(_ facts: RouteFacts) -> Routed {
        var routed = Routed(skill: defaultSkill.id, urgent: false)
        for rule in rules {
            let checks = rule.conditions.map { $0.check(facts) }
            let outcome = outcome(of: rule, checks, isDecided: routed.rule != nil)
            if outcome == .won { (routed.skill, routed.urgent, routed.rule) = (rule.skill, rule.urgent, rule.id) }
            routed.explanation.append(Routed.Finding(rule: rule.id, outcome: outcome, checks: checks))
        }
        return routed
    }

    private func outcome(of rule: RoutingRule, _ checks: [Routed.Check], isDecided: Bool) -> Routed.Outcome {
        if !rule.isOn { return .off }
        if skill(rule.skill) == nil { return .noSkill }
        if !checks.allSatisfy(\.holds) { return .failed }
        return isDecided ? .outranked : .won
    }
}

extension RoutingRule.Condition {
    /// An unknown value only matches `isNot`.
    func check(_ facts: RouteFacts) -> Routed.Check {
        let found = facts.value(of: of)
        return Routed.Check(condition: self, found: found, holds: found.map(holds) ?? (test == .isNot))
    }

    private func holds(_ found: String) -> Bool {
        let (found, value) = (found.lowercased(), value.lowercased())
        switch test {
        case .is: return found == value
        case .isNot: return found != value
        case .contains: return found.contains(value)
        case .starts: return found.hasPrefix(value)
        case .ends: return found.hasSuffix(value)
        case .exists: return true
        case .atLeast: return Self.compare(found, value) { $0 >= $1 }
        case .atMost: return Self.compare(found, value) { $0 <= $1 }
        }
    }

    /// A value that is not a number is neither more nor less than any other.
    private static func compare(_ found: String, _ value: String, _ test: (Double, Double) -> Bool) -> Bool {
        guard let found = Double(found), let value = Double(value), found.isFinite, value.isFinite else { return false }
        return test(found, value)
    }
}
