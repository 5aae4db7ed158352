public import EarshotCore

/// What stands in the way of storing.
public struct StorageCondition: Sendable {
    /// The failure after which nothing can be stored.
    public let failure: AdapterFailure?
    /// The disk has no space: changes are refused.
    public let isFull: Bool
    /// The space that is reserved for texts was given up, or there was never room for it.
    public let isLow: Bool
    /// How long the disk has been keeping the oldest request waiting.
    public let waiting: Duration
    /// The rows that could not be read. What needs one of them is refused as `damaged`; everything else works.
    public let damaged: [DamagedRow]
}

/// Watches how the disk serves the store: fails what waits too long, and knows what stands in the way of storing.
public final class StorageHealth: Sendable {
    private let writer: Writer
    private let reads: PendingReads
    private let reserve: DiskReserve
    private let damaged: DamagedRows
    private let deadlines: DeadlineWatch

    /// - Parameter seconds: after how long a read or a change that the disk does not answer fails.
    init(
        _ writer: Writer, _ reads: PendingReads, _ reserve: DiskReserve, _ damaged: DamagedRows,
        deadline seconds: Double
    ) {
        (self.writer, self.reads, self.reserve, self.damaged) = (writer, reads, reserve, damaged)
        let limit = UInt64(seconds * 1_000_000_000)
        deadlines = DeadlineWatch { now in
            guard now > limit else { return }
            writer.expire(before: now - limit)
            reads.expire(before: now - limit)
        }
    }

    /// What stands in the way of storing now. Asks the disk nothing.
    public var condition: StorageCondition {
        let now = monotonicNanoseconds()
        let slowest = max(writer.busy(at: now), reads.oldest(at: now))
        return StorageCondition(
            failure: writer.brokenBy, isFull: writer.isFull, isLow: !reserve.isHeld,
            waiting: .nanoseconds(Int64(clamping: slowest)), damaged: damaged.all)
    }

    /// Sets what is called as soon as a write meets a failure or a full disk, and when the disk has room again: on the
    /// writer's thread, before any change is refused because of it. It must not block. A disk that hangs is seen in
    /// `condition` only.
    public func connect(_ listener: @escaping @Sendable () -> Void) {
        writer.connect(conditionListener: listener)
    }

    /// Reserves disk space again if it was given up and there is room. Blocks.
    public func restoreReserve() {
        writer.restoreReserve()
    }

    func close() {
        deadlines.close()
    }
}
