public import EarshotModel

/// When things last happened that routing and timers go by. All numbers, for they change with every message.
public struct Timestamps: Hashable, Codable, Sendable {
    public var started: Timestamp?
    public var resumed: Timestamp?
    /// The last end, also after it went on.
    public var closed: Timestamp?
    /// When it last began to wait for an agent; when its agent got it.
    public var queued: Timestamp?
    public var assigned: Timestamp?
    /// The brand's last word, and the age of what it answered, in milliseconds.
    public var answered: Timestamp?
    public var answeredAgeMs: Int64 = 0
    public var urgent: Timestamp?
    public var skillChanged: Timestamp?
    public var managerJoined: Timestamp?
    public var managerLeft: Timestamp?
    public var surveyed: Timestamp?

    public init() {}

    /// Milliseconds each, -1 for none; the age in its place.
    public var numbers: [Int64] {
        [started, resumed, closed, queued, assigned, answered].map { $0?.milliseconds ?? -1 } + [answeredAgeMs]
            + [urgent, skillChanged, managerJoined, managerLeft, surveyed].map { $0?.milliseconds ?? -1 }
    }

    /// `nil` unless `numbers` made them. Fewer are those of an older version.
    public init?(numbers: [Int64]) {
        guard numbers.isEmpty || numbers.count == 12 else { return nil }
        guard !numbers.isEmpty else { return }
        func time(_ index: Int) -> Timestamp? { numbers[index] < 0 ? nil : Timestamp(milliseconds: numbers[index]) }
        (started, resumed, closed, queued, assigned, answered) = (time(0), time(1), time(2), time(3), time(4), time(5))
        answeredAgeMs = numbers[6]
        (urgent, skillChanged, managerJoined, managerLeft, surveyed) = (time(7), time(8), time(9), time(10), time(11))
    }
}

/// What routing and the brand's people noted of a conversation. Changes rarely beside the messages; stored as its JSON.
public struct RoutingState: Hashable, Codable, Sendable {
    public var skill: SkillID?
    public var isUrgent = false
    /// The brand has said something since it began or went on.
    public var isAnswered = false
    /// An agent wrote into a closed conversation: nobody greets a consumer who was written to.
    public var wasResumedByBrand = false
    public var queuedWhy: Work.Queued.Why?
    /// Whose response times held before the skill changed.
    public var skillBefore: SkillID?
    public var reserved: Reservation?
    public var offer: Work.Offered?
    /// Who declined it, let it ring, or gave it back since it last was assigned.
    public var refused: [AgentID] = []
    public var previous: AgentID?
    public var callback: Callback?
    public var transfers = 0
    public var tags: [String] = []
    public var attributes: [String: String] = [:]
    public var disposition: String?
    /// When each automatic message was last said.
    public var said: [String: Timestamp] = [:]
    public var survey: Work.Surveyed?
    public var csat: Int?
    public var nps: Int?
    public var mentioned: [AgentID] = []
    /// Managers who joined, beside whoever answers.
    public var here: [ParticipantNumber] = []
    /// How it ended: by its consumer, by idling; `nil`: by an agent. And whether nothing is asked.
    public var closedWhy: Event.Closed.Why?
    public var closedQuietly = false

    public init() {}

    public struct Reservation: Hashable, Codable, Sendable {
        public var agent: AgentID
        public var until: Timestamp

        public init(agent: AgentID, until: Timestamp) {
            self.agent = agent
            self.until = until
        }
    }

    public struct Callback: Hashable, Codable, Sendable {
        public var madeAt: Timestamp
        public var until: Timestamp

        public init(madeAt: Timestamp, until: Timestamp) {
            self.madeAt = madeAt
            self.until = until
        }
    }
}

extension RoutingState {
    /// What an agent's list says of it, without the due time, which depends on the brand's response times.
    var row: InboxRow.RoutingInfo? {
        guard self != RoutingState() else { return nil }
        return InboxRow.RoutingInfo(
            skill: skill, urgent: isUrgent ? true : nil, due: nil, offer: offer, reserved: reserved?.agent,
            callback: callback?.until,
            tags: tags.isEmpty ? nil : tags, csat: csat, mentioned: mentioned.isEmpty ? nil : mentioned)
    }
}

extension ConversationState {
    /// The oldest consumer message that nobody answered; `nil`: it waits for the consumer.
    public var unansweredSince: Timestamp? { unanswered.isEmpty ? nil : since }

    /// What routing knows about it; `nil` unless it waits or has an agent.
    public func queueEntry(unplayedMs: Int, in centre: ContactCentreSettings) -> QueueEntry? {
        guard status == .waiting || status == .open else { return nil }
        let agents = QueueEntry.Agents(
            assignee: assignee.flatMap { person($0)?.id },
            reserved: routing.reserved.map { .init(agent: $0.agent, until: $0.until) },
            offer: routing.offer.map { .init(to: $0.to, until: $0.until) },
            refused: Set(routing.refused), previous: routing.previous)
        var times = QueueEntry.Times(
            queuedAt: timestamps.queued ?? lastEventAt ?? Timestamp(milliseconds: 0),
            assignedAt: timestamps.assigned, unansweredSince: unansweredSince)
        (times.answeredAt, times.answeredAgeMs) = (timestamps.answered, timestamps.answeredAgeMs)
        times.callback = routing.callback.map { .init(madeAt: $0.madeAt, until: $0.until) }
        let priority = QueueEntry.Priority(
            isUrgent: routing.isUrgent, isFirst: !routing.isAnswered, transfers: routing.transfers,
            unplayedMs: unplayedMs)
        return QueueEntry(
            conversation: identity.id, skill: routing.skill ?? centre.defaultSkill.id, agents: agents, times: times,
            priority: priority)
    }
}
