/// How a brand runs its contact centre: everything that routing, queue, response times and automatic messages go by.
/// Plain rows, no events: a change is in
/// force at once, is a revision with its author, and can be undone. docs/protocol.md section 7.
public struct ContactCentreSettings: Hashable, Codable, Sendable {
    /// Rises with every change of any section.
    public var version: Int
    public var skills: [Skill]
    public var people: [Seat]
    public var hours: [Hours]
    /// From the first to the last: the first that fits wins.
    public var rules: [RoutingRule]
    public var capacity: Capacity
    public var silence: Silence
    public var automatic: [AutomaticMessage]
    public var canned: [CannedReply]
    public var wrapUp: WrapUp
    public var survey: Survey

    public init(
        version: Int = 1, skills: [Skill] = [.general], people: [Seat] = [], hours: [Hours] = [],
        rules: [RoutingRule] = [], capacity: Capacity = Capacity(),
        silence: Silence = Silence(), automatic: [AutomaticMessage] = [], canned: [CannedReply] = [],
        wrapUp: WrapUp = WrapUp(), survey: Survey = Survey()
    ) {
        self.version = version
        self.skills = skills
        self.people = people
        self.hours = hours
        self.rules = rules
        self.capacity = capacity
        self.silence = silence
        self.automatic = automatic
        self.canned = canned
        self.wrapUp = wrapUp
        self.survey = survey
    }

    /// What is changed, kept and undone as one.
    public enum Section: String, Hashable, Codable, Sendable, CaseIterable {
        case skills, people, hours, rules, capacity, silence, automatic, canned, wrapUp, survey
    }

    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case skills, people, hours, rules, capacity, silence, automatic, canned, wrapUp, survey
    }
}

extension ContactCentreSettings {
    public func skill(_ id: SkillID) -> Skill? { skills.first { $0.id == id } }

    /// Where a conversation goes that no rule sends elsewhere.
    public var defaultSkill: Skill { skills.first(where: \.isDefault) ?? skills.first ?? .general }

    public func hours(of skill: Skill) -> Hours? { skill.hours.flatMap { id in hours.first { $0.id == id } } }

    public func seat(of agent: AgentID) -> Seat? { people.first { $0.agent == agent } }
}
