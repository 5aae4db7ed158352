public import EarshotModel

/// What a server says to a client, as in docs/protocol.md section 2, decoded.
public enum LoopbackFrame: Sendable {
    /// Answer to `hello` (consumer) or `watch` (agent): where the conversation stands.
    case snapshot(ConversationID, Snapshot)
    /// Answer to an agent's `hello`.
    case inbox(rows: [InboxRow], position: Int64, fresh: Bool)
    case events([Event], in: ConversationID, through: Int)
    case page([Event], of: ConversationID, more: Bool, played: [PlaybackProgress])
    case ok(key: IdempotencyKey, sequence: Int, at: Timestamp, in: ConversationID)
    case no(key: IdempotencyKey, code: Rejection.Code)
    case marks([Mark], in: ConversationID)
    case played([PlaybackProgress], in: ConversationID)
    case rows([InboxRow], position: Int64)

    public struct Snapshot: Sendable {
        public let status: ConversationStatus
        public let people: [Participant]
        public let marks: [Mark]
        public let events: [Event]
        public let through: Int
        public let more: Bool
        /// How far the newest voice messages were played.
        public let played: [PlaybackProgress]
        /// Forget what you have.
        public let fresh: Bool
    }
}
