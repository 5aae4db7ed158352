public import EarshotCore
public import EarshotModel

extension SQLiteStore: ContactCentreStore {
    /// Reads the sections that were ever changed.
    public func centre(of account: AccountID) async throws(AdapterFailure)
        -> [ContactCentreSettings.Section: StoredSection]
    {
        try await tables.contactCentre.centre(of: account)
    }

    /// Changes one section: its row, a revision and the audit entry, in one transaction.
    public func change(_ change: ContactCentreChange) async throws(AdapterFailure) -> Int? {
        try await tables.contactCentre.change(change)
    }

    /// Reads the revisions with a version below `before`, newest first, at most `limit`.
    public func revisions(of account: AccountID, before: Int?, limit: Int) async throws(AdapterFailure)
        -> [ContactCentreRevision]
    {
        try await tables.contactCentre.revisions(of: account, before: before, limit: limit)
    }

    /// Reads one revision.
    public func revision(_ version: Int, of account: AccountID) async throws(AdapterFailure) -> ContactCentreRevision? {
        try await tables.contactCentre.revision(version, of: account)
    }
}

extension SQLiteStore: SavedViewStore {
    /// Reads the views of everyone who works for an account.
    public func views(of account: AccountID) async throws(AdapterFailure) -> [AgentID: [SavedView]] {
        try await tables.savedViews.views(of: account)
    }

    /// Replaces the views of an agent.
    public func save(_ views: [SavedView], of agent: AgentID, in account: AccountID) async throws(AdapterFailure) {
        try await tables.savedViews.save(views, of: agent, in: account)
    }
}

extension SQLiteStore: SearchStore {
    /// Finds conversations that match, the one with the newest change first.
    public func search(_ query: SearchQuery, in account: AccountID) async throws(AdapterFailure) -> SearchOutcome {
        try await searches.search(query, in: account)
    }

    /// Indexes at most `limit` further events.
    public func index(atMost limit: Int) async throws(AdapterFailure) -> Int {
        try await tables.searchIndex.index(atMost: limit)
    }
}

extension SQLiteStore: RoutingSource {
    /// Reads the ids of every waiting or open conversation, and of those closed since a time.
    public func unfinishedConversations(closedSince: Timestamp) async throws(AdapterFailure) -> [ConversationID] {
        try await tables.routing.unfinishedConversations(closedSince: closedSince)
    }

    /// Reads some of these conversations.
    public func unfinished(_ conversations: [ConversationID]) async throws(AdapterFailure) -> [UnfinishedConversation] {
        try await tables.routing.unfinished(conversations)
    }

    /// Reads the ids of all accounts.
    public func accounts() async throws(AdapterFailure) -> [AccountID] {
        try await tables.routing.accounts()
    }

    /// Reads the presence that each agent of an account chose last.
    public func presences(of account: AccountID) async throws(AdapterFailure) -> [AgentID: Presence] {
        try await tables.routing.presences(of: account)
    }

    /// Saves the presence that an agent chose.
    public func save(_ presence: Presence, of agent: AgentID, in account: AccountID) async throws(AdapterFailure) {
        try await tables.routing.save(presence, of: agent, in: account)
    }

    /// Reads the accuracy of an account's promised times.
    public func etaAccuracy(of account: AccountID) async throws(AdapterFailure) -> EtaAccuracy? {
        try await tables.routing.etaAccuracy(of: account)
    }

    /// Saves the accuracy of an account's promised times.
    public func save(_ etaAccuracy: EtaAccuracy, of account: AccountID) async throws(AdapterFailure) {
        try await tables.routing.save(etaAccuracy, of: account)
    }
}
