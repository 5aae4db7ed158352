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
    /// Milliseconds of the consumer's voice messages that nobody of the brand has heard; `nil` where there are none.
    public let unheard: Int?

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
        conversation: ConversationID, position: Int64, status: ConversationStatus, assignee: AgentID?, assigneeName: String?, who: String,
        channel: MessagingChannel, app: AppID, sequence: Int, at: Timestamp, since: Timestamp, last: Preview?, unread: Int,
        unheard: Int = 0
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
        self.unheard = unheard > 0 ? unheard : nil
    }

    private enum CodingKeys: String, CodingKey {
        case conversation = "c"
        case position = "p"
        case status, who, channel, app, at, since, last, unread, unheard
        case assignee = "to"
        case assigneeName = "toName"
        case sequence = "n"
    }
}
