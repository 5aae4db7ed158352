public import EarshotModel

/// Who was shut out, and what changed about it.
public protocol AccessStore: Sendable {
    /// Reads the changes after a number, in order.
    func accessChanges(after id: Int64) async throws(AdapterFailure) -> [AccessChange]

    /// Reads all blocked consumers.
    func blockedConsumers() async throws(AdapterFailure) -> Set<ConsumerID>

    /// Blocks a consumer or lifts the block, with its audit entry and its access change.
    func apply(_ block: ConsumerBlock) async throws(AdapterFailure)
}
