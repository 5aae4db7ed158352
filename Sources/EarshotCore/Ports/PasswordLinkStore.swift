public import EarshotModel

/// The one-time links with which people set their password. They are used up by a `PersonChange` that names them.
public protocol PasswordLinkStore: Sendable {
    /// Stores a new person, the link that invites them, and the audit entry, in one transaction.
    /// - Returns: `false` if the brand has the person's address already; then nothing is stored.
    func invite(_ agent: Agent, by link: PasswordLink, audit: AuditEntry) async throws(AdapterFailure) -> Bool

    /// Stores a link in place of the one that its person had, with the audit entry.
    func save(_ link: PasswordLink, audit: AuditEntry) async throws(AdapterFailure)

    /// Finds the link with this digest, if it has not ended.
    func passwordLink(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> PasswordLink?

    /// Reads the links of an account that have not ended.
    func passwordLinks(of account: AccountID, at now: Timestamp) async throws(AdapterFailure) -> [PasswordLink]

    /// Removes the link of a person. The audit entry is written only if there was one.
    func removePasswordLink(of agent: AgentID, audit: AuditEntry) async throws(AdapterFailure)
}
