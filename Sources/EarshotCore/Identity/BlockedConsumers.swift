import EarshotModel
import Synchronization

/// The blocked consumers, cached because every request of a consumer asks, and how far the access changes were read.
final class BlockedConsumers: Sendable {
    private struct Known {
        var consumers: Set<ConsumerID> = []
        /// The number of the last access change; `nil` before the first look.
        var lastChange: Int64?
    }

    private let known = Mutex(Known())

    /// Whether a consumer is blocked.
    func contains(_ consumer: ConsumerID) -> Bool { known.withLock { $0.consumers.contains(consumer) } }

    /// Replaces the set.
    /// - Returns: the consumers that were not blocked before.
    func replace(with new: Set<ConsumerID>) -> Set<ConsumerID> {
        known.withLock { known in
            defer { known.consumers = new }
            return new.subtracting(known.consumers)
        }
    }

    /// The number of the last access change that was read; `nil` before the first look.
    var lastChange: Int64? { known.withLock { $0.lastChange } }

    /// Notes that all changes up to a number were read.
    func read(through id: Int64) { known.withLock { $0.lastChange = max(id, $0.lastChange ?? id) } }
}
