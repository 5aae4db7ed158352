public import EarshotModel

/// What routing knows of one open conversation: made from its state, `ConversationState.ticket`, and from nothing else.
public struct QueueEntry: Hashable, Sendable {
    public let conversation: ConversationID
    public var skill: SkillID
    /// Who answers it; `nil`: it waits.
    public var assignee: AgentID?
    /// Meant for this agent, until then; after it, for anybody with the skill.
    public var reserved: Reservation?
    /// Rings here and now.
    public var offer: Offer?
    /// Who declined it, let it ring or gave it back since it last waited: not asked again while there is anybody else.
    public var refused: Set<AgentID>
    /// Who answered it before.
    public var previous: AgentID?
    /// When it last began to wait for an agent; when its agent got it.
    public var queuedAt: Timestamp
    public var assignedAt: Timestamp?
    /// The oldest consumer message that nobody answered; `nil`: it waits for the consumer.
    public var unansweredSince: Timestamp?
    /// When the brand last said something to the consumer, and how old the message was that it answered, in milliseconds.
    public var answeredAt: Timestamp?
    public var answeredAgeMs: Int64
    /// An agent promised to be back.
    public var callback: Callback?
    public var isUrgent: Bool
    /// Nobody of the brand has said anything yet.
    public var isFirst: Bool
    public var transfers: Int
    /// Milliseconds of voice that nobody of the brand has played.
    public var unplayedMs: Int
    /// The brand's rules have said where it goes. Until then it has a place, and nobody gets it.
    public var isRouted = true

    public init(
        conversation: ConversationID, skill: SkillID, assignee: AgentID? = nil, reserved: Reservation? = nil,
        offer: Offer? = nil,
        refused: Set<AgentID> = [],
        previous: AgentID? = nil, queuedAt: Timestamp, assignedAt: Timestamp? = nil, unansweredSince: Timestamp? = nil,
        answeredAt: Timestamp? = nil,
        answeredAgeMs: Int64 = 0, callback: Callback? = nil, isUrgent: Bool = false, isFirst: Bool = true,
        transfers: Int = 0, unplayedMs: Int = 0
    ) {
        self.conversation = conversation
        self.skill = skill
        self.assignee = assignee
        self.reserved = reserved
        self.offer = offer
        self.refused = refused
        self.previous = previous
        self.queuedAt = queuedAt
        self.assignedAt = assignedAt
        self.unansweredSince = unansweredSince
        self.answeredAt = answeredAt
        self.answeredAgeMs = answeredAgeMs
        self.callback = callback
        self.isUrgent = isUrgent
        self.isFirst = isFirst
        self.transfers = transfers
        self.unplayedMs = unplayedMs
    }

    public struct Reservation: Hashable, Sendable {
        public let agent: AgentID
        public let until: Timestamp

        public init(agent: AgentID, until: Timestamp) {
            self.agent = agent
            self.until = until
        }
    }

    public struct Offer: Hashable, Sendable {
        public let to: [AgentID]
        public let until: Timestamp

        public init(to: [AgentID], until: Timestamp) {
            self.to = to
            self.until = until
        }
    }

    public struct Callback: Hashable, Sendable {
        public let madeAt: Timestamp
        public let until: Timestamp

        public init(madeAt: Timestamp, until: Timestamp) {
            self.madeAt = madeAt
            self.until = until
        }
    }
}
