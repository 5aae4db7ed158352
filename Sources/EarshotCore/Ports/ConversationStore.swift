public import EarshotDomain
public import EarshotModel

/// The log: conversations as numbered events, with their state row, inbox row, marks and keys. One writer takes every change.
///
/// Promises: an accepted change is on disk; the numbers of a conversation have no gaps; every account has one feed position that only rises; a key
/// answers for ever what it answered first; the state row and the inbox row are written in the transaction of the events. Every adapter passes the
/// contract suite in EarshotTestKit.
public protocol ConversationStore: Sendable {
    /// Names the life of this database. Another epoch means: what a client has belongs to another log.
    var epoch: String { get }

    /// Asks the writer for one change. `answer` is called exactly once, on the writer's thread, after the commit (or the refusal): it must not block.
    func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void)

    /// Gives a recording that waits for the scanner its verdict, once: its row, the event `scanned` where it was sent, and the audit entry, in one
    /// transaction. When it is sent only later, the message carries the verdict already.
    /// - Returns: whether this was the first verdict; `false` changed nothing.
    func settle(_ settlement: Settlement) async throws(AdapterFailure) -> Bool

    /// Raises a watermark. Not acknowledged, coalesced, on disk within a second; notifications the commitListener when it moved anything.
    func raise(_ request: MarkRequest)

    /// Whose conversation this is. `nil` where there is none. Answers from memory where it can.
    func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity?

    /// A snapshot: the state now, and the events after `after` if these are at most `limit`, else the newest `limit`.
    /// `nil` where no event was ever written.
    func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure) -> ConversationView?

    /// The newest `limit` events with a number below `before`, oldest first.
    func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure) -> [StoredEvent]

    /// How far voice messages were played: of those numbered `from` to `through`, in the order of their numbers.
    func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]

    /// The same, of those that were played further since this feed position.
    func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]

    /// What memory holds of a conversation's end: everything after `after`, or `nil` where that is not wholly in memory (then ask `view`).
    /// Never reads the disk; safe from any thread.
    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail?

    /// The inbox of an account: rows whose position is above `after`; without it all open rows (at most `Limits.openRows`) and the newest
    /// `Limits.closedRows` closed ones.
    func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox

    /// Whoever wants to hear of commits. Called once, before the first change.
    func connect(_ commitListener: any CommitListener)
}

/// One change of one conversation.
public struct Change: Sendable {
    public let conversation: ConversationID
    /// Given where the conversation may begin with this change (a consumer's); without it an unknown conversation is `not_found`.
    public let identity: ConversationIdentity?
    /// Who asks: keys are unique per author in a conversation. A consumer's or an agent's id.
    public let author: String
    public let key: IdempotencyKey
    /// SHA-256 (its first 16 bytes) of the command: the same key with another digest is `key_reused`.
    public let digest: [UInt8]
    public let at: Timestamp
    /// A recording that the change is about: its row is read and written in the same transaction.
    public let recording: MediaID?
    /// The call to the domain's `decide`. Runs inside the write transaction; must be quick and pure.
    public let decide: @Sendable (ConversationState, inout RecordedMedia?) throws(Rejection) -> [Fact]

    public init(
        conversation: ConversationID, identity: ConversationIdentity?, author: String, key: IdempotencyKey,
        digest: [UInt8], at: Timestamp,
        decide: @escaping @Sendable (ConversationState) throws(Rejection) -> [Fact]
    ) {
        self.conversation = conversation
        self.identity = identity
        self.author = author
        self.key = key
        self.digest = digest
        self.at = at
        recording = nil
        self.decide = { state, _ throws(Rejection) in try decide(state) }
    }

    /// A change that sends a recording: `decide` gets its row (`nil` where there is none) and may change it.
    public init(
        conversation: ConversationID, identity: ConversationIdentity?, author: String, key: IdempotencyKey,
        digest: [UInt8], at: Timestamp,
        recording: MediaID,
        decide: @escaping @Sendable (ConversationState, inout RecordedMedia?) throws(Rejection) -> [Fact]
    ) {
        self.conversation = conversation
        self.identity = identity
        self.author = author
        self.key = key
        self.digest = digest
        self.at = at
        self.recording = recording
        self.decide = decide
    }
}

/// How far somebody got: `delivered` and `read` are sequences.
public struct MarkRequest: Sendable {
    public let conversation: ConversationID
    public let delivered: Int
    public let read: Int
    /// What was played of one voice message.
    public let played: ClientFrame.Played?
    /// Which participant that is, asked on the writer's thread with the state there; `nil` moves nothing (an agent who never joined).
    public let by: @Sendable (ConversationState) -> ParticipantNumber?

    public init(
        conversation: ConversationID, delivered: Int, read: Int, played: ClientFrame.Played? = nil,
        by: @escaping @Sendable (ConversationState) -> ParticipantNumber?
    ) {
        self.conversation = conversation
        self.delivered = delivered
        self.read = read
        self.played = played
        self.by = by
    }
}

/// Stored for good. `sequence` and `at` are those of the command's own event (its last one).
public struct Accepted: Hashable, Sendable {
    public let sequence: Int
    public let at: Timestamp
    /// The key was known: this is the first answer again, nothing was written.
    public let isRepeat: Bool

    public init(sequence: Int, at: Timestamp, isRepeat: Bool) {
        self.sequence = sequence
        self.at = at
        self.isRepeat = isRepeat
    }
}

/// Why a change did not happen.
public enum ChangeFailure: Error, Sendable {
    case refused(Rejection)
    case failed(AdapterFailure)
}

/// An event in its stored form. Its bytes are its wire form too.
public struct StoredEvent: Hashable, Sendable {
    public let sequence: Int
    /// JSON, UTF-8.
    public let encoded: [UInt8]
    /// Whether every viewer sees it as it is stored.
    public let isSameForAll: Bool

    public init(sequence: Int, encoded: [UInt8], isSameForAll: Bool) {
        self.sequence = sequence
        self.encoded = encoded
        self.isSameForAll = isSameForAll
    }
}

/// A conversation at one moment.
public struct ConversationView: Sendable {
    public let state: ConversationState
    public let marks: Marks
    public let events: [StoredEvent]
    /// Whether older events exist than the first of these.
    public let hasMore: Bool
    /// Whether `events` begin right after the `after` that was asked for.
    public let continuesCursor: Bool

    public init(state: ConversationState, marks: Marks, events: [StoredEvent], hasMore: Bool, continuesCursor: Bool) {
        self.state = state
        self.marks = marks
        self.events = events
        self.hasMore = hasMore
        self.continuesCursor = continuesCursor
    }
}

/// The end of a conversation as memory holds it.
public struct ConversationTail: Sendable {
    public let events: [StoredEvent]
    public let state: ConversationState
    public let marks: Marks
    /// Feed position of the last change.
    public let position: Int64

    public init(events: [StoredEvent], state: ConversationState, marks: Marks, position: Int64) {
        self.events = events
        self.state = state
        self.marks = marks
        self.position = position
    }
}

/// Rows of an account's inbox, and the feed position they are true at.
public struct Inbox: Sendable {
    public let rows: [InboxRow]
    public let position: Int64

    public init(rows: [InboxRow], position: Int64) {
        self.rows = rows
        self.position = position
    }
}

/// Hears of commits: "account A is at position 812, conversation C at 17". Carries no content; whoever listens reads the log after its own cursor.
public protocol CommitListener: Sendable {
    /// Called after every commit, on the writer's thread: must not block.
    func committed(_ notifications: [CommitNotification])
}

public struct CommitNotification: Hashable, Sendable {
    public let account: AccountID
    public let position: Int64
    public let conversation: ConversationID
    /// The conversation's last event.
    public let sequence: Int
    /// Marks, or how far something was played.
    public let marksMoved: Bool

    public init(account: AccountID, position: Int64, conversation: ConversationID, sequence: Int, marksMoved: Bool) {
        self.account = account
        self.position = position
        self.conversation = conversation
        self.sequence = sequence
        self.marksMoved = marksMoved
    }
}
