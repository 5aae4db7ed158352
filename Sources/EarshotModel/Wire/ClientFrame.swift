/// What a client says on the socket: docs/protocol.md section 2. `conversation` is `nil` where a consumer speaks, for
/// it has one.
public enum ClientFrame: Hashable, Sendable {
    case hello(Hello)
    case send(Send)
    /// An agent answers this waiting conversation.
    case take(IdempotencyKey, ConversationID)
    /// A consumer names no conversation.
    case close(IdempotencyKey, ConversationID?)
    /// A contact-centre command (`Command.isContactCentre`).
    case ask(IdempotencyKey, ConversationID?, Command)
    /// An agent takes work, or does not.
    case presence(Presence.State, reason: String?)
    /// Tell me how the brand's people stand; `false`: no longer.
    case team(Bool)
    case wall(Bool)
    case typing(Bool, ConversationID?)
    /// Everything through this number reached the device.
    case got(Int, ConversationID?)
    /// … and was seen by a person.
    case read(Int, ConversationID?)
    /// These stretches of a voice message were played to a person.
    case played(Played)
    case watch(ConversationID, after: Int?)
    case unwatch(ConversationID)
    /// Older events, below this number.
    case page(ConversationID?, before: Int, limit: Int?)

    /// Who comes, and what they have already.
    public enum Hello: Hashable, Sendable {
        /// `settings` is the version of the brand's settings that the client has.
        case consumer(token: String, after: Int?, epoch: String?, settings: Int? = nil)
        case agent(ticket: String, position: Int64?, epoch: String?, settings: Int? = nil)
    }

    /// One thing to say.
    public struct Send: Hashable, Sendable {
        public let key: IdempotencyKey
        public let conversation: ConversationID?
        public let body: Body
        /// Moves the author's own read mark too.
        public let read: Int?

        public init(key: IdempotencyKey, conversation: ConversationID?, body: Body, read: Int?) {
            self.key = key
            self.conversation = conversation
            self.body = body
            self.read = read
        }
    }

    /// What was played of voice message `sequence`.
    public struct Played: Hashable, Sendable {
        public let sequence: Int
        public let conversation: ConversationID?
        public let spans: [PlayedSpan]

        /// `nil` unless there are as many spans as `Limits.playedSpans` allows.
        public init?(_ sequence: Int, in conversation: ConversationID?, spans: [PlayedSpan]) {
            guard Limits.playedSpans.contains(spans.count) else { return nil }
            self.sequence = sequence
            self.conversation = conversation
            self.spans = spans
        }
    }

    public enum Body: Hashable, Sendable {
        case text(String)
        case audio(MediaID)
    }
}

/// A frame that is not one: what is wrong with it, and, where it named a key, whose answer this is.
public struct FrameRefusal: Error, Hashable, Sendable {
    public let rejection: Rejection
    public let key: IdempotencyKey?
    public let conversation: ConversationID?

    public init(_ rejection: Rejection, key: IdempotencyKey? = nil, conversation: ConversationID? = nil) {
        self.rejection = rejection
        self.key = key
        self.conversation = conversation
    }

    /// Not JSON, or a field is missing or of the wrong type.
    public static let malformed = Rejection(.badRequest, "This frame cannot be read.")
    public static let unknownKind = Rejection(.unknownFrame, "This server does not know such a frame.")
    public static let badKey = Rejection(.badKey, "A key has 1 to 64 of A-Z, a-z, 0-9, _ and -.")
}
