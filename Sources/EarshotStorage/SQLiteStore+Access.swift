public import EarshotCore
public import EarshotModel

extension SQLiteStore: AccessStore {
    /// Reads the access changes after a number, in order.
    public func accessChanges(after id: Int64) async throws(AdapterFailure) -> [AccessChange] {
        try await tables.access.changes(after: id)
    }

    /// Reads all blocked consumers.
    public func blockedConsumers() async throws(AdapterFailure) -> Set<ConsumerID> {
        try await tables.access.blockedConsumers()
    }

    /// Blocks a consumer or lifts the block, with its audit entry and its access change.
    public func apply(_ block: ConsumerBlock) async throws(AdapterFailure) {
        try await tables.access.apply(block)
    }
}

extension SQLiteStore: InstallationStore {
    /// Reads all accounts, ordered by id.
    public func accounts() async throws(AdapterFailure) -> [Account] {
        try await tables.installation.accounts()
    }

    /// Reads all apps of an account, ordered by id.
    public func apps(of account: AccountID) async throws(AdapterFailure) -> [App] {
        try await tables.installation.apps(of: account)
    }

    /// Removes an app.
    public func remove(_ app: AppID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) {
        try await tables.installation.remove(app, of: account, audit: audit)
    }

    /// Removes an account with its apps, people and settings, unless a consumer ever began there.
    public func removeEmpty(_ account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        try await tables.installation.removeEmpty(account, audit: audit)
    }
}
