import Dispatch
import EarshotCore
import Synchronization

/// The queue of jobs for the writer. Any thread adds to it; only the writer takes from it.
///
/// The writer is woken only while it sleeps and only for what it sleeps for: under load, adding a change is one short
/// lock and no system call.
final class WriteQueue: Sendable {
    /// The most jobs that may wait. Further ones fail at once, so that memory stays bounded if the disk stalls.
    static let jobLimit = 50_000
    /// The most bytes of changes that may wait.
    static let byteLimit = 64 * 1024 * 1024
    /// The most watermark updates that may wait. Further ones are dropped; clients send them again.
    static let markLimit = 50_000

    /// What the writer takes in one go.
    struct Load {
        var jobs: [WriteJob] = []
        var marks: [WatermarkUpdate] = []
        /// No more will come.
        var isClosing = false
    }

    private struct Waiting {
        var load = Load()
        /// When each of the jobs came.
        var arrivals: [UInt64] = []
        var bytes = 0
        var sleep: Sleep?

        /// Takes out the first jobs.
        mutating func takeJobs(_ count: Int) -> [WriteJob] {
            guard count < load.jobs.count else {
                defer { (load.jobs, arrivals, bytes) = ([], [], 0) }
                return load.jobs
            }
            let taken = Array(load.jobs.prefix(count))
            load.jobs.removeFirst(count)
            arrivals.removeFirst(count)
            bytes -= taken.reduce(0) { $0 + $1.bytes }
            return taken
        }
    }

    /// What the writer sleeps for.
    private struct Sleep {
        let jobs: Int
        let wakesForMarks: Bool
    }

    private let waiting = Mutex(Waiting())
    private let wake = DispatchSemaphore(value: 0)

    /// - Returns: `false` where the queue is full or closed; the job was not taken.
    func add(_ job: WriteJob) -> Bool {
        let now = monotonicNanoseconds()
        return change { waiting in
            guard !waiting.load.isClosing, waiting.load.jobs.count < Self.jobLimit,
                waiting.bytes + job.bytes <= Self.byteLimit
            else { return false }
            waiting.arrivals.append(now)
            waiting.bytes += job.bytes
            waiting.load.jobs.append(job)
            return true
        }
    }

    func add(_ mark: WatermarkUpdate) {
        _ = change { waiting in
            guard !waiting.load.isClosing, waiting.load.marks.count < Self.markLimit else { return false }
            waiting.load.marks.append(mark)
            return true
        }
    }

    /// No more is taken; the writer finishes what waits.
    func close() {
        _ = change { waiting in
            waiting.load.isClosing = true
            return true
        }
    }

    /// How many jobs wait, and since when.
    var backlog: (jobs: Int, oldest: UInt64) {
        waiting.withLock { ($0.load.jobs.count, $0.arrivals.first ?? 0) }
    }

    /// Sleeps until so many jobs wait, or `deadline` comes; without a deadline, marks wake too. For the writer only.
    func sleep(untilJobs count: Int, or deadline: UInt64?) {
        let sleep = Sleep(jobs: count, wakesForMarks: deadline == nil)
        let mustSleep = waiting.withLock { waiting in
            guard !Self.isReason(waiting.load, toWake: sleep) else { return false }
            waiting.sleep = sleep
            return true
        }
        guard mustSleep else { return }
        guard let deadline else { return wake.wait() }
        if wake.wait(timeout: DispatchTime(uptimeNanoseconds: deadline)) == .timedOut { getUp() }
    }

    /// Takes the oldest jobs and all marks. The load is the closing one when nothing is left behind.
    func take(atMost count: Int) -> Load {
        waiting.withLock { waiting in
            var load = Load(jobs: waiting.takeJobs(count), marks: waiting.load.marks)
            waiting.load.marks = []
            load.isClosing = waiting.load.isClosing && waiting.load.jobs.isEmpty
            return load
        }
    }

    /// Takes out the jobs that came before `deadline`, for the caller to fail.
    func expire(before deadline: UInt64) -> [WriteJob] {
        waiting.withLock { waiting in
            let late = waiting.arrivals.prefix { $0 < deadline }.count
            return late == 0 ? [] : waiting.takeJobs(late)
        }
    }

    /// Ends a sleep after its timeout. A signal that arrived in the meantime must not wake the next sleep.
    private func getUp() {
        let wasSignalled = waiting.withLock { waiting in
            defer { waiting.sleep = nil }
            return waiting.sleep == nil
        }
        if wasSignalled { wake.wait() }
    }

    private func change(_ body: (inout Waiting) -> Bool) -> Bool {
        let (result, mustWake) = waiting.withLock { waiting in
            let result = body(&waiting)
            guard let sleep = waiting.sleep, Self.isReason(waiting.load, toWake: sleep) else { return (result, false) }
            waiting.sleep = nil
            return (result, true)
        }
        if mustWake { wake.signal() }
        return result
    }

    private static func isReason(_ load: Load, toWake sleep: Sleep) -> Bool {
        load.jobs.count >= sleep.jobs || load.isClosing || (sleep.wakesForMarks && !load.marks.isEmpty)
    }
}

/// Nanoseconds of a clock that only rises: for windows and deadlines, never for what is stored.
func monotonicNanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}
