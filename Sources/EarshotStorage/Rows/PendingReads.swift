import EarshotCore
import Synchronization

/// The reads that have no answer yet. Each is answered once: with its result, or at its deadline, when the disk hangs.
final class PendingReads: Sendable {
    /// The most reads that may wait. Further ones fail at once, so that memory stays bounded when the disk hangs.
    static let limit = 10_000

    private struct Waiting {
        var lastNumber = 0
        /// Until the database has run them, also those that were answered: they occupy memory.
        var running = 0
        var reads: [Int: Read] = [:]
    }

    private struct Read {
        let since: UInt64
        let fail: @Sendable (AdapterFailure) -> Void
    }

    private let waiting = Mutex(Waiting())

    /// - Returns: the number of the read; `nil` where too many wait.
    func begin(at now: UInt64, fail: @escaping @Sendable (AdapterFailure) -> Void) -> Int? {
        waiting.withLock { waiting in
            guard waiting.running < Self.limit else { return nil }
            waiting.running += 1
            waiting.lastNumber += 1
            waiting.reads[waiting.lastNumber] = Read(since: now, fail: fail)
            return waiting.lastNumber
        }
    }

    /// Whether anyone still waits for it.
    func isWaiting(_ number: Int) -> Bool { waiting.withLock { $0.reads[number] != nil } }

    /// The database is done with it. - Returns: whether it still has to be answered.
    func end(_ number: Int) -> Bool {
        waiting.withLock { waiting in
            waiting.running -= 1
            return waiting.reads.removeValue(forKey: number) != nil
        }
    }

    /// Fails those that began before `deadline`.
    func expire(before deadline: UInt64) {
        let late = waiting.withLock { waiting in
            let late = waiting.reads.filter { $0.value.since < deadline }
            for number in late.keys { waiting.reads[number] = nil }
            return late
        }
        for read in late.values { read.fail(.late) }
    }

    /// How long the oldest has been waiting, in nanoseconds.
    func oldest(at now: UInt64) -> UInt64 {
        waiting.withLock { $0.reads.values.map(\.since).min() }.map { now > $0 ? now - $0 : 0 } ?? 0
    }
}
