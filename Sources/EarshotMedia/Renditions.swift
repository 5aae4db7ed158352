import EarshotModel
import EarshotWorkerProtocol
import Synchronization

/// Forms of a recording that are made when they are first asked for, and kept beside its original from then on.
///
/// Promises: who asks for the same format at the same time shares one renditionJob; a renditionJob that fails costs those who asked and nothing else, and the next one
/// who asks tries again; half a file is never served.
final class Renditions: Sendable {
    private let pool: WorkerPool
    private let renditionJobs = Mutex<[String: RenditionJob]>([:])
    /// Made at the same time; over that the answer is `unavailable`, so that recordings which are being sent find workers.
    static let mostMakings = 8

    init(pool: WorkerPool) {
        self.pool = pool
    }

    /// Makes the file at `path` of an original, where it is not there yet.
    func make(_ path: String, of original: String, _ order: WorkerOrder) async throws {
        if try await BlockingPool.run({ Folders.exists(path) }) { return }
        let (renditionJob, isNew) = try claim(path, original, order)
        if isNew { pool.submit(renditionJob, isComplete: true) }
        try await renditionJob.settled()
    }

    /// In the renditionJob now.
    var count: Int { renditionJobs.withLock { $0.count } }

    /// Waits until nothing is made in a folder any more.
    func settle(in folder: String) async {
        let running = renditionJobs.withLock { renditionJobs in
            renditionJobs.filter { $0.key.hasPrefix(folder + "/") }.map(\.value)
        }
        for renditionJob in running { try? await renditionJob.settled() }
    }

    private func claim(_ path: String, _ original: String, _ order: WorkerOrder) throws -> (RenditionJob, isNew: Bool) {
        try renditionJobs.withLock { renditionJobs in
            if let known = renditionJobs[path] { return (known, false) }
            guard renditionJobs.count < Self.mostMakings else { throw Rejection.unavailable }
            let renditionJob = RenditionJob(order, of: original, to: path, finishLimit: pool.finishLimit) {
                _ = self.renditionJobs.withLock { $0.removeValue(forKey: path) }
            }
            renditionJobs[path] = renditionJob
            return (renditionJob, true)
        }
    }
}
