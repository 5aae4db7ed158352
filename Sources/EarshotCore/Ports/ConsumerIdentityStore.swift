public import EarshotModel

/// Identity providers of brands, the consumers who sign in with them, and which consumers are one person.
public protocol ConsumerIdentityStore: Sendable {
    /// Reads the identity provider of a brand.
    func identityProvider(of account: AccountID) async throws(AdapterFailure) -> IdentityProvider?

    /// Sets the identity provider of a brand, with the audit entry; `nil` removes it.
    func save(_ provider: IdentityProvider?, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)

    /// Finds the consumer who has the subject of `candidate` in its brand and app and updates what is known about them,
    /// or inserts the candidate. Several calls at once make one consumer.
    /// - Parameter device: the anonymous consumer of the same device. It is stored that both are one person.
    /// - Returns: the consumer as stored.
    func signIn(_ candidate: Consumer, device: ConsumerID?) async throws(AdapterFailure) -> Consumer

    /// Reads the consumers of a brand who have this subject, one in each app, the oldest first.
    func consumers(of subject: ProviderSubject, in account: AccountID) async throws(AdapterFailure) -> [Consumer]

    /// Reads the other consumers of the same person: who has the same subject in another app, and who used the same
    /// device. The oldest first, at most 50.
    func related(to consumer: Consumer) async throws(AdapterFailure) -> [Consumer]
}
