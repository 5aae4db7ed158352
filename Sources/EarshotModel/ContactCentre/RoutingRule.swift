/// Sends a new conversation to a skill when all its conditions hold.
public struct RoutingRule: Hashable, Codable, Sendable {
    /// The rule's id within the brand's list.
    public let id: String
    /// The name that managers see in the settings.
    public var name: String
    /// Whether the rule is in use; routing skips it if not.
    public var isOn: Bool
    /// What must be true of the conversation. All of them must match.
    public var conditions: [Condition]
    /// The skill whose queue the conversation goes to.
    public var skill: SkillID
    /// Whether the rule also marks the conversation as urgent, which gives it the urgent response time.
    public var urgent: Bool

    /// Makes a rule, in use and not urgent unless told otherwise.
    public init(
        id: String, name: String, isOn: Bool = true, conditions: [Condition], skill: SkillID, urgent: Bool = false
    ) {
        self.id = id
        self.name = name
        self.isOn = isOn
        self.conditions = conditions
        self.skill = skill
        self.urgent = urgent
    }

    /// A comparison of one property of a conversation with a value.
    public struct Condition: Hashable, Codable, Sendable {
        /// The property: `page`, `language`, `channel`, `app` or `attribute.NAME`.
        public var of: String
        /// How the property is compared with `value`.
        public var test: Test
        /// The value to compare with, as text. `exists` ignores it.
        public var value: String

        /// Makes a condition; `of` names the property.
        public init(of: String, test: Test, value: String) {
            self.of = of
            self.test = test
            self.value = value
        }
    }

    /// A comparison. All comparisons ignore upper and lower case.
    public enum Test: String, Hashable, Codable, Sendable, CaseIterable {
        /// The property equals the value.
        case `is`
        /// The property differs from the value, or is absent.
        case isNot
        /// The property contains the value.
        case contains
        /// The property begins with the value.
        case starts
        /// The property ends with the value.
        case ends
        /// The property is present, with any value.
        case exists
        /// The property is a number that is not less than the value.
        case atLeast
        /// The property is a number that is not greater than the value.
        case atMost
    }
}
