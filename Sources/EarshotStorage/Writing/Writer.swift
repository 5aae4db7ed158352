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
    private let failure = Mutex<AdapterFailure?>(nil)
    private let ended = DispatchSemaphore(value: 0)
    let metrics = StorageMetrics()

    init(_ database: OpenDatabase, tails: TailCache) {
        (self.database, self.tails) = (database, tails)
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
    func close() {
        queue.close()
        ended.wait()
    }

    func connect(_ listener: any CommitListener) {
        commitListener.withLock { $0 = listener }
    }

    /// The failure after which nothing can be written; `nil` while writing works.
    var brokenBy: AdapterFailure? { failure.withLock { $0 } }

    func add(_ job: WriteJob) {
        if !queue.add(job) { fail([job], .overloaded) }
    }

    /// How many jobs wait for the next transaction.
    var waitingJobs: Int { queue.backlog.jobs }

    func raise(_ update: WatermarkUpdate) {
        queue.add(update)
    }

    private func run() {
        do {
            let state = try database.pool.writeWithoutTransaction { db in
                try WriterState(db, checkpoints: Checkpoints(other: database.checkpoints, writer: db))
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
            let load = queue.take()
            policy.count(load.jobs.count, at: monotonicNanoseconds())
            write(load, state)
            if load.isClosing { return }
        }
    }

    private func write(_ load: WriteQueue.Load, _ state: WriterState) {
        state.marks.add(load.marks, at: monotonicNanoseconds())
        var rest = load.jobs[...]
        repeat {
            let batch = Array(rest.prefix(WriterState.batchLimit))
            rest = rest.dropFirst(batch.count)
            write(batch, isLast: load.isClosing && rest.isEmpty, state)
        } while !rest.isEmpty
    }

    private func write(_ batch: [WriteJob], isLast: Bool, _ state: WriterState) {
        let due = state.marks.due(at: monotonicNanoseconds(), isLast: isLast)
        guard !batch.isEmpty || due.isAll else { return }
        if let failure = brokenBy {
            state.marks.failed(due, .ofTheConnection, at: monotonicNanoseconds())
            return fail(batch, failure)
        }
        let began = monotonicNanoseconds()
        do {
            let committed = try database.pool.writeWithoutTransaction { try state.commit(batch, due, in: $0) }
            metrics.commit.observe(nanoseconds: Int(monotonicNanoseconds() - began))
            metrics.batch.observe(batch.count)
            publish(committed, answering: batch)
            state.marks.written(due, touched: committed.notifications.lazy.map(\.conversation))
        } catch {
            state.marks.failed(due, FailureGrade(error), at: monotonicNanoseconds())
            recover(batch, from: error, state)
        }
        if state.checkpoints.isDue { database.pool.writeWithoutTransaction { state.checkpoints.advance($0) } }
    }

    /// Handles a failed transaction: nothing of the batch is on disk. If one change caused it, each job is retried
    /// alone; otherwise all of them fail.
    private func recover(_ batch: [WriteJob], from error: any Error, _ state: WriterState) {
        let grade = FailureGrade(error)
        if grade == .ofTheConnection { fail(for: error) }
        guard grade == .ofOneChange, batch.count > 1 else {
            return fail(batch, .of(error))
        }
        for job in batch { write([job], isLast: false, state) }
    }

    /// Updates the tail cache, then the commit listener, then answers the senders: a sender that has its answer finds
    /// its event in the tail.
    private func publish(_ committed: BatchWriter.Committed, answering batch: [WriteJob]) {
        tails.publish(committed.changes)
        if !committed.notifications.isEmpty, let commitListener = commitListener.withLock({ $0 }) {
            commitListener.committed(committed.notifications)
        }
        metrics.count(committed.outcomes)
        for (job, outcome) in zip(batch, committed.outcomes) { job.answer(outcome) }
    }

    private func fail(_ jobs: [WriteJob], _ failure: AdapterFailure) {
        metrics.failures.increment(by: jobs.count)
        for job in jobs { job.fail(failure) }
    }

    private func fail(for error: any Error) {
        failure.withLock { $0 = .of(error) }
    }

    /// The thread could not begin: everything is refused until it is closed.
    private func refuseAll() {
        while true {
            queue.sleep(untilJobs: 1, or: nil)
            let load = queue.take()
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

    init(_ db: Database, checkpoints: Checkpoints) throws {
        writer = try BatchWriter(db)
        self.checkpoints = checkpoints
    }

    func commit(_ batch: [WriteJob], _ due: PendingWatermarks.Due, in db: Database) throws -> BatchWriter.Committed {
        try writer.commit(batch, marks: due, in: db)
    }
}
