public import EarshotModel

/// The audit log. Entries are never changed and never removed.
public protocol AuditStore: Sendable {
    /// Writes an entry. An entry whose `once` is known in its account is not written again.
    func record(_ entry: AuditEntry) async throws(AdapterFailure)

    /// Reads entries of an account, newest first.
    func audit(_ account: AccountID, _ query: AuditQuery) async throws(AdapterFailure) -> [AuditRow]

    /// Checks every entry of an account against its hash.
    /// - Parameter known: the hash of an entry that must be there, 32 bytes.
    func verifyAudit(of account: AccountID, known: [UInt8]?) async throws(AdapterFailure) -> AuditVerification
}
