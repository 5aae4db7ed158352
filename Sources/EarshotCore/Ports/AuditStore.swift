public import EarshotModel

/// The audit log. Entries are never changed and never removed.
public protocol AuditStore: Sendable {
    /// Writes an entry. An entry whose `once` is known in its account is not written again.
    func record(_ entry: AuditEntry) async throws(AdapterFailure)

    /// Reads the entries of an account with a number below `before`, newest first, at most `limit`.
    func audit(_ account: AccountID, before: Int64?, limit: Int) async throws(AdapterFailure) -> [AuditRow]
}
