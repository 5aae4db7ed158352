public import EarshotModel

/// The second factors of the brand's people, their recovery codes, and which brands require them.
public protocol SecondFactorStore: Sendable {
    /// Finds the second factor of a person.
    func secondFactor(of agent: AgentID) async throws(AdapterFailure) -> SecondFactor?

    /// Whether a person has a second factor, and whether the account requires one.
    func standing(of agent: AgentID, in account: AccountID) async throws(AdapterFailure) -> SecondFactorStanding

    /// The people of an account who have a second factor.
    func secondFactors(of account: AccountID) async throws(AdapterFailure) -> Set<AgentID>

    /// Stores a second factor with the digests of its recovery codes and the audit entry, in one transaction.
    /// - Returns: `false` if the person has one already; then nothing is stored.
    func save(_ factor: SecondFactor, recoveryCodes: [[UInt8]], audit: AuditEntry) async throws(AdapterFailure) -> Bool

    /// Uses up the code of a time step.
    /// - Returns: `false` if the person has no second factor, or the code of this or a later step was used: of two
    ///   requests with one code, one succeeds.
    func use(step: Int64, of agent: AgentID) async throws(AdapterFailure) -> Bool

    /// Uses up a recovery code, with the audit entry.
    /// - Returns: how many are left; `nil` if the person has no such code: of two requests with one code, one succeeds.
    func use(recoveryCode digest: [UInt8], of agent: AgentID, audit: AuditEntry) async throws(AdapterFailure) -> Int?

    /// How many recovery codes a person has.
    func recoveryCodes(of agent: AgentID) async throws(AdapterFailure) -> Int

    /// Removes the second factor of a person with its recovery codes. The audit entry is written only if there was one.
    /// - Parameter endsSessions: whether the person's sessions end, in the same transaction.
    /// - Returns: whether there was one.
    func removeSecondFactor(of agent: AgentID, endsSessions: Bool, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool

    /// Sets whether an account requires a second factor. The audit entry is written only if that changes anything.
    /// - Returns: whether it did.
    func requireSecondFactor(_ isRequired: Bool, of account: AccountID, audit: AuditEntry)
        async throws(AdapterFailure) -> Bool
}
