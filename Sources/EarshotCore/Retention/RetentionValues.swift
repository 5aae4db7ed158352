public import EarshotDomain
public import EarshotModel

/// How long a brand keeps closed conversations.
public enum RetentionPeriod {
    /// Thirteen months.
    public static let defaultDays = 396
    /// A day to ten years.
    public static let allowedDays = 1...3_653
    static let dayMs: Int64 = 24 * 3600 * 1000
}

/// A conversation that is kept until the hold is lifted, however old it is.
public struct LegalHold: Hashable, Codable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The brand.
    public let account: AccountID
    /// Who placed the hold: the id of an agent, or `AuditEntry.operator_`.
    public let by: String
    /// Why.
    public let reason: String
    /// When.
    public let at: Timestamp

    /// Creates a hold.
    public init(conversation: ConversationID, account: AccountID, by: String, reason: String, at: Timestamp) {
        (self.conversation, self.account, self.by, self.reason, self.at) = (conversation, account, by, reason, at)
    }
}

/// A request to erase a consumer with the consumer's conversation.
public struct ErasureRequest: Hashable, Codable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The consumer.
    public let consumer: ConsumerID
    /// The brand.
    public let account: AccountID
    /// Who asked: the id of an agent, or `AuditEntry.operator_`.
    public let by: String
    /// Why.
    public let reason: String
    /// When.
    public let at: Timestamp

    /// Creates a request.
    public init(_ identity: ConversationIdentity, by: String, reason: String, at: Timestamp) {
        (conversation, consumer, account) = (identity.id, identity.consumer, identity.account)
        (self.by, self.reason, self.at) = (by, reason, at)
    }
}

/// What was removed, or would be.
public struct RemovalCounts: Hashable, Codable, Sendable {
    /// Conversations.
    public let conversations: Int
    /// Events of the log: messages, notes, and everything else that a conversation has.
    public let events: Int
    /// Recordings, each with all of its files.
    public let recordings: Int
    /// The bytes of the recordings' originals.
    public let bytes: Int
    /// The keys that encrypted the conversations' content. `nil` in receipts of earlier versions, and before a removal.
    public let keys: Int?
    /// When the conversation that ended first had its last event.
    public let oldest: Timestamp?
    /// When the conversation that ended last had its last event.
    public let newest: Timestamp?

    /// Creates counts.
    public init(
        conversations: Int, events: Int, recordings: Int, bytes: Int, keys: Int? = nil, oldest: Timestamp?,
        newest: Timestamp?
    ) {
        (self.conversations, self.events, self.recordings) = (conversations, events, recordings)
        (self.bytes, self.keys, self.oldest, self.newest) = (bytes, keys, oldest, newest)
    }
}

/// One removal of conversations, from its first row to its receipt. It survives a restart.
public struct RemovalRun: Hashable, Sendable {
    /// Why conversations are removed.
    public enum Kind: String, Hashable, Codable, Sendable {
        /// Their time has passed.
        case retention
        /// The consumer asked for it.
        case erasure
    }

    /// The number of the run.
    public let id: Int64
    /// The brand.
    public let account: AccountID
    /// Why.
    public let kind: Kind
    /// Who asked: `AuditEntry.earshot` for retention.
    public let by: String
    /// When it began.
    public let begun: Timestamp
    /// What was removed until now.
    public let counts: RemovalCounts

    /// Creates a run.
    public init(
        id: Int64, account: AccountID, kind: Kind, by: String, begun: Timestamp,
        counts: RemovalCounts = RemovalCounts(
            conversations: 0, events: 0, recordings: 0, bytes: 0, oldest: nil, newest: nil)
    ) {
        (self.id, self.account, self.kind, self.by) = (id, account, kind, by)
        (self.begun, self.counts) = (begun, counts)
    }
}

/// One conversation to remove, decided by the writer in the transaction that removes it.
public struct ConversationRemoval: Hashable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// Its brand.
    public let account: AccountID
    /// The run that counts it.
    public let run: Int64
    /// It is removed only if its last event is older; `nil` for any age.
    public let lastEventBefore: Timestamp?

    /// Creates a removal.
    public init(conversation: ConversationID, account: AccountID, run: Int64, lastEventBefore: Timestamp?) {
        (self.conversation, self.account, self.run) = (conversation, account, run)
        self.lastEventBefore = lastEventBefore
    }

    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        /// It can no longer be opened; its events and files are on the list of what remains to be removed.
        case removed
        /// There is no such conversation.
        case notFound
        /// It is open, or newer than was asked for.
        case inUse
        /// It is under a legal hold.
        case held
    }
}

/// What a completed removal proves: counts without content, signed.
public struct RemovalReceipt: Hashable, Codable, Sendable {
    /// The number of the run.
    public let run: Int64
    /// The brand.
    public let account: AccountID
    /// Why.
    public let kind: RemovalRun.Kind
    /// Who asked.
    public let by: String
    /// When it began.
    public let begun: Timestamp
    /// When the last byte was removed.
    public let completed: Timestamp
    /// What was removed.
    public let removed: RemovalCounts
    /// The fingerprint of the key that signed it.
    public let key: String

    /// Writes the receipt of a run.
    public init(_ run: RemovalRun, completed: Timestamp, key: String) {
        (self.run, account, kind, by) = (run.id, run.account, run.kind, run.by)
        (begun, removed) = (run.begun, run.counts)
        (self.completed, self.key) = (completed, key)
    }
}

/// A receipt as it was signed.
public struct SignedReceipt: Hashable, Sendable {
    /// The receipt.
    public let receipt: RemovalReceipt
    /// The JSON that was signed, byte for byte.
    public let payload: [UInt8]
    /// The Ed25519 signature of `payload`, 64 bytes.
    public let signature: [UInt8]

    /// Creates a signed receipt.
    public init(receipt: RemovalReceipt, payload: [UInt8], signature: [UInt8]) {
        (self.receipt, self.payload, self.signature) = (receipt, payload, signature)
    }
}
