public import EarshotModel

/// What a server says to a client, as in docs/protocol.md section 2, decoded.
public enum LoopbackFrame: Sendable {
    /// Answer to `hello` (consumer) or `watch` (agent): where the conversation stands.
    case snapshot(ConversationID, Snapshot)
    /// Answer to an agent's `hello`.
    case inbox(rows: [InboxRow], position: Int64, fresh: Bool)
    /// New events of a conversation, and the number of the last one that was considered.
    case events([Event], in: ConversationID, through: Int)
    /// A page of older events.
    case page([Event], of: ConversationID, more: Bool, played: [PlaybackProgress])
    /// A command was accepted.
    case ok(key: IdempotencyKey, sequence: Int, at: Timestamp, in: ConversationID)
    /// A command was refused.
    case no(key: IdempotencyKey, code: Rejection.Code)
    /// The watermarks of a conversation moved.
    case marks([Mark], in: ConversationID)
    /// Voice messages of a conversation were played further.
    case played([PlaybackProgress], in: ConversationID)
    /// Inbox rows that changed, and the feed position after them.
    case rows([InboxRow], position: Int64)

    /// The state of a conversation, with its newest events or those after a cursor.
    public struct Snapshot: Sendable {
        /// The status of the conversation.
        public let status: ConversationStatus
        /// The participants that the client may see.
        public let people: [Participant]
        /// The watermarks that the client may see.
        public let marks: [Mark]
        /// The events that the client may see, oldest first.
        public let events: [Event]
        /// The number of the last event that the snapshot includes.
        public let through: Int
        /// Whether older events exist.
        public let more: Bool
        /// How far the newest voice messages were played.
        public let played: [PlaybackProgress]
        /// Forget what you have.
        public let fresh: Bool
    }
}
