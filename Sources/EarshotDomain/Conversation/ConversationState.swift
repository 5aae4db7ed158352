public import EarshotModel

/// Whose conversation it is: fixed before the first event, never changed after.
public struct ConversationIdentity: Hashable, Codable, Sendable {
    public let id: ConversationID
    public let account: AccountID
    public let app: AppID
    public let consumer: ConsumerID
    public let channel: MessagingChannel

    public init(id: ConversationID, account: AccountID, app: AppID, consumer: ConsumerID, channel: MessagingChannel) {
        self.id = id
        self.account = account
        self.app = app
        self.consumer = consumer
        self.channel = channel
    }
}

/// What the events of one conversation add up to. Exactly `fold(events)`: nothing stands here that the events do not say.
public struct ConversationState: Hashable, Codable, Sendable {
    public let identity: ConversationIdentity
    /// Number of the last event; 0 before the first.
    public var sequence = 0
    public var status = ConversationStatus.new
    /// The brand's people in the order in which they joined: participant 2 first.
    public var people: [Participant] = []
    public var assignee: ParticipantNumber?
    public var lastEventAt: Timestamp?
    /// When the oldest unanswered consumer message came, or when the conversation was closed.
    public var since: Timestamp?
    public var last: InboxRow.Preview?
    /// Numbers of the consumer's newest messages that came after the brand's last one, at most `Limits.unread` of them.
    public var unanswered: [Int] = []
    /// When things last happened that routing and timers go by.
    public var timestamps = Timestamps()
    /// What changes rarely: queue, ring, callback, labels.
    public var routing = RoutingState()

    public init(_ identity: ConversationIdentity) {
        self.identity = identity
    }

    /// The participant that this agent is here, if the agent ever joined.
    public func participant(_ agent: AgentID) -> ParticipantNumber? {
        people.last { $0.id == agent }?.by
    }

    /// The participant that this actor is here; `nil` for an agent who never joined.
    public func participant(_ actor: Actor) -> ParticipantNumber? {
        switch actor {
        case .consumer: .consumer
        case .agent(let id, _, _): participant(id)
        }
    }

    /// The same, where the consumer may learn of them: whoever only wrote a note or declined leaves no trace, be it by reading, playback or typing.
    public func openParticipant(_ actor: Actor) -> ParticipantNumber? {
        participant(actor).flatMap { person($0)?.quiet == true ? nil : $0 }
    }

    public func person(_ number: ParticipantNumber) -> Participant? {
        people.first { $0.by == number }
    }
}
