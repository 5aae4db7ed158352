/// One line of an agent's inbox, written with the events (docs/protocol.md section 4).
public struct InboxRow: Hashable, Codable, Sendable {
    public let conversation: ConversationID
    /// Feed position of the last change of this row.
    public let position: Int64
    public let status: ConversationStatus
    public let assignee: AgentID?
    public let assigneeName: String?
    /// The consumer's name, or what stands for it.
    public let who: String
    public let channel: MessagingChannel
    public let app: AppID
    /// The last event's number.
    public let sequence: Int
    /// When the last event happened.
    public let at: Timestamp
    /// When the oldest unanswered consumer message came, or when the conversation was closed.
    public let since: Timestamp
    public let last: Preview?
    /// Consumer messages that no agent has read; `Limits.unread` means that many or more.
    public let unread: Int
    /// Milliseconds of the consumer's voice messages that nobody of the brand has played; `nil` where there are none.
    public let unplayed: Int?
    /// What routing adds; `nil` where it has nothing to say.
    public var routing: RoutingInfo?

    /// What an agent's list says beside who and what.
    public struct RoutingInfo: Hashable, Codable, Sendable {
        public var skill: SkillID?
        public var urgent: Bool?
        /// By when the consumer is to be answered. From the brand's response times, so it is filled in where the row
        /// is sent.
        public var due: Timestamp?
        /// Rings at these agents, until then.
        public var offer: Event.Offered?
        /// Meant for this agent.
        public var reserved: AgentID?
        /// An agent promised to be back by then.
        public var callback: Timestamp?
        public var tags: [String]?
        /// The consumer's latest answer to the survey, 1 to 5.
        public var csat: Int?
        /// Who was mentioned and has not seen it.
        public var mentioned: [AgentID]?

        public init(
            skill: SkillID? = nil, urgent: Bool? = nil, due: Timestamp? = nil, offer: Event.Offered? = nil,
            reserved: AgentID? = nil, callback: Timestamp? = nil,
            tags: [String]? = nil, csat: Int? = nil, mentioned: [AgentID]? = nil
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
        }

        private enum CodingKeys: String, CodingKey {
            case skill, urgent, due, offer, callback, tags, csat, mentioned
            case reserved = "for"
        }
    }

    /// The last message in short.
    public struct Preview: Hashable, Codable, Sendable {
        public let by: ParticipantNumber
        /// At most `Limits.previewCharacters` characters.
        public let text: String?
        /// A voice message's length in milliseconds.
        public let audio: Int?

        public init(by: ParticipantNumber, text: String? = nil, audio: Int? = nil) {
            self.by = by
            self.text = text
            self.audio = audio
        }
    }

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

    private enum CodingKeys: String, CodingKey {
        case conversation = "c"
        case position = "p"
        case status, who, channel, app, at, since, last, unread, unplayed, routing
        case assignee = "to"
        case assigneeName = "toName"
        case sequence = "n"
    }
}
