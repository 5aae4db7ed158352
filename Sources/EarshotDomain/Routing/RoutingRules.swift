public import EarshotModel
import Foundation

/// What is known of a conversation that begins.
public struct RouteFacts: Hashable, Codable, Sendable {
    public var page: String?
    public var language: String?
    public var channel: String?
    public var app: String?
    public var attributes: [String: String]

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

    /// By the name that a condition calls it; `nil`: not known, or no such thing.
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

/// Where a new conversation goes, and why: what every rule found.
public struct Routed: Hashable, Codable, Sendable {
    public var skill: SkillID
    public var urgent: Bool
    /// The rule that won; `nil`: none fits, it is the default skill.
    public var rule: String?
    public var explanation: [Finding]

    public struct Finding: Hashable, Codable, Sendable {
        public var rule: String
        public var outcome: Outcome
        /// One for each condition, in their order.
        public var checks: [Check]
    }

    public enum Outcome: String, Hashable, Codable, Sendable, CaseIterable {
        case won
        /// Fits, but one before it won.
        case outranked
        /// A condition does not hold.
        case failed
        case off
        /// It names a skill that is gone.
        case noSkill
    }

    public struct Check: Hashable, Codable, Sendable {
        public var condition: RoutingRule.Condition
        /// What was found; `nil`: nothing is known of it.
        public var found: String?
        public var holds: Bool
    }
}

extension ContactCentreSettings {
    /// The first rule that is on, names a skill that exists, and whose conditions all hold, wins. A rule without conditions always fits. Every rule is looked at,
    /// also those behind the winner: the explanation is what the admin's test bench shows.
    public func route(_ facts: RouteFacts) -> Routed {
        var routed = Routed(skill: defaultSkill.id, urgent: false, rule: nil, explanation: [])
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
    /// What is not known fits nothing but `isNot`.
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

    /// What is no number is neither more nor less than any.
    private static func compare(_ found: String, _ value: String, _ test: (Double, Double) -> Bool) -> Bool {
        guard let found = Double(found), let value = Double(value), found.isFinite, value.isFinite else { return false }
        return test(found, value)
    }
}
