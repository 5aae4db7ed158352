public import EarshotModel

/// What routing knows about one open conversation. It is made from the conversation's state; nothing else goes
/// into it.
public struct QueueEntry: Hashable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The queue that it waits in, or was assigned from.
    public var skill: SkillID
    /// The agents who have it, had it, or may get it.
    public var agents: Agents
    /// When it was queued, assigned and answered.
    public var times: Times
    /// What raises its place in the queue.
    public var priority: Priority
    /// Whether the brand's routing rules have chosen a skill. Until then it has a position, but no agent gets it.
    public var isRouted = true

    /// Makes an entry. Without `agents` no agent has had it yet.
    public init(
        conversation: ConversationID, skill: SkillID, agents: Agents = Agents(), times: Times,
        priority: Priority = Priority()
    ) {
        self.conversation = conversation
        self.skill = skill
        self.agents = agents
        self.times = times
        self.priority = priority
    }

    /// The agents who have a conversation, had it, or may get it.
    public struct Agents: Hashable, Sendable {
        /// Who answers it; `nil`: it waits.
        public var assignee: AgentID?
        /// The agent it is reserved for. After the reservation's end any agent with the skill may get it.
        public var reserved: Reservation?
        /// The offer that is open now.
        public var offer: Offer?
        /// Who declined it, let an offer expire or gave it back since it last waited. They are asked again only when no
        /// other agent is left.
        public var refused: Set<AgentID>
        /// Who answered it before.
        public var previous: AgentID?

        /// Makes the value.
        public init(
            assignee: AgentID? = nil, reserved: Reservation? = nil, offer: Offer? = nil, refused: Set<AgentID> = [],
            previous: AgentID? = nil
        ) {
            self.assignee = assignee
            self.reserved = reserved
            self.offer = offer
            self.refused = refused
            self.previous = previous
        }
    }

    /// When a conversation was queued, assigned and answered.
    public struct Times: Hashable, Sendable {
        /// When it last began to wait for an agent.
        public var queuedAt: Timestamp
        /// When its agent got it.
        public var assignedAt: Timestamp?
        /// When the oldest unanswered consumer message came; `nil`: the brand waits for the consumer.
        public var unansweredSince: Timestamp?
        /// When the brand last wrote to the consumer.
        public var answeredAt: Timestamp?
        /// How old the message was that the brand's last message answered, in milliseconds.
        public var answeredAgeMs: Int64 = 0
        /// The time at which an agent promised to be back.
        public var callback: Callback?

        /// Makes the value. `answeredAt`, `answeredAgeMs` and `callback` are set afterwards.
        public init(queuedAt: Timestamp, assignedAt: Timestamp? = nil, unansweredSince: Timestamp? = nil) {
            self.queuedAt = queuedAt
            self.assignedAt = assignedAt
            self.unansweredSince = unansweredSince
        }
    }

    /// What raises a conversation's place in its queue.
    public struct Priority: Hashable, Sendable {
        /// Marked as urgent.
        public var isUrgent: Bool
        /// Nobody of the brand has written anything yet.
        public var isFirst: Bool
        /// How often it was transferred.
        public var transfers: Int
        /// Milliseconds of voice that nobody of the brand has played.
        public var unplayedMs: Int

        /// Makes the value.
        public init(isUrgent: Bool = false, isFirst: Bool = true, transfers: Int = 0, unplayedMs: Int = 0) {
            self.isUrgent = isUrgent
            self.isFirst = isFirst
            self.transfers = transfers
            self.unplayedMs = unplayedMs
        }
    }

    /// The agent a conversation is reserved for, and until when.
    public struct Reservation: Hashable, Sendable {
        /// The only agent who may get it.
        public let agent: AgentID
        /// When the reservation ends.
        public let until: Timestamp

        /// Makes the value.
        public init(agent: AgentID, until: Timestamp) {
            self.agent = agent
            self.until = until
        }
    }

    /// The agents a conversation is offered to, and until when.
    public struct Offer: Hashable, Sendable {
        /// The agents who may accept it.
        public let to: [AgentID]
        /// When the offer expires.
        public let until: Timestamp

        /// Makes the value.
        public init(to: [AgentID], until: Timestamp) {
            self.to = to
            self.until = until
        }
    }

    /// An agent's promise to be back at a time.
    public struct Callback: Hashable, Sendable {
        /// When the agent promised it.
        public let madeAt: Timestamp
        /// When the agent will be back.
        public let until: Timestamp

        /// Makes the value.
        public init(madeAt: Timestamp, until: Timestamp) {
            self.madeAt = madeAt
            self.until = until
        }
    }
}

extension QueueEntry {
    /// What routing knows about this conversation; `nil` unless it waits or has an agent.
    public init?(_ state: ConversationState, unplayedMs: Int, in centre: ContactCentreSettings) {
        guard state.status == .waiting || state.status == .open else { return nil }
        let routing = state.routing
        let agents = Agents(
            assignee: state.assignee.flatMap { state.person($0)?.id },
            reserved: routing.reserved.map { .init(agent: $0.agent, until: $0.until) },
            offer: routing.offer.map { .init(to: $0.to, until: $0.until) },
            refused: Set(routing.refused), previous: routing.previous)
        var times = Times(
            queuedAt: state.timestamps.queued ?? state.lastEventAt ?? Timestamp(milliseconds: 0),
            assignedAt: state.timestamps.assigned, unansweredSince: state.unansweredSince)
        (times.answeredAt, times.answeredAgeMs) = (state.timestamps.answered, state.timestamps.answeredAgeMs)
        times.callback = routing.callback.map { .init(madeAt: $0.madeAt, until: $0.until) }
        let priority = Priority(
            isUrgent: routing.isUrgent, isFirst: !routing.isAnswered, transfers: routing.transfers,
            unplayedMs: unplayedMs)
        self.init(
            conversation: state.identity.id, skill: routing.skill ?? centre.defaultSkill.id, agents: agents,
            times: times, priority: priority)
    }
}
