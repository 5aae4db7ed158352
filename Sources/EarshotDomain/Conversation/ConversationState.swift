public import EarshotModel

/// The account, app, consumer and channel of a conversation. It never changes.
public struct ConversationIdentity: Hashable, Codable, Sendable {
    /// The id of the conversation.
    public let id: ConversationID
    /// The brand.
    public let account: AccountID
    /// The app that the consumer wrote in.
    public let app: AppID
    /// The consumer.
    public let consumer: ConsumerID
    /// The messaging channel.
    public let channel: MessagingChannel

    /// Makes the value.
    public init(id: ConversationID, account: AccountID, app: AppID, consumer: ConsumerID, channel: MessagingChannel) {
        self.id = id
        self.account = account
        self.app = app
        self.consumer = consumer
        self.channel = channel
    }
}

/// The state of one conversation. It is exactly `fold(events)`: it contains nothing that the events do not say.
public struct ConversationState: Hashable, Codable, Sendable {
    /// The account, app, consumer and channel.
    public let identity: ConversationIdentity
    /// Number of the last event; 0 before the first.
    public var sequence = 0
    /// New, waiting, open or closed.
    public var status = ConversationStatus.new
    /// The brand's people in the order in which they joined: participant 2 first.
    public var people: [Participant] = []
    /// The participant who answers it; `nil`: it has no agent.
    public var assignee: ParticipantNumber?
    /// When a participant last did something that an inbox shows.
    public var lastEventAt: Timestamp?
    /// When the oldest unanswered consumer message came, or when the conversation was closed.
    public var since: Timestamp?
    /// The preview of the last message.
    public var last: InboxRow.Preview?
    /// Numbers of the consumer's newest messages that came after the brand's last one, at most `Limits.unread` of them.
    public var unanswered: [Int] = []
    /// When things last happened that routing and timers depend on.
    public var timestamps = Timestamps()
    /// What changes rarely: queue, offer, callback, tags.
    public var routing = RoutingState()

    /// Makes the state before the first event.
    public init(_ identity: ConversationIdentity) {
        self.identity = identity
    }

    /// The participant number of this agent; `nil`: the agent never joined.
    public func participant(_ agent: AgentID) -> ParticipantNumber? {
        people.last { $0.id == agent }?.by
    }

    /// The participant number of this actor; `nil` for an agent who never joined.
    public func participant(_ actor: Actor) -> ParticipantNumber? {
        switch actor {
        case .consumer: .consumer
        case .agent(let id, _, _, _): participant(id)
        }
    }

    /// The same, but `nil` for agents whom the consumer must not notice: those who only wrote a note or declined show
    /// no reading, playback or typing.
    public func openParticipant(_ actor: Actor) -> ParticipantNumber? {
        participant(actor).flatMap { person($0)?.quiet == true ? nil : $0 }
    }

    /// The participant with this number.
    public func person(_ number: ParticipantNumber) -> Participant? {
        people.first { $0.by == number }
    }
}
