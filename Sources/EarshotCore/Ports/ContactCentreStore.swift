public import EarshotModel

/// The contact-centre settings of accounts, and their history.
public protocol ContactCentreStore: Sendable {
    /// Reads the sections that were ever changed.
    func centre(of account: AccountID) async throws(AdapterFailure) -> [ContactCentreSettings.Section: StoredSection]

    /// Changes one section: its row, a revision and the audit entry, in one transaction.
    /// - Returns: the new version of the settings; `nil` if the section was changed after the version that the author
    ///   saw. Then nothing is written.
    func change(_ change: ContactCentreChange) async throws(AdapterFailure) -> Int?

    /// Reads the revisions with a version below `before`, newest first, at most `limit`.
    func revisions(of account: AccountID, before: Int?, limit: Int) async throws(AdapterFailure)
        -> [ContactCentreRevision]

    /// Reads one revision.
    func revision(_ version: Int, of account: AccountID) async throws(AdapterFailure) -> ContactCentreRevision?
}

/// The views that agents saved.
public protocol SavedViewStore: Sendable {
    /// Reads the views of everyone who works for an account.
    func views(of account: AccountID) async throws(AdapterFailure) -> [AgentID: [SavedView]]

    /// Replaces the views of an agent.
    func save(_ views: [SavedView], of agent: AgentID, in account: AccountID) async throws(AdapterFailure)
}

/// Full-text search across conversations.
public protocol SearchStore: Sendable {
    /// Finds conversations that match, the one with the newest change first.
    ///
    /// Words are looked for in the newest 5,000 messages that match and in names, whether indexed or not; only where
    /// the index is more than 2,000 events behind, the rest is found later. A search waits for no write, and no other
    /// read waits for a search.
    func search(_ query: SearchQuery, in account: AccountID) async throws(AdapterFailure) -> SearchOutcome

    /// Counts the messages of conversations of an account.
    /// - Returns: `nil` if that took longer than `Limits.searchMs`.
    func counts(of conversations: [ConversationID], in account: AccountID) async throws(AdapterFailure)
        -> [ConversationID: MessageCounts]?

    /// Indexes at most `limit` further events.
    /// - Returns: how many events were indexed; 0 if the index is complete.
    func index(atMost limit: Int) async throws(AdapterFailure) -> Int
}
