import EarshotModel
import Synchronization

/// The consumers who are shut out, cached because every request of a consumer asks: those who are blocked, and which
/// tokens of those who were signed out everywhere are accepted. Knows how far the access changes were read.
final class BlockedConsumers: Sendable {
    private struct Known {
        var consumers: Set<ConsumerID> = []
        var generations: [ConsumerID: Int] = [:]
        /// The number of the last access change; `nil` before the first look.
        var lastChange: Int64?
    }

    private let known = Mutex(Known())

    /// Whether a consumer is blocked.
    func contains(_ consumer: ConsumerID) -> Bool { known.withLock { $0.consumers.contains(consumer) } }

    /// The generation of a consumer's tokens: how often they were signed out everywhere.
    func generation(of consumer: ConsumerID) -> Int { known.withLock { $0.generations[consumer] ?? 0 } }

    /// Replaces the set.
    /// - Returns: the consumers that were not blocked before.
    func replace(with new: Set<ConsumerID>) -> Set<ConsumerID> {
        known.withLock { known in
            defer { known.consumers = new }
            return new.subtracting(known.consumers)
        }
    }

    /// Notes the generations. None goes back: what was read a moment earlier may arrive later.
    /// - Returns: the consumers who were signed out since the last time.
    func note(_ generations: [ConsumerID: Int]) -> [ConsumerID] {
        known.withLock { known in
            generations.compactMap { consumer, generation in
                guard generation > known.generations[consumer] ?? 0 else { return nil }
                known.generations[consumer] = generation
                return consumer
            }
        }
    }

    /// The number of the last access change that was read; `nil` before the first look.
    var lastChange: Int64? { known.withLock { $0.lastChange } }

    /// Notes that all changes up to a number were read.
    func read(through id: Int64) { known.withLock { $0.lastChange = max(id, $0.lastChange ?? id) } }
}
