import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Synchronization

/// Makes renditions of finished recordings when they are first asked for. They are kept next to the original.
///
/// Promises: requests for the same rendition at the same time share one job; a job that fails affects only the requests
/// that wait for it, and the next request tries again; half a file is never served.
final class Renditions: Sendable {
    private let pool: WorkerPool
    private let jobs = Mutex<[String: RenditionJob]>([:])
    /// How many jobs may run at a time. Over that the answer is `unavailable`, so that recordings being sent find
    /// workers.
    static let maxJobs = 8

    init(pool: WorkerPool) {
        self.pool = pool
    }

    /// The share of the running jobs that one brand may have.
    static let maxJobsPerAccount = maxJobs / 2

    /// What a rendition is made from.
    struct Original: Sendable {
        let path: String
        /// The brand, if it is known.
        let account: AccountID?
    }

    /// Makes the file at `path` from an original, unless it exists.
    func make(_ path: String, of original: Original, _ order: WorkerOrder) async throws {
        if try await BlockingPool.run({ FileSystem.exists(path) }) { return }
        let (job, isNew) = try findOrAdd(path, original, order)
        if isNew { pool.submit(job, isComplete: true) }
        try await job.settled()
    }

    /// How many jobs are running.
    var count: Int { jobs.withLock { $0.count } }

    /// Waits until no job runs for a folder.
    func settle(in folder: String) async {
        let running = jobs.withLock { jobs in jobs.filter { $0.key.hasPrefix(folder + "/") }.map(\.value) }
        for job in running { try? await job.settled() }
    }

    private func findOrAdd(_ path: String, _ original: Original, _ order: WorkerOrder) throws -> (
        RenditionJob, isNew: Bool
    ) {
        try jobs.withLock { jobs in
            if let known = jobs[path] { return (known, false) }
            let ofAccount = original.account.map { account in jobs.values.count { $0.source?.account == account } } ?? 0
            guard jobs.count < Self.maxJobs, ofAccount < Self.maxJobsPerAccount else { throw Rejection.unavailable }
            let job = RenditionJob(order, of: original, to: path, finishLimit: pool.finishLimit) {
                _ = self.jobs.withLock { $0.removeValue(forKey: path) }
            }
            jobs[path] = job
            return (job, true)
        }
    }
}
