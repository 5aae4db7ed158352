public import EarshotModel

/// The keys of programs.
public protocol APIKeyStore: Sendable {
    /// Finds a key by its id.
    func apiKey(_ id: APIKeyID) async throws(AdapterFailure) -> APIKey?

    /// Reads the keys of an account, the newest first.
    func apiKeys(of account: AccountID) async throws(AdapterFailure) -> [APIKey]

    /// Adds a key with its audit entry, unless its account has `limit` keys already.
    /// - Returns: whether it was added.
    func add(_ key: APIKey, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure) -> Bool

    /// Removes a key of an account. The audit entry is written only if there was one.
    /// - Returns: whether there was one.
    func removeAPIKey(_ id: APIKeyID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool

    /// Notes when a key was used, unless a use after `earlier` is noted already.
    func noteUse(of id: APIKeyID, at now: Timestamp, unlessAfter earlier: Timestamp) async throws(AdapterFailure)
}
