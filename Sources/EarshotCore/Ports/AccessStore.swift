public import EarshotModel

/// Who was shut out, and what changed about it.
public protocol AccessStore: Sendable {
    /// Reads the changes after a number, in order.
    func accessChanges(after id: Int64) async throws(AdapterFailure) -> [AccessChange]

    /// Reads all blocked consumers.
    func blockedConsumers() async throws(AdapterFailure) -> Set<ConsumerID>

    /// Blocks a consumer or lifts the block, with its audit entry and its access change.
    func apply(_ block: ConsumerBlock) async throws(AdapterFailure)

    /// Reads the consumers who were signed out everywhere, each with the lowest generation of tokens that is accepted.
    func tokenGenerations() async throws(AdapterFailure) -> [ConsumerID: Int]

    /// Signs a consumer out everywhere: the next generation of tokens begins. Writes the audit entry and the access
    /// change with it.
    func apply(_ signOut: ConsumerSignOut) async throws(AdapterFailure)
}
