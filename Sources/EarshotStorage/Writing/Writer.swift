import Dispatch
import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// Runs the one thread that writes: it takes the queued jobs, commits them in one transaction, then notifies everyone.
///
/// It is a thread and not a task because it blocks on fsync and must not occupy the shared thread pool.
final class Writer: Sendable {
    private let queue = WriteQueue()
    private let tails: TailCache
    private let database: OpenDatabase
    private let commitListener = Mutex<(any CommitListener)?>(nil)
    private let condition = Mutex(Condition())
    private let conditionListener = Mutex<(@Sendable () -> Void)?>(nil)
    private let inFlight = BatchInFlight()
    private let reserve: DiskReserve
    private let damaged: DamagedRows
    private let ended = DispatchSemaphore(value: 0)
    let metrics = StorageMetrics()

    /// What stands in the way of writing.
    private struct Condition {
        private(set) var failure: AdapterFailure?
        private(set) var isFull = false

        /// The first failure stays.
        mutating func fail(_ error: AdapterFailure) { failure = failure ?? error }

        mutating func beginFull() { isFull = true }

        /// - Returns: whether it was full.
        @discardableResult
        mutating func endFull() -> Bool {
            defer { isFull = false }
            return isFull
        }
    }

    /// How long `close` waits for a disk that hangs.
    static let closeLimit = DispatchTimeInterval.seconds(10)

    init(_ database: OpenDatabase, tails: TailCache, reserve: DiskReserve, damaged: DamagedRows) {
        (self.database, self.tails, self.reserve, self.damaged) = (database, tails, reserve, damaged)
    }

    /// Starts the thread. Once.
    func start() {
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "earshot-writer"
        thread.start()
    }

    /// Finishes what waits, and returns when the thread has ended. Once.
    /// - Returns: `false` if it did not end, because the disk hangs.
    func close() -> Bool {
        queue.close()
        return ended.wait(timeout: .now() + Self.closeLimit) == .success
    }

    func connect(_ listener: any CommitListener) {
        commitListener.withLock { $0 = listener }
    }

    /// Sets what is called after the condition changed: on the thread that met the failure, before anyone is refused
    /// because of it.
    func connect(conditionListener listener: @escaping @Sendable () -> Void) {
        conditionListener.withLock { $0 = listener }
    }

    /// The failure after which nothing can be written; `nil` while writing works.
    var brokenBy: AdapterFailure? { condition.withLock { $0.failure } }

    /// Whether the last commit failed because the disk has no space.
    var isFull: Bool { condition.withLock { $0.isFull } }

    /// How long the disk has been keeping the writer waiting, in nanoseconds.
    func busy(at now: UInt64) -> UInt64 { inFlight.busy(at: now) }

    /// Fails what has waited since before `deadline`. A batch that is being committed may still reach the disk; its
    /// senders learn that when they ask again with their keys.
    func expire(before deadline: UInt64) {
        fail(queue.expire(before: deadline) + inFlight.expire(before: deadline), .late)
    }

    /// Reserves space again if there is room. Blocks.
    func restoreReserve() {
        guard isFull || !reserve.isHeld else { return }
        guard reserve.restore() else { return }
        _ = condition.withLock { $0.endFull() }
        conditionChanged()
    }

    /// Copies the write-ahead log into the database and empties it.
    /// - Parameter answer: called with `false` if a reader prevented it. The writer waits for one for a moment at most.
    func emptyLog(answer: @escaping @Sendable (Result<Bool, AdapterFailure>) -> Void) {
        database.checkpoints.asyncWriteWithoutTransaction { [self] db in
            let result = Checkpoints.truncate(db)
            if case .failure(let failed) = result { checkpointFailed(failed) }
            answer(result.mapError { .of($0.error) })
        }
    }

    func add(_ job: WriteJob) {
        if !queue.add(job) { fail([job], .overloaded) }
    }

    /// How many jobs wait for the next transaction.
    var waitingJobs: Int { queue.backlog.jobs }

    /// What it counts, and how much waits for it.
    var allMetrics: [any Metric] {
        metrics.all + [
            ReadMetric("earshot_write_queue", "Writes that wait for the next transaction.") { [self] in
                Double(waitingJobs)
            }
        ]
    }

    func raise(_ update: WatermarkUpdate) {
        queue.add(update)
    }

    private func run() {
        do {
            let state = try database.pool.writeWithoutTransaction { db in
                try WriterState(
                    db, database.contentKeys,
                    checkpoints: try Checkpoints(other: database.checkpoints, writer: db) { self.checkpointFailed($0) },
                    damaged: damaged)
            }
            run(state)
        } catch {
            fail(for: error)
            refuseAll()
        }
    }

    private func run(_ state: WriterState) {
        var policy = GatherPolicy()
        while true {
            queue.sleep(untilJobs: 1, or: state.marks.deadline)
            policy.count(0, at: monotonicNanoseconds())
            let backlog = queue.backlog
            if backlog.jobs > 0 {
                queue.sleep(
                    untilJobs: policy.tuning.enough, or: policy.deadline(queued: backlog.jobs, oldest: backlog.oldest))
            }
            let load = queue.take(atMost: WriterState.batchLimit)
            policy.count(load.jobs.count, at: monotonicNanoseconds())
            state.marks.add(load.marks, at: monotonicNanoseconds())
            write(load.jobs, isLast: load.isClosing, state)
            if load.isClosing { return }
        }
    }

    private func write(_ batch: [WriteJob], isLast: Bool, isRetry: Bool = false, _ state: WriterState) {
        let due = state.marks.due(at: monotonicNanoseconds(), isLast: isLast)
        guard !batch.isEmpty || due.isAll else { return }
        if let failure = brokenBy {
            state.marks.failed(due, .ofTheConnection, at: monotonicNanoseconds())
            return fail(batch, failure)
        }
        let began = monotonicNanoseconds()
        inFlight.begin(batch, at: began)
        do {
            let committed = try database.pool.writeWithoutTransaction { try state.commit(batch, due, in: $0) }
            metrics.commit.observe(nanoseconds: Int(monotonicNanoseconds() - began))
            metrics.batch.observe(batch.count)
            if condition.withLock({ $0.endFull() }) { conditionChanged() }
            publish(committed, answering: batch)
            state.marks.written(due, touched: committed.notifications.lazy.map(\.conversation))
        } catch {
            let mustAnswer = inFlight.end()
            state.marks.failed(due, state.grade, at: monotonicNanoseconds())
            recover(mustAnswer ? batch : [], from: error, isRetry: isRetry, state)
        }
        if state.checkpoints.isDue { database.pool.writeWithoutTransaction { state.checkpoints.advance($0) } }
    }

    /// Handles a failed transaction: nothing of the batch is on disk. If one change caused it, each job is retried
    /// alone; if the disk is full, all are retried once in the reserved space, or in that of a log that could be
    /// copied; otherwise all of them fail.
    private func recover(_ batch: [WriteJob], from error: any Error, isRetry: Bool, _ state: WriterState) {
        switch state.grade {
        case .ofTheConnection: fail(for: error)
        case .ofAFullDisk:
            let hasReserve = reserve.release()
            let isShort = database.pool.writeWithoutTransaction { state.checkpoints.shorten($0) }
            if !isRetry, hasReserve || isShort { return write(batch, isLast: false, isRetry: true, state) }
            condition.withLock { $0.beginFull() }
            conditionChanged()
            return fail(batch, .full)
        case .ofOneChange where batch.count > 1:
            for job in batch { write([job], isLast: false, state) }
            return
        case .ofOneChange, .ofTheMoment: break
        }
        fail(batch, damaged.failure(error))
    }

    /// Updates the tail cache, then the commit listener, then answers the senders: a sender that has its answer finds
    /// its event in the tail.
    private func publish(_ committed: BatchWriter.Committed, answering batch: [WriteJob]) {
        tails.publish(committed.changes)
        tails.remove(zip(batch, committed.outcomes).compactMap { $0.removed($1) })
        if !committed.notifications.isEmpty, let commitListener = commitListener.withLock({ $0 }) {
            commitListener.committed(committed.notifications)
        }
        metrics.count(committed.outcomes)
        guard inFlight.end() else { return }
        for (job, outcome) in zip(batch, committed.outcomes) { job.answer(outcome) }
    }

    private func fail(_ jobs: [WriteJob], _ failure: AdapterFailure) {
        metrics.failures.increment(by: jobs.count)
        for job in jobs { job.fail(failure) }
    }

    /// A checkpoint whose flush failed must not be tried again by this process: the kernel may call pages clean that
    /// never reached the disk, and the next flush would succeed. The log still has them for the next start.
    private func checkpointFailed(_ failed: CheckpointFailure) {
        switch failed.grade {
        case .ofTheConnection: fail(for: failed.error)
        case .ofAFullDisk: _ = reserve.release()
        case .ofOneChange, .ofTheMoment: break
        }
    }

    private func fail(for error: any Error) {
        condition.withLock { $0.fail(.of(error)) }
        conditionChanged()
    }

    private func conditionChanged() { conditionListener.withLock { $0 }?() }

    /// The thread could not begin: everything is refused until it is closed.
    private func refuseAll() {
        while true {
            queue.sleep(untilJobs: 1, or: nil)
            let load = queue.take(atMost: WriterState.batchLimit)
            fail(load.jobs, brokenBy ?? .closed)
            if load.isClosing { return }
        }
    }
}

/// The state that only the writer's thread uses.
final class WriterState {
    /// Jobs in one transaction. More wait for the next, so that no answer waits for thousands of others.
    static let batchLimit = 1_000

    let writer: BatchWriter
    let checkpoints: Checkpoints
    var marks = PendingWatermarks()
    /// What the last failed commit affects.
    private(set) var grade = FailureGrade.ofOneChange

    init(_ db: Database, _ contentKeys: ContentKeys, checkpoints: Checkpoints, damaged: DamagedRows) throws {
        writer = try BatchWriter(db, contentKeys, damaged: damaged)
        self.checkpoints = checkpoints
    }

    func commit(_ batch: [WriteJob], _ due: PendingWatermarks.Due, in db: Database) throws -> BatchWriter.Committed {
        do { return try writer.commit(batch, marks: due, in: db) } catch {
            grade = FailureGrade(error, of: db)
            throw error
        }
    }
}
