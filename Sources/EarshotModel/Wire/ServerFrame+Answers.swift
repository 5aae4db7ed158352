extension ServerFrame {
    /// Stored for good.
    public struct Acceptance: Hashable, Sendable {
        public let key: IdempotencyKey
        /// The number of what was said.
        public let sequence: Int
        public let at: Timestamp
        public let conversation: ConversationID?

        public init(key: IdempotencyKey, sequence: Int, at: Timestamp, conversation: ConversationID?) {
            self.key = key
            self.sequence = sequence
            self.at = at
            self.conversation = conversation
        }
    }

    /// Refused; nothing happened. The code is text, so that a client meets a new one without breaking.
    public struct Refusal: Hashable, Sendable {
        public let key: IdempotencyKey
        public let code: String
        public let text: String
        public let conversation: ConversationID?
        public let limit: Int?
        /// It may work after so many milliseconds.
        public let after: Int?

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

    public struct Typing: Hashable, Sendable {
        public let by: ParticipantNumber
        public let conversation: ConversationID?
        /// Stopped.
        public let isOff: Bool

        public init(by: ParticipantNumber, conversation: ConversationID?, isOff: Bool) {
            self.by = by
            self.conversation = conversation
            self.isOff = isOff
        }
    }

    public struct MovedMarks: Hashable, Sendable {
        public let marks: [Mark]
        public let conversation: ConversationID?

        public init(marks: [Mark], conversation: ConversationID?) {
            self.marks = marks
            self.conversation = conversation
        }
    }

    public struct MovedPlayback: Hashable, Sendable {
        public let played: [PlaybackProgress]
        public let conversation: ConversationID?

        public init(played: [PlaybackProgress], conversation: ConversationID?) {
            self.played = played
            self.conversation = conversation
        }
    }

    public struct Rows: Hashable, Codable, Sendable {
        public let rows: [InboxRow]
        public let position: Int64

        public init(rows: [InboxRow], position: Int64) {
            self.rows = rows
            self.position = position
        }
    }

    public struct Problem: Hashable, Codable, Sendable {
        public let code: String
        public let text: String
        /// Which conversation the frame named.
        public let conversation: ConversationID?

        public init(code: String, text: String, conversation: ConversationID? = nil) {
            self.code = code
            self.text = text
            self.conversation = conversation
        }

        private enum CodingKeys: String, CodingKey {
            case code, text
            case conversation = "c"
        }
    }

    public struct Farewell: Hashable, Codable, Sendable {
        public let code: String
        public let text: String
        /// Come back after so many milliseconds, plus jitter.
        public let after: Int?

        public init(code: String, text: String, after: Int?) {
            self.code = code
            self.text = text
            self.after = after
        }
    }
}
