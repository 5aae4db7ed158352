/// A routing label, with its own queue and its own promises.
public struct Skill: Hashable, Codable, Sendable {
    public let id: SkillID
    public var name: String
    /// Exactly one skill of a brand is its default.
    public var isDefault: Bool
    /// Takes new conversations while nobody with this skill is online.
    public var fallback: SkillID?
    public var accept: AcceptMode
    /// How long one ring lasts, in seconds.
    public var offerSeconds: Int
    public var sla: ResponseTimes
    /// When it is staffed; `nil`: always.
    public var hours: String?
    /// Seconds of silence by the consumer after which a conversation closes; `nil`: never by itself.
    public var autoCloseSeconds: Int?
    /// Multiplies the score that orders the queue, in percent: 100 is neutral.
    public var velocity: Int
    public var disposition: Requirement
    /// Whether a survey follows the end of a conversation.
    public var survey: Bool

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

    /// What a brand begins with.
    public static let general = Skill(id: SkillID(trusted: "general"), name: "General", isDefault: true)

    private enum CodingKeys: String, CodingKey {
        case id, name, fallback, accept, offerSeconds, sla, hours, autoCloseSeconds, velocity, disposition, survey
        case isDefault = "default"
    }
}

/// How a conversation gets from the queue to an agent.
public enum AcceptMode: String, Hashable, Codable, Sendable, CaseIterable {
    /// Assigned at once.
    case auto
    /// Rings one agent, then the next.
    case offer
    /// Rings everyone who is free; the first to accept wins.
    case offerToAll
}

/// How soon an answer is promised, in seconds of staffed time.
public struct ResponseTimes: Hashable, Codable, Sendable {
    public var usual: Int
    /// For conversations marked urgent.
    public var urgent: Int
    /// For the first answer of a conversation.
    public var first: Int

    public init(usual: Int = 900, urgent: Int = 300, first: Int = 600) {
        self.usual = usual
        self.urgent = urgent
        self.first = first
    }
}

public enum Requirement: String, Hashable, Codable, Sendable, CaseIterable {
    case off, optional, required
}

/// What an agent is to routing.
public struct Seat: Hashable, Codable, Sendable {
    public let agent: AgentID
    public var skills: [SkillID]
    /// Most work at a time, in whole active conversations.
    public var capacity: Int
    /// How fast they listen, in percent of the recorded speed; `nil`: what their player is set to counts as 100.
    public var listenSpeed: Int?

    public init(agent: AgentID, skills: [SkillID], capacity: Int = 3, listenSpeed: Int? = nil) {
        self.agent = agent
        self.skills = skills
        self.capacity = capacity
        self.listenSpeed = listenSpeed
    }
}
