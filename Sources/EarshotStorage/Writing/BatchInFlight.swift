import Synchronization

/// The batch that the writer is committing. Either the writer answers it, or, when the disk hangs, the watch of
/// deadlines does; never both.
final class BatchInFlight: Sendable {
    private struct Batch {
        var jobs: [WriteJob]
        let since: UInt64
    }

    private let current = Mutex<Batch?>(nil)
    /// Since when the writer has been committing; 0 while it waits. Stays set after the batch was answered.
    private let busySince = Atomic<UInt64>(0)

    /// How long the writer has been busy with one batch, in nanoseconds.
    func busy(at now: UInt64) -> UInt64 {
        let since = busySince.load(ordering: .acquiring)
        return since == 0 || now < since ? 0 : now - since
    }

    /// The writer takes these on.
    func begin(_ jobs: [WriteJob], at now: UInt64) {
        current.withLock { $0 = Batch(jobs: jobs, since: now) }
        busySince.store(now, ordering: .releasing)
    }

    /// The writer is done. - Returns: whether it still has to answer.
    func end() -> Bool {
        busySince.store(0, ordering: .releasing)
        return current.withLock { batch in
            defer { batch = nil }
            return batch != nil
        }
    }

    /// Takes the batch out if it began before `deadline`: the caller answers it.
    func expire(before deadline: UInt64) -> [WriteJob] {
        current.withLock { batch in
            guard let late = batch, late.since < deadline else { return [] }
            batch = nil
            return late.jobs
        }
    }
}
