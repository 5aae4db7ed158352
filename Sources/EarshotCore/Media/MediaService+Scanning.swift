public import EarshotModel

/// What the scanner says of recordings that were finished before it could say anything.
extension MediaService {
    /// Gives a recording its verdict. Once, whoever says it how often: the same recording again is left as it is.
    ///
    /// Where it was sent already, everybody in the conversation learns of it by the event `scanned`; where not, the message will carry the verdict. A
    /// blocked one is one audit entry.
    /// - Returns: whether this was the first verdict on it.
    @discardableResult
    public func settle(_ media: MediaID, in conversation: ConversationID, verdict: Verdict) async throws -> Bool {
        guard let recording = try await accounts.recording(media, in: conversation) else { throw Rejection.notFound }
        var audit: AuditEntry?
        if verdict == .blocked, let account = recording.account {
            audit = blocked(media, in: conversation, of: account)
        }
        return try await store.settle(
            Settlement(media: media, conversation: conversation, verdict: verdict, at: now(), audit: audit))
    }

    /// The same recording is blocked once, however often somebody asks.
    func blocked(_ media: MediaID, in conversation: ConversationID?, of account: AccountID) -> AuditEntry {
        AuditEntry(
            account: account, at: now(), by: AuditEntry.earshot, what: .audioBlocked, conversation: conversation,
            media: media,
            once: "blocked-\(media)")
    }
}
