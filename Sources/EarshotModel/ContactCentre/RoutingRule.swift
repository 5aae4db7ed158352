/// Sends a new conversation to a skill when all its conditions hold.
public struct RoutingRule: Hashable, Codable, Sendable {
    public let id: String
    public var name: String
    public var isOn: Bool
    public var conditions: [Condition]
    public var skill: SkillID
    /// Promises the urgent response time.
    public var urgent: Bool

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

    public struct Condition: Hashable, Codable, Sendable {
        /// `page`, `language`, `channel`, `app`, or `attribute.NAME`.
        public var of: String
        public var test: Test
        public var value: String

        public init(of: String, test: Test, value: String) {
            self.of = of
            self.test = test
            self.value = value
        }
    }

    /// Upper and lower case are the same to all of them.
    public enum Test: String, Hashable, Codable, Sendable, CaseIterable {
        case `is`, isNot, contains, starts, ends
        /// Present, whatever its value.
        case exists
        /// Numbers.
        case atLeast, atMost
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, conditions, skill, urgent
        case isOn = "on"
    }
}
