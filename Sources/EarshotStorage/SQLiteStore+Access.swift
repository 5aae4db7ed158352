public import EarshotCore
public import EarshotModel

extension SQLiteStore: AccessStore {
    /// Reads the access changes after a number, in order.
    public func accessChanges(after id: Int64) async throws(AdapterFailure) -> [AccessChange] {
        try await tables.access.changes(after: id)
    }

    /// Reads all blocked consumers.
    public func blockedConsumers() async throws(AdapterFailure) -> Set<ConsumerID> {
        try await tables.access.blockedConsumers()
    }

    /// Blocks a consumer or lifts the block, with its audit entry and its access change.
    public func apply(_ block: ConsumerBlock) async throws(AdapterFailure) {
        try await tables.access.apply(block)
    }
}
