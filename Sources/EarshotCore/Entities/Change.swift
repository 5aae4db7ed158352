public import EarshotDomain
public import EarshotModel

/// One change of one conversation, to be decided and written by the store's writer.
public struct Change: Sendable {
    /// The conversation to change.
    public enum Target: Sendable {
        /// A conversation that exists; otherwise the change is refused as `not_found`.
        case existing(ConversationID)
        /// A conversation that begins with this change if it does not exist yet.
        case existingOrNew(ConversationIdentity)
    }

    /// Where a change comes from, and the key that makes it idempotent.
    public struct Request: Sendable {
        /// The id of the consumer or agent who asks, or `AuditEntry.earshot`. Keys are unique per author and
        /// conversation.
        public let author: String
        /// The idempotency key.
        public let key: IdempotencyKey
        /// The first 16 bytes of the command's SHA-256. The same key with another digest is refused as `key_reused`.
        public let digest: [UInt8]
        /// The time of the events that the change makes.
        public let at: Timestamp
        /// The size of the command, by which the queue of the writer is limited.
        public let bytes: Int
        /// The audit entry to write with the change. It is not written if the change is refused or a repeat.
        public let audit: AuditEntry?

        /// Creates a request.
        public init(
            author: String, key: IdempotencyKey, digest: [UInt8], at: Timestamp, bytes: Int = 0,
            audit: AuditEntry? = nil
        ) {
            self.bytes = bytes
            self.audit = audit
            self.author = author
            self.key = key
            self.digest = digest
            self.at = at
        }
    }

    /// Decides which events a change makes, from the conversation's state and the row of the recording, which it may
    /// change.
    public typealias Decision =
        @Sendable (ConversationState, inout RecordedMedia?) throws(Rejection) -> [Fact]

    /// The conversation to change.
    public let target: Target
    /// Where the change comes from.
    public let request: Request
    /// The recording that the change sends. Its row is read and written in the same transaction.
    public let recording: MediaID?
    /// Calls the domain's `decide`. Runs inside the write transaction, so it must be fast and pure.
    public let decide: Decision

    /// Creates a change that sends no recording.
    public init(
        _ target: Target, _ request: Request,
        decide: @escaping @Sendable (ConversationState) throws(Rejection) -> [Fact]
    ) {
        self.target = target
        self.request = request
        recording = nil
        self.decide = { state, _ throws(Rejection) in try decide(state) }
    }

    /// Creates a change that sends a recording: `decide` gets the recording's row, or `nil` if there is none.
    public init(_ target: Target, _ request: Request, recording: MediaID?, decide: @escaping Decision) {
        self.target = target
        self.request = request
        self.recording = recording
        self.decide = decide
    }
}

extension Change.Target {
    /// The conversation's id.
    public var conversation: ConversationID {
        switch self {
        case .existing(let id): id
        case .existingOrNew(let identity): identity.id
        }
    }

    /// The identity of the conversation if the change may begin it.
    public var newIdentity: ConversationIdentity? {
        if case .existingOrNew(let identity) = self { identity } else { nil }
    }
}

/// The answer to a change that is stored.
public struct Accepted: Hashable, Sendable {
    /// The number of the command's own event, which is the last one of the change.
    public let sequence: Int
    /// The time of that event.
    public let at: Timestamp
    /// Whether the key was known: then this is the first answer again, and nothing was written.
    public let isRepeat: Bool

    /// Creates an answer.
    public init(sequence: Int, at: Timestamp, isRepeat: Bool) {
        self.sequence = sequence
        self.at = at
        self.isRepeat = isRepeat
    }
}

/// The reason why a change was not stored.
public enum ChangeFailure: Error, Sendable {
    /// The rules of the domain refuse the change.
    case refused(Rejection)
    /// Storage failed.
    case failed(AdapterFailure)
}

/// A request to raise a participant's watermarks in a conversation, or to record what they played.
public struct WatermarkUpdate: Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The number of the last event that was delivered to the participant's devices.
    public let delivered: Int
    /// The number of the last event that the participant read.
    public let read: Int
    /// The parts of one voice message that were played.
    public let played: ClientFrame.Played?
    /// The audit entry to write if the participant has now listened to the whole of that voice message.
    public let listening: AuditEntry?
    /// Finds the participant in the conversation's state. Called on the writer's thread; `nil` changes nothing.
    public let by: @Sendable (ConversationState) -> ParticipantNumber?

    /// Creates an update.
    public init(
        conversation: ConversationID, delivered: Int, read: Int, played: ClientFrame.Played? = nil,
        listening: AuditEntry? = nil, by: @escaping @Sendable (ConversationState) -> ParticipantNumber?
    ) {
        self.conversation = conversation
        self.delivered = delivered
        self.read = read
        self.played = played
        self.listening = listening
        self.by = by
    }
}
