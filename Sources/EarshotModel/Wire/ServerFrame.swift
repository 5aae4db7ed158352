/// What the server says on the socket: docs/protocol.md section 2. `conversation` is left away to a consumer, who has
/// one.
public enum ServerFrame: Hashable, Sendable {
    /// A consumer's snapshot.
    case ready(ConsumerReady)
    /// An agent's snapshot: the inbox.
    case inbox(AgentReady)
    case events(Delivery)
    /// Answer to `watch`.
    case watching(Watching)
    /// Answer to `page`.
    case page(Page)
    case ok(Acceptance)
    case no(Refusal)
    case typing(Typing)
    case marks(MovedMarks)
    /// Voice messages were played further.
    case played(MovedPlayback)
    /// The brand changed its settings.
    case settings(SettingsView)
    /// Inbox rows that changed.
    case rows(Rows)
    /// What a waiting consumer may expect; `nil`: nothing is awaited.
    case expect(Expectation?)
    /// The agent as routing sees them.
    case me(Colleague)
    /// The brand's people, to whoever asked.
    case team([Colleague])
    case wall(Wall)
    /// The centre's settings changed: this version is in force.
    case centre(Int)
    /// A frame that has no key was refused.
    case problem(Problem)
    /// The close that follows has this reason.
    case bye(Farewell)
}

extension ServerFrame {
    public struct ConsumerReady: Hashable, Codable, Sendable {
        public let epoch: String
        /// The server's version.
        public let version: String
        public let me: ParticipantNumber
        public let status: ConversationStatus
        public let people: [Participant]
        public let marks: [Mark]
        public let events: [Event]
        public let through: Int
        /// Whether older events exist than these.
        public let more: Bool
        /// How far the voice messages among these events were played; `nil` where nobody played any.
        public let played: [PlaybackProgress]?
        /// Forget what you have: your cursor was of another log, or too far back.
        public let fresh: Bool?

        public init(
            epoch: String, me: ParticipantNumber = .consumer, status: ConversationStatus, people: [Participant],
            marks: [Mark], events: [Event],
            through: Int, more: Bool, played: [PlaybackProgress] = [], fresh: Bool?
        ) {
            self.epoch = epoch
            version = EarshotVersion.current
            self.me = me
            self.status = status
            self.people = people
            self.marks = marks
            self.events = events
            self.through = through
            self.more = more
            self.played = played.isEmpty ? nil : played
            self.fresh = fresh
        }
    }

    public struct AgentReady: Hashable, Codable, Sendable {
        public let epoch: String
        /// The server's version.
        public let version: String
        public let agent: AgentID
        public let rows: [InboxRow]
        public let position: Int64
        public let fresh: Bool

        public init(epoch: String, agent: AgentID, rows: [InboxRow], position: Int64, fresh: Bool) {
            self.epoch = epoch
            version = EarshotVersion.current
            self.agent = agent
            self.rows = rows
            self.position = position
            self.fresh = fresh
        }
    }

    /// Events without a gap for their viewer.
    public struct Delivery: Hashable, Sendable {
        public let events: [Event]
        public let conversation: ConversationID?
        /// Given where it is not the last event's number.
        public let through: Int?

        public init(events: [Event], conversation: ConversationID?, through: Int?) {
            self.events = events
            self.conversation = conversation
            self.through = through
        }
    }

    public struct Watching: Hashable, Sendable {
        public let conversation: ConversationID
        public let status: ConversationStatus
        public let who: ConsumerCard
        public let people: [Participant]
        public let marks: [Mark]
        public let events: [Event]
        public let through: Int
        public let more: Bool
        public let played: [PlaybackProgress]?
        public let fresh: Bool

        public init(
            conversation: ConversationID, status: ConversationStatus, who: ConsumerCard, people: [Participant],
            marks: [Mark], events: [Event],
            through: Int, more: Bool, played: [PlaybackProgress] = [], fresh: Bool
        ) {
            self.conversation = conversation
            self.status = status
            self.who = who
            self.people = people
            self.marks = marks
            self.events = events
            self.through = through
            self.more = more
            self.played = played.isEmpty ? nil : played
            self.fresh = fresh
        }
    }

    public struct Page: Hashable, Sendable {
        public let conversation: ConversationID?
        public let events: [Event]
        public let more: Bool
        public let played: [PlaybackProgress]?

        public init(conversation: ConversationID?, events: [Event], more: Bool, played: [PlaybackProgress] = []) {
            self.conversation = conversation
            self.events = events
            self.more = more
            self.played = played.isEmpty ? nil : played
        }
    }
}
