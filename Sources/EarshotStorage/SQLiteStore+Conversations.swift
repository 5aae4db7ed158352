public import EarshotCore
public import EarshotDomain
public import EarshotModel

extension SQLiteStore: ConversationReads {
    /// The account, app, consumer and channel of a conversation; `nil` if it does not exist.
    public func identity(of conversation: ConversationID) async throws(AdapterFailure) -> ConversationIdentity? {
        try await reader.identity(of: conversation)
    }

    /// Reads a snapshot: the current state, and the events after `after` if there are at most `limit` of them,
    /// otherwise the newest `limit`.
    public func view(_ conversation: ConversationID, after: Int?, limit: Int) async throws(AdapterFailure)
        -> ConversationView?
    {
        try await reader.view(conversation, after: after, limit: limit)
    }

    /// Reads the newest `limit` events with a number below `before`, oldest first.
    public func page(_ conversation: ConversationID, before: Int, limit: Int) async throws(AdapterFailure)
        -> [StoredEvent]
    {
        try await reader.page(conversation, before: before, limit: limit)
    }

    /// Reads how far the voice messages numbered `from` to `through` were played, in the order of their numbers.
    public func played(_ conversation: ConversationID, from: Int, through: Int) async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        try await reader.played(conversation, from: from, through: through)
    }

    /// Reads how far voice messages were played, for those that were played further after a feed position.
    public func played(_ conversation: ConversationID, changedAfter position: Int64) async throws(AdapterFailure)
        -> [MessagePlayback]
    {
        try await reader.played(conversation, changedAfter: position)
    }

    /// Returns everything after `after` if memory holds all of it; `nil` means: call `view`.
    public func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? {
        reader.tail(conversation, after: after)
    }

    /// Reads the rows of an account's inbox that changed after a feed position, or the first inbox.
    public func inbox(_ account: AccountID, after: Int64?) async throws(AdapterFailure) -> Inbox {
        try await inboxes.inbox(account, after: after)
    }

    /// Reads the next rows that changed after a feed position.
    public func changedRows(of account: AccountID, after: Int64, limit: Int) async throws(AdapterFailure) -> Inbox {
        try await inboxes.changedRows(of: account, after: after, limit: limit)
    }
}
