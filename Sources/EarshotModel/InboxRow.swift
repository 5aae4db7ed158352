/// One row of an agent's inbox, stored in the same transaction as the events (docs/protocol.md section 4).
public struct InboxRow: Hashable, Codable, Sendable {
    /// The conversation that the row describes.
    public let conversation: ConversationID
    /// The account's feed position at the last change of this row.
    public let position: Int64
    /// Whether the conversation waits, is assigned or is closed.
    public let status: ConversationStatus
    /// The agent who answers. `nil` if no agent does.
    public let assignee: AgentID?
    /// The display name of `assignee`. `nil` if no agent answers.
    public let assigneeName: String?
    /// The consumer's name, or a label such as "Visitor 4F2A" for an anonymous consumer.
    public let who: String
    /// The channel on which the consumer writes.
    public let channel: MessagingChannel
    /// The app or site in which the consumer writes.
    public let app: AppID
    /// The number of the last event.
    public let sequence: Int
    /// When the last event happened.
    public let at: Timestamp
    /// When the oldest unanswered consumer message came, or when the conversation was closed.
    public let since: Timestamp
    /// A summary of the last message. `nil` before the first one.
    public let last: Preview?
    /// Consumer messages that no agent has read. `Limits.unread` means that many or more.
    public let unread: Int
    /// Total length, in milliseconds, of the consumer's voice messages that none of the brand's people has played.
    /// `nil` if there are none.
    public let unplayed: Int?
    /// The routing state. `nil` if routing has no data for the conversation.
    public var routing: RoutingInfo?

    /// The routing state that an agent's list shows: queue, offer, callback, tags and mentions.
    public struct RoutingInfo: Hashable, Codable, Sendable {
        /// The skill whose queue the conversation belongs to. `nil` before routing chose one.
        public var skill: SkillID?
        /// `true` if the conversation is marked as urgent. `nil` otherwise.
        public var urgent: Bool?
        /// When the answer to the consumer is due. It depends on the brand's response times, so the server computes it
        /// when it sends the row.
        public var due: Timestamp?
        /// The current offer: the agents and when it expires. `nil` if there is none.
        public var offer: Event.Offered?
        /// The agent that the conversation is reserved for. `nil` if there is no reservation.
        public var reserved: AgentID?
        /// When an agent who snoozed the conversation will be back. `nil` without a callback.
        public var callback: Timestamp?
        /// All tags of the conversation. `nil` if there are none.
        public var tags: [String]?
        /// The consumer's latest satisfaction score, 1 to 5. `nil` if there is none.
        public var csat: Int?
        /// Agents who were mentioned and have not marked the mention as read. `nil` if there are none.
        public var mentioned: [AgentID]?
        /// Who closed the conversation, where the consumer wrote an afterword that no one has looked at. `nil`
        /// otherwise.
        public var afterword: AgentID?
        /// `true` if the consumer wrote last and that needs no answer. `nil` otherwise.
        public var settled: Bool?
        /// The call that is under way, or to which the consumer is invited. `nil` without one.
        public var call: Call?
        /// What the consumer asks to be called by. `nil` unless they ask and nobody has called.
        public var wantedCall: CallKind?

        /// Makes a routing state; every part that has no value is omitted on the wire.
        public init(
            skill: SkillID? = nil, urgent: Bool? = nil, due: Timestamp? = nil, offer: Event.Offered? = nil,
            reserved: AgentID? = nil, callback: Timestamp? = nil,
            tags: [String]? = nil, csat: Int? = nil, mentioned: [AgentID]? = nil, afterword: AgentID? = nil,
            settled: Bool? = nil, call: Call? = nil, wantedCall: CallKind? = nil
        ) {
            self.skill = skill
            self.urgent = urgent
            self.due = due
            self.offer = offer
            self.reserved = reserved
            self.callback = callback
            self.tags = tags
            self.csat = csat
            self.mentioned = mentioned
            self.afterword = afterword
            self.settled = settled
            self.call = call
            self.wantedCall = wantedCall
        }
    }

    /// A call that is under way, or to which the consumer is invited.
    public struct Call: Hashable, Codable, Sendable {
        /// The call's number.
        public let number: Int
        /// What is said in it.
        public let kind: CallKind
        /// Who invited the consumer.
        public let agent: AgentID
        /// When the invitation ends unanswered.
        public let until: Timestamp
        /// When the consumer accepted. `nil` while they are invited.
        public let since: Timestamp?

        /// Makes the value.
        public init(number: Int, kind: CallKind, agent: AgentID, until: Timestamp, since: Timestamp?) {
            (self.number, self.kind, self.agent, self.until, self.since) = (number, kind, agent, until, since)
        }
    }

    /// A summary of the last message: a text or a voice message.
    public struct Preview: Hashable, Codable, Sendable {
        /// The participant who sent the message.
        public let by: ParticipantNumber
        /// The beginning of the text, at most `Limits.previewCharacters` characters. `nil` for a voice message.
        public let text: String?
        /// The voice message's length in milliseconds. `nil` for a text.
        public let audio: Int?

        /// Makes a preview. Give `text` or `audio`, not both.
        public init(by: ParticipantNumber, text: String? = nil, audio: Int? = nil) {
            self.by = by
            self.text = text
            self.audio = audio
        }
    }

    /// Makes a row; an `unplayed` of 0 is stored as `nil`.
    public init(
        conversation: ConversationID, position: Int64, status: ConversationStatus, assignee: AgentID?,
        assigneeName: String?, who: String,
        channel: MessagingChannel, app: AppID, sequence: Int, at: Timestamp, since: Timestamp, last: Preview?,
        unread: Int,
        unplayed: Int = 0, routing: RoutingInfo? = nil
    ) {
        self.conversation = conversation
        self.position = position
        self.status = status
        self.assignee = assignee
        self.assigneeName = assigneeName
        self.who = who
        self.channel = channel
        self.app = app
        self.sequence = sequence
        self.at = at
        self.since = since
        self.last = last
        self.unread = unread
        self.unplayed = unplayed > 0 ? unplayed : nil
        self.routing = routing
    }
}
