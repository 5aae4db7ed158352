public import EarshotModel

/// Retention periods, legal holds, requests to erase, and receipts.
public protocol RetentionRecords: Sendable {
    /// The days that a brand chose; `nil` if it never chose.
    func retentionDays(of account: AccountID) async throws(AdapterFailure) -> Int?
    /// Saves the days.
    func save(retentionDays: Int, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)

    /// Reads a brand's legal holds, oldest first.
    func holds(of account: AccountID) async throws(AdapterFailure) -> [LegalHold]
    /// Places a hold, in place of an earlier one.
    func place(_ hold: LegalHold, audit: AuditEntry) async throws(AdapterFailure)
    /// Lifts a hold. The audit entry is written only if there was one.
    func liftHold(_ conversation: ConversationID, audit: AuditEntry) async throws(AdapterFailure)

    /// Counts the closed conversations without a hold whose last event is older.
    func dueCounts(of account: AccountID, before: Timestamp) async throws(AdapterFailure) -> RemovalCounts
    /// Notes a request. It is answered when it is on disk; the server erases.
    func request(_ erasure: ErasureRequest, audit: AuditEntry) async throws(AdapterFailure)
    /// Reads receipts of a brand, newest first.
    func receipts(of account: AccountID, limit: Int) async throws(AdapterFailure) -> [SignedReceipt]

    /// The latest time that a server noted, or that an event has; `nil` in an empty database.
    func lastKnownTime() async throws(AdapterFailure) -> Timestamp?
}

/// The removals themselves.
///
/// A removal is a run with a durable list of what remains: first a conversation leaves the log in one transaction, then
/// its events, then its files. A run that a crash interrupts is found by `openRuns` and goes on.
public protocol RetentionStore: RetentionRecords {
    /// Reads the oldest closed conversations without a hold whose last event is older.
    func dueConversations(of account: AccountID, before: Timestamp, limit: Int) async throws(AdapterFailure)
        -> [ConversationID]

    /// Reads the requests that no run has taken up.
    func erasureRequests() async throws(AdapterFailure) -> [ErasureRequest]

    /// Begins a run.
    /// - Parameter request: the request that the run takes up.
    func begin(_ run: RemovalRun, for request: ErasureRequest?) async throws(AdapterFailure) -> RemovalRun
    /// Reads the runs without a receipt.
    func openRuns() async throws(AdapterFailure) -> [RemovalRun]
    /// Reads the conversation that a run for a request has still to remove.
    func pendingErasure(of run: Int64) async throws(AdapterFailure) -> ErasureRequest?
    /// When a brand's last run of this kind began.
    func lastRun(_ kind: RemovalRun.Kind, of account: AccountID) async throws(AdapterFailure) -> Timestamp?

    /// Removes one conversation, if it is closed, old enough and not held.
    func remove(_ removal: ConversationRemoval) async throws(AdapterFailure) -> ConversationRemoval.Outcome
    /// Removes the consumer of a run's request with the consumer's key, if the conversation did not take them along,
    /// and notes that the request needs nothing more from the log.
    func settleErasure(of run: Int64, _ request: ErasureRequest) async throws(AdapterFailure)
    /// Removes consumers without a conversation, with their keys, of the brand's longest unseen ones.
    /// - Parameters:
    ///   - signedIn: whether those are meant whom an identity provider knows, or the anonymous ones.
    ///   - before: only those who were last seen earlier.
    ///   - limit: how many consumers one transaction looks at.
    /// - Returns: how many it looked at; fewer than the limit at the end.
    func removeSilentConsumers(of account: AccountID, signedIn: Bool, before: Timestamp, limit: Int)
        async throws(AdapterFailure) -> Int
    /// Removes the next events of removed conversations, at most `limit`.
    /// - Returns: whether there are more.
    func removeEvents(of run: Int64, limit: Int) async throws(AdapterFailure) -> Bool
    /// Reads recordings whose files are to be removed.
    func filesToRemove(of run: Int64, limit: Int) async throws(AdapterFailure) -> [MediaID]
    /// Notes that a recording has no files now.
    func noteRemoved(_ media: MediaID) async throws(AdapterFailure)
    /// Rewrites a part of the search index, so that it has nothing of removed words.
    /// - Parameter isFirst: whether the rewriting begins.
    /// - Returns: whether there is more to rewrite.
    func rewriteIndex(isFirst: Bool) async throws(AdapterFailure) -> Bool
    /// Copies the write-ahead log into the database, empties it, and removes old copies of the database.
    /// - Returns: `false` if a reader prevented it.
    func emptyLog(at now: Timestamp) async throws(AdapterFailure) -> Bool
    /// Ends a run with its receipt.
    func complete(_ receipt: SignedReceipt, audit: AuditEntry) async throws(AdapterFailure)
    /// Reads all recordings of a conversation, for an export, oldest first.
    func recordings(of conversation: ConversationID) async throws(AdapterFailure) -> [RecordedMedia]

    /// Notes the time.
    func note(time: Timestamp) async throws(AdapterFailure)
}
