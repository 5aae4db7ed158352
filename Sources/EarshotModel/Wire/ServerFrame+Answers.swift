extension ServerFrame {
    /// The answer to a command that was accepted. Its event is on disk.
    public struct Acceptance: Hashable, Codable, Sendable {
        /// The key of the command.
        public let key: IdempotencyKey
        /// The sequence of the command's event.
        public let sequence: Int
        /// When the server recorded the event.
        public let at: Timestamp
        /// The conversation of the command. `nil` to a consumer.
        public let conversation: ConversationID?
        /// Makes an acceptance; a repeated key gets the first `sequence` and `at` again.
        public init(key: IdempotencyKey, sequence: Int, at: Timestamp, conversation: ConversationID?) {
            self.key = key
            self.sequence = sequence
            self.at = at
            self.conversation = conversation
        }
    }

    /// The answer to a refused command, which had no effect. The code is text, so that clients can decode new codes.
    public struct Refusal: Hashable, Codable, Sendable {
        /// The key of the command.
        public let key: IdempotencyKey
        /// The error code, one of `Rejection.Code`.
        public let code: String
        /// An English sentence for the person.
        public let text: String
        /// The conversation of the command. `nil` to a consumer.
        public let conversation: ConversationID?
        /// The exceeded limit, in the unit that docs/protocol.md gives for the code. `nil` if the code has none.
        public let limit: Int?
        /// Milliseconds after which the same command may succeed. `nil` if there is no such time.
        public let after: Int?
        /// Makes a refusal; `after` is in milliseconds.
        public init(
            key: IdempotencyKey, code: String, text: String, conversation: ConversationID?, limit: Int?,
            after: Int? = nil
        ) {
            self.key = key
            self.code = code
            self.text = text
            self.conversation = conversation
            self.limit = limit
            self.after = after
        }
    }

    /// A sign that a participant types. It is not stored, and expires on the client after six seconds.
    public struct Typing: Hashable, Codable, Sendable {
        /// The participant who types.
        public let by: ParticipantNumber
        /// The conversation. `nil` to a consumer.
        public let conversation: ConversationID?
        private let off: Bool?
        /// `true` if the participant stopped typing.
        public var isOff: Bool { off == true }
        /// Makes a typing signal.
        public init(by: ParticipantNumber, conversation: ConversationID?, isOff: Bool) {
            self.by = by
            self.conversation = conversation
            off = isOff ? true : nil
        }
    }

    /// Watermarks that increased.
    public struct MovedMarks: Hashable, Codable, Sendable {
        /// The new watermarks, one for each participant whose watermarks changed.
        public let marks: [Mark]
        /// The conversation. `nil` to a consumer.
        public let conversation: ConversationID?
        /// Makes a frame of changed watermarks.
        public init(marks: [Mark], conversation: ConversationID?) {
            self.marks = marks
            self.conversation = conversation
        }
    }

    /// Playback progress that increased.
    public struct MovedPlayback: Hashable, Codable, Sendable {
        /// The new progress, one entry for each voice message and participant.
        public let played: [PlaybackProgress]
        /// The conversation. `nil` to a consumer.
        public let conversation: ConversationID?
        /// Makes a frame of changed playback progress.
        public init(played: [PlaybackProgress], conversation: ConversationID?) {
            self.played = played
            self.conversation = conversation
        }
    }

    /// Inbox rows that changed.
    public struct Rows: Hashable, Codable, Sendable {
        /// The rows as they are now; each replaces the client's row of the same conversation.
        public let rows: [InboxRow]
        /// The feed position through which the client's inbox is now complete.
        public let position: Int64
        /// Conversations that the agent saw and sees no longer. `nil` if there are none.
        public let gone: [ConversationID]?
        /// Makes a frame of changed rows; without `gone` it is omitted on the wire.
        public init(rows: [InboxRow], position: Int64, gone: [ConversationID] = []) {
            self.gone = gone.isEmpty ? nil : gone
            self.rows = rows
            self.position = position
        }
    }

    /// The refusal of a frame that has no key.
    public struct Problem: Hashable, Codable, Sendable {
        /// The error code, one of `Rejection.Code`.
        public let code: String
        /// An English sentence for the person.
        public let text: String
        /// The conversation that the frame named. `nil` if it named none.
        public let conversation: ConversationID?
        /// Makes a refusal without a key.
        public init(code: String, text: String, conversation: ConversationID? = nil) {
            self.code = code
            self.text = text
            self.conversation = conversation
        }
    }
}

/// The reason for which the server closes the socket.
public struct Farewell: Hashable, Codable, Sendable {
    /// The error code, one of `Rejection.Code`.
    public let code: String
    /// An English sentence for the person.
    public let text: String
    /// Milliseconds to wait before reconnecting, plus the client's jitter. `nil` if the server gives no time.
    public let after: Int?
    /// Makes a reason; `after` is in milliseconds.
    public init(code: String, text: String, after: Int?) {
        self.code = code
        self.text = text
        self.after = after
    }
}
