/// A frame from the server to a client (docs/protocol.md section 2). Frames to a consumer omit `conversation`, because
/// a consumer has only one.
public enum ServerFrame: Hashable, Sendable {
    /// The first frame to a consumer: a snapshot of the conversation.
    case ready(ConsumerReady)
    /// The first frame to an agent: the inbox.
    case inbox(AgentReady)
    /// New events of a conversation.
    case events(Delivery)
    /// The answer to `watch`: a snapshot of the conversation.
    case watching(Watching)
    /// The answer to `page`: older events.
    case page(Page)
    /// The command with this key was accepted and its event is stored.
    case ok(Acceptance)
    /// The command with this key was refused and had no effect.
    case no(Refusal)
    /// A participant types, or stopped.
    case typing(Typing)
    /// Participants received or read more events.
    case marks(MovedMarks)
    /// Participants played more of voice messages.
    case played(MovedPlayback)
    /// The brand changed its settings. These are the settings as they apply to the recipient.
    case settings(SettingsView)
    /// Inbox rows that changed.
    case rows(Rows)
    /// What a waiting consumer can expect. `nil` if no answer is due.
    case expect(Expectation?)
    /// The agent's own presence, skills and load, as routing sees them.
    case me(Colleague)
    /// The brand's people, to an agent who subscribed with `team`.
    case team([Colleague])
    /// The live figures of the queues, to a manager who subscribed with `wall`; at most once a second.
    case wall(Wall)
    /// The version of the contact-centre settings that is now in force. The client fetches them.
    case centre(Int)
    /// A frame without a key was refused.
    case problem(Problem)
    /// The reason for closing the socket, sent just before the close.
    case bye(Farewell)
    /// A signal of the other device of a call.
    case signal(CallSignalled)
    /// How a call stands for this device.
    case call(CallStatus)
    /// What could this device do for a call?
    case check(CallCheck)
    /// What a device of the consumer could do for a call.
    case checked(CallChecked)
}

extension ServerFrame {
    /// The snapshot that a consumer gets after `hello`.
    public struct ConsumerReady: Hashable, Codable, Sendable {
        /// The log's epoch. A cursor of another epoch is invalid.
        public let epoch: String
        /// The server's version.
        public let version: String
        /// The consumer's own participant number, always 1.
        public let me: ParticipantNumber
        /// The state of the conversation; `new` before the first message.
        public let status: ConversationStatus
        /// The agents and managers whom the consumer may see.
        public let people: [Participant]
        /// The watermarks: the consumer's own, and one for the whole brand under number 2.
        public let marks: [Mark]
        /// The events after the client's cursor, or with `fresh` the newest ones, in order.
        public let events: [Event]
        /// The sequence through which the snapshot is complete. Later events follow in `events` frames.
        public let through: Int
        /// Whether there are events older than these.
        public let more: Bool
        /// Playback progress of the newest voice messages. `nil` if none was played.
        public let played: [PlaybackProgress]?
        /// `true` if the client must discard what it has: its cursor is of another epoch or too old; else `nil`.
        public let fresh: Bool?
        /// Makes a snapshot with this build's version; empty `played` is stored as `nil`.
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

    /// The inbox that an agent gets after `hello`.
    public struct AgentReady: Hashable, Codable, Sendable {
        /// The log's epoch. A feed position of another epoch is invalid.
        public let epoch: String
        /// The server's version.
        public let version: String
        /// The id of the agent who signed in.
        public let agent: AgentID
        /// The rows that changed after the client's position, or with `fresh` the whole first inbox.
        public let rows: [InboxRow]
        /// The feed position through which the rows are complete.
        public let position: Int64
        /// `true` if the client must discard its rows and use only these.
        public let fresh: Bool
        /// Makes an inbox with this build's version.
        public init(epoch: String, agent: AgentID, rows: [InboxRow], position: Int64, fresh: Bool) {
            self.epoch = epoch
            version = EarshotVersion.current
            self.agent = agent
            self.rows = rows
            self.position = position
            self.fresh = fresh
        }
    }

    /// Events for one viewer, without gaps in what that viewer may see.
    public struct Delivery: Hashable, Codable, Sendable {
        /// The events in order of their sequence.
        public let events: [Event]
        /// The conversation of the events. `nil` to a consumer.
        public let conversation: ConversationID?
        /// The sequence through which the viewer now has everything. `nil` if it is the last event's number.
        public let through: Int?
        /// Makes a delivery; pass `through` only if it differs from the last event's number.
        public init(events: [Event], conversation: ConversationID?, through: Int?) {
            self.events = events
            self.conversation = conversation
            self.through = through
        }
    }

    /// The snapshot that an agent gets in answer to `watch`.
    public struct Watching: Hashable, Codable, Sendable {
        /// The watched conversation.
        public let conversation: ConversationID
        /// The state of the conversation.
        public let status: ConversationStatus
        /// What the agent may know about the consumer.
        public let who: ConsumerCard
        /// The agents and managers in the conversation, with those whom the consumer does not see.
        public let people: [Participant]
        /// The watermarks of the participants.
        public let marks: [Mark]
        /// The events after the client's cursor, or with `fresh` the newest ones, in order.
        public let events: [Event]
        /// The sequence through which the snapshot is complete. Later events follow in `events` frames.
        public let through: Int
        /// Whether there are events older than these.
        public let more: Bool
        /// Playback progress of the newest voice messages. `nil` if none was played.
        public let played: [PlaybackProgress]?
        /// What agents recorded. `nil` if they recorded nothing.
        public let recorded: RecordedFacts?
        /// `true` if the client must discard what it has of this conversation.
        public let fresh: Bool
        /// Makes a snapshot; empty `played` is stored as `nil`.
        public init(
            conversation: ConversationID, status: ConversationStatus, who: ConsumerCard, people: [Participant],
            marks: [Mark], events: [Event],
            through: Int, more: Bool, played: [PlaybackProgress] = [], recorded: RecordedFacts? = nil, fresh: Bool
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
            self.recorded = recorded
            self.fresh = fresh
        }
    }

    /// Older events of a conversation, in answer to `page`.
    public struct Page: Hashable, Codable, Sendable {
        /// The conversation of the events. `nil` to a consumer.
        public let conversation: ConversationID?
        /// The events in order; there can be fewer than the client asked for.
        public let events: [Event]
        /// Whether there are still older events. Clients rely on this, not on the number of events.
        public let more: Bool
        /// Playback progress of the voice messages among these events. `nil` if none was played.
        public let played: [PlaybackProgress]?
        /// Makes a page; empty `played` is stored as `nil`.
        public init(conversation: ConversationID?, events: [Event], more: Bool, played: [PlaybackProgress] = []) {
            self.conversation = conversation
            self.events = events
            self.more = more
            self.played = played.isEmpty ? nil : played
        }
    }
}
