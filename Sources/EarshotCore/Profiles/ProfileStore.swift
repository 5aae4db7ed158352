public import EarshotModel

/// The profiles and groups of brands.
public protocol ProfileStore: Sendable {
    /// Finds a profile of an account by its id.
    func profile(_ id: ProfileID, of account: AccountID) async throws(AdapterFailure) -> Profile?

    /// Reads the profiles of an account, ordered by id.
    func profiles(of account: AccountID) async throws(AdapterFailure) -> [Profile]

    /// Writes a profile with its audit entry: a new one unless its account has `limit` of them already, or an existing
    /// one in place of the one before.
    /// - Returns: whether it was written.
    func save(_ profile: Profile, isNew: Bool, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool

    /// Removes a profile of an account with its audit entry, unless someone has it.
    func removeProfile(_ id: ProfileID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)
        -> ProfileRemoval

    /// Reads the groups of an account, ordered by id.
    func groups(of account: AccountID) async throws(AdapterFailure) -> [PeopleGroup]

    /// Writes a group as `save(_:isNew:atMost:audit:)` writes a profile.
    /// - Returns: whether it was written.
    func save(_ group: PeopleGroup, isNew: Bool, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool

    /// Removes a group of an account. The audit entry is written only if there was one.
    /// - Returns: whether there was one.
    func removeGroup(_ id: GroupID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool
}

/// What became of the wish to remove a profile.
public enum ProfileRemoval: Hashable, Sendable {
    /// It is removed.
    case removed
    /// Someone has it, so it stays.
    case inUse
    /// The brand has no such profile.
    case notFound
}
