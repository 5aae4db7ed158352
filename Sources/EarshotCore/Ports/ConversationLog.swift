public import EarshotDomain
public import EarshotModel

/// The write side of the conversation log. One writer takes every change.
///
/// Guarantees: an accepted change is on disk; the events of a conversation are numbered without gaps; an account has
/// one feed position, which only rises; a known key gets its first answer again; the state row and the inbox row are
/// written in the transaction of the events. Every adapter passes the contract suite in EarshotTestKit.
public protocol ConversationLog: Sendable {
    /// Names the life of the database. A client whose cursors carry another epoch has to start again.
    var epoch: String { get }

    /// Asks the writer for one change.
    ///
    /// `answer` is called exactly once: on the writer's thread after the commit or the refusal, or at once if the
    /// change cannot be queued. It must not block.
    func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void)

    /// Writes the scanner's verdict on a recording in one transaction: the recording's row, the event `scanned` if
    /// the recording was sent, and the audit entry. If it is sent later, the message carries the verdict.
    /// - Returns: whether this is the first verdict; `false` means that nothing was changed.
    func apply(_ verdict: ScanVerdict) async throws(AdapterFailure) -> Bool

    /// Raises a watermark. Not acknowledged; updates are coalesced and on disk within a second. Commit listeners are
    /// notified if anything moved.
    func raise(_ update: WatermarkUpdate)

    /// Sets the listener that is notified of every commit, in place of the one before. Called before the first change.
    func connect(_ commitListener: any CommitListener)
}

/// The read side of the conversation log.
public protocol ConversationReads: Sendable {
    /// The account, app, consumer and channel of a conversation; `nil` if it does not exist.
    func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity?

    /// Reads a snapshot: the current state, and the events after `after` if there are at most `limit` of them,
    /// otherwise the newest `limit`.
    /// - Returns: `nil` if the conversation has no events.
    func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure) -> ConversationView?

    /// Reads the current states of conversations of an account, at once.
    /// - Returns: nothing for a conversation that the account does not have, or whose row is damaged.
    func states(of conversations: [ConversationID], in account: AccountID) async throws(AdapterFailure)
        -> [ConversationID: ConversationState]

    /// Reads the newest `limit` events with a number below `before`, oldest first.
    func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure) -> [StoredEvent]

    /// Reads how far the voice messages numbered `from` to `through` were played, in the order of their numbers.
    func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]

    /// Reads how far voice messages were played, for those that were played further after a feed position.
    func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]

    /// Returns everything after `after` if memory holds all of it; `nil` means: call `view`.
    ///
    /// Never reads the disk. Safe from any thread.
    func tail(_ conversation: ConversationID, after: Int) -> ConversationTail?

    /// Reads an account's inbox for a client that has every row through feed position `after`: the rows that changed
    /// since, if the feed has that position and at most `Limits.changedRows` rows changed. Otherwise, and without
    /// `after`: all open rows (at most `Limits.openRows`) and the newest `Limits.closedRows` closed ones.
    func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox

    /// Reads the next rows that changed after a feed position, oldest change first, at most `limit`. If there are more,
    /// the position of the result is that of its last row.
    func changedRows(of account: AccountID, after: Int64, limit: Int) async throws(AdapterFailure) -> Inbox
}

/// The whole conversation log: writes and reads.
public typealias ConversationStore = ConversationLog & ConversationReads

/// A listener for commits. It reads the log after its own cursor, because a notification carries no content.
public protocol CommitListener: Sendable {
    /// Called after every commit, on the writer's thread. Must not block.
    func committed(_ notifications: [CommitNotification])
}
