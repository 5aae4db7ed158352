/// A frame from a client to the server (docs/protocol.md section 2). `conversation` is `nil` from a consumer, who has
/// only one.
public enum ClientFrame: Hashable, Sendable {
    /// The first frame, which signs the client in. The server answers `ready`.
    case hello(Hello)
    /// A newer token of the consumer who is signed in.
    case renew(token: String)
    /// Send a message.
    case send(Send)
    /// An agent takes this waiting conversation.
    case take(IdempotencyKey, ConversationID)
    /// Close the conversation. A consumer names no conversation.
    case close(IdempotencyKey, ConversationID?)
    /// A contact-centre command (`Command.isContactCentre`).
    case ask(IdempotencyKey, ConversationID?, Command)
    /// Set the agent's presence; `reason` is one of the brand's away reasons, or `nil`.
    case presence(Presence.State, reason: String?)
    /// Subscribe to the presence of the brand's people; `false` unsubscribes.
    case team(Bool)
    /// A manager subscribes to the figures of the queues; `false` unsubscribes.
    case wall(Bool)
    /// The person is typing; `false` if they stopped. Other participants see it.
    case typing(Bool, ConversationID?)
    /// Every event through this sequence reached the device.
    case got(Int, ConversationID?)
    /// The person read every event through this sequence.
    case read(Int, ConversationID?)
    /// These spans of a voice message were played to a person.
    case played(Played)
    /// An agent subscribes to a conversation. `after` is the last sequence that the client has, or `nil` if it has
    /// none.
    case watch(ConversationID, after: Int?)
    /// An agent unsubscribes from a conversation.
    case unwatch(ConversationID)
    /// Ask for the newest events before this sequence, at most `limit` (up to 200; `nil` means 50).
    case page(ConversationID?, before: Int, limit: Int?)
    /// This device takes part in a call.
    case call(JoinCall)
    /// Tell the other device of a call something.
    case signal(SignalCall)
    /// An agent asks whether there could be a call.
    case check(ConversationID)
    /// What this device of a consumer could do for a call.
    case checked(CallReadiness)

    /// The client's credentials and cursor.
    public enum Hello: Hashable, Sendable {
        /// A consumer's first frame. `after` is the last sequence that the client has, and `settings` the version of
        /// the settings that it has; `nil` if it has none.
        case consumer(token: String, after: Int?, epoch: String?, settings: Int? = nil)
        /// An agent's first frame. `ticket` comes from `POST /v1/tickets`; `position` is the feed position that the
        /// client has.
        case agent(ticket: String, position: Int64?, epoch: String?, settings: Int? = nil)
    }

    /// A message to send, with its idempotency key.
    public struct Send: Hashable, Sendable {
        /// The idempotency key; a repeated key gets the first answer.
        public let key: IdempotencyKey
        /// The conversation to write to. `nil` from a consumer.
        public let conversation: ConversationID?
        /// The text or recording to send.
        public let body: Body
        /// The sequence through which the sender has read. `nil` leaves the sender's read mark unchanged.
        public let read: Int?

        /// Makes a message to send.
        public init(key: IdempotencyKey, conversation: ConversationID?, body: Body, read: Int?) {
            self.key = key
            self.conversation = conversation
            self.body = body
            self.read = read
        }
    }

    /// The spans of one voice message that were played.
    public struct Played: Hashable, Sendable {
        /// The sequence of the voice message.
        public let sequence: Int
        /// The conversation of the voice message. `nil` from a consumer.
        public let conversation: ConversationID?
        /// The spans in any order; they may overlap or repeat.
        public let spans: [PlayedSpan]

        /// Makes a report. `nil` unless the number of spans is within `Limits.playedSpans`.
        public init?(_ sequence: Int, in conversation: ConversationID?, spans: [PlayedSpan]) {
            guard Limits.playedSpans.contains(spans.count) else { return nil }
            self.sequence = sequence
            self.conversation = conversation
            self.spans = spans
        }
    }

    /// The content of a message to send: one of the two.
    public enum Body: Hashable, Sendable {
        /// A typed message, at most `Limits.webTextScalars`.
        case text(String)
        /// A voice message that was uploaded and finished before.
        case audio(MediaID)
    }
}

/// An invalid frame: the rejection, and the key and conversation if the frame named them.
public struct FrameRefusal: Error, Hashable, Sendable {
    /// Why the server refuses the frame.
    public let rejection: Rejection
    /// The frame's key, if readable: the server then answers `no`. `nil`: it answers `problem`.
    public let key: IdempotencyKey?
    /// The conversation that the frame named, if readable.
    public let conversation: ConversationID?

    /// Makes a refusal; pass the key and conversation if they could be read.
    public init(_ rejection: Rejection, key: IdempotencyKey? = nil, conversation: ConversationID? = nil) {
        self.rejection = rejection
        self.key = key
        self.conversation = conversation
    }

    /// The frame is not JSON, or a field is missing or has the wrong type.
    public static let malformed = Rejection(.badRequest, "This frame cannot be read.")
    /// The server does not know this kind of frame.
    public static let unknownKind = Rejection(.unknownFrame, "This server does not know such a frame.")
    /// The frame's idempotency key has invalid characters or length.
    public static let badKey = Rejection(.badKey, "A key has 1 to 64 of A-Z, a-z, 0-9, _ and -.")
}
