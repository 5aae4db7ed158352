/// A routing label with its own queue and response times.
public struct Skill: Hashable, Codable, Sendable {
    /// The id that rules, people and conversations refer to.
    public let id: SkillID
    /// The name that the brand's people see; automatic messages can insert it as `{skill}`.
    public var name: String
    /// Exactly one skill of a brand is its default.
    public var isDefault: Bool
    /// The skill that gets new conversations while no agent with this skill is online. `nil`: they wait.
    public var fallback: SkillID?
    /// How a conversation gets from the queue to an agent.
    public var accept: AcceptMode
    /// How long an offer lasts before it expires, in seconds.
    public var offerSeconds: Int
    /// The response times that the brand promises for this skill.
    public var sla: ResponseTimes
    /// The id of the opening hours. `nil`: the skill is always staffed.
    public var hours: String?
    /// Seconds without a message from the consumer after which a conversation is closed. `nil`: never.
    public var autoCloseSeconds: Int?
    /// A factor, in percent, for the score that orders the queue. 100 is neutral.
    public var velocity: Int
    /// Whether agents must choose a wrap-up code before they close a conversation.
    public var disposition: Requirement
    /// Whether the consumer gets the survey after a conversation is closed.
    public var survey: Bool

    /// Makes a skill that offers conversations to one agent at a time, unless told otherwise.
    public init(
        id: SkillID, name: String, isDefault: Bool = false, fallback: SkillID? = nil, accept: AcceptMode = .offer,
        offerSeconds: Int = 30,
        sla: ResponseTimes = ResponseTimes(), hours: String? = nil, autoCloseSeconds: Int? = nil, velocity: Int = 100,
        disposition: Requirement = .optional,
        survey: Bool = true
    ) {
        self.id = id
        self.name = name
        self.isDefault = isDefault
        self.fallback = fallback
        self.accept = accept
        self.offerSeconds = offerSeconds
        self.sla = sla
        self.hours = hours
        self.autoCloseSeconds = autoCloseSeconds
        self.velocity = velocity
        self.disposition = disposition
        self.survey = survey
    }

    /// The skill of a new brand, which is its default.
    public static let general = Skill(id: SkillID(trusted: "general"), name: "General", isDefault: true)
}

/// How a conversation gets from the queue to an agent.
public enum AcceptMode: String, Hashable, Codable, Sendable, CaseIterable {
    /// Assign it to an agent without asking.
    case auto
    /// Offer it to one agent, and to the next if the offer is declined or expires.
    case offer
    /// Offer it to every free agent. The first to accept gets it.
    case offerToAll
}

/// The response times that a brand promises, in seconds of staffed time.
public struct ResponseTimes: Hashable, Codable, Sendable {
    /// Seconds for an answer in a conversation that is neither new nor urgent.
    public var usual: Int
    /// Seconds for an answer in an urgent conversation.
    public var urgent: Int
    /// Seconds for the first answer of a conversation.
    public var first: Int

    /// Makes response times in seconds: 15 minutes, 5 if urgent and 10 for the first answer, unless told otherwise.
    public init(usual: Int = 900, urgent: Int = 300, first: Int = 600) {
        self.usual = usual
        self.urgent = urgent
        self.first = first
    }
}

/// Whether agents choose a wrap-up code when they close a conversation.
public enum Requirement: String, Hashable, Codable, Sendable, CaseIterable {
    /// The workspace does not ask for a code.
    case off
    /// The agent may choose a code.
    case optional
    /// The agent must choose a code; closing without one gets `disposition_required`.
    case required
}

/// An agent's skills and capacity, as routing uses them.
public struct Seat: Hashable, Codable, Sendable {
    /// The agent that the settings are for.
    public let agent: AgentID
    /// The skills whose conversations the agent gets.
    public var skills: [SkillID]
    /// The most work at a time, in whole active conversations.
    public var capacity: Int
    /// The agent's listening speed in percent of the recorded speed. `nil` counts as 100.
    public var listenSpeed: Int?

    /// Makes the settings of one agent, with a capacity of 3 unless told otherwise.
    public init(agent: AgentID, skills: [SkillID], capacity: Int = 3, listenSpeed: Int? = nil) {
        self.agent = agent
        self.skills = skills
        self.capacity = capacity
        self.listenSpeed = listenSpeed
    }
}
