public import EarshotModel

/// What only an operator's commands do.
public protocol InstallationStore: Sendable {
    /// Reads all accounts, ordered by id.
    func accounts() async throws(AdapterFailure) -> [Account]

    /// Removes an app.
    func remove(_ app: AppID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)

    /// Removes an account with its apps, people and settings, unless a consumer ever began there.
    /// - Returns: whether it was removed.
    func removeEmpty(_ account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool
}
