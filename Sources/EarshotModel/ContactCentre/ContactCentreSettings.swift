/// A brand's contact-centre settings, which control routing, queues, response times and automatic messages. They are
/// stored as rows, not as events. A change applies at once, is stored as a revision with its author, and can be undone
/// (docs/protocol.md section 7).
public struct ContactCentreSettings: Hashable, Codable, Sendable {
    /// The number of this revision, which increases with every change of a section.
    public var version: Int
    /// The skills, of which exactly one is the default. Each has its own queue.
    public var skills: [Skill]
    /// The skills and capacity of each agent. An agent who is not listed has every skill and a capacity of 3.
    public var people: [Seat]
    /// The opening hours that skills refer to by id.
    public var hours: [Hours]
    /// The routing rules in order. The first rule that matches decides the skill.
    public var rules: [RoutingRule]
    /// How much each conversation counts towards an agent's capacity.
    public var capacity: Capacity
    /// When an unanswered conversation returns to the queue.
    public var silence: Silence
    /// The messages that Earshot sends on occasions such as a long wait.
    public var automatic: [AutomaticMessage]
    /// The prepared replies that agents insert.
    public var canned: [CannedReply]
    /// The wrap-up codes, tags and attributes that agents choose from.
    public var wrapUp: WrapUp
    /// The survey that a consumer gets after a conversation is closed.
    public var survey: Survey

    /// Makes the settings of a new brand, with one skill and no rules, unless told otherwise.
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

    /// A section of the settings. A change replaces, stores and undoes one section as a whole.
    public enum Section: String, Hashable, Codable, Sendable, CaseIterable {
        /// The skills with their queues, response times and acceptance modes.
        case skills
        /// The skills and capacity of each agent.
        case people
        /// The opening hours and holidays.
        case hours
        /// The routing rules, in order.
        case rules
        /// The weights of conversations.
        case capacity
        /// The limits for unanswered conversations, and the away reasons.
        case silence
        /// The automatic messages.
        case automatic
        /// The canned replies.
        case canned
        /// The wrap-up codes, tags and attributes.
        case wrapUp
        /// The survey after a conversation is closed.
        case survey

        /// What a person needs to change it. Seats say which queues people see.
        public var permission: Permission { self == .people ? .changeSeats : .changeSettings }
    }
}

extension ContactCentreSettings {
    /// The skill with this id. `nil` if the brand has none.
    public func skill(_ id: SkillID) -> Skill? { skills.first { $0.id == id } }

    /// The skill of a conversation that no rule matches.
    public var defaultSkill: Skill { skills.first(where: \.isDefault) ?? skills.first ?? .general }

    /// The opening hours of a skill. `nil` if the skill is always staffed.
    public func hours(of skill: Skill) -> Hours? { skill.hours.flatMap { id in hours.first { $0.id == id } } }

    /// The skills and capacity of an agent. `nil` if the agent is not listed.
    public func seat(of agent: AgentID) -> Seat? { people.first { $0.agent == agent } }
}
