import EarshotModel
import EarshotWorkerProtocol
import Synchronization

/// Forms of a recording that are made when they are first asked for, and kept beside its original from then on.
///
/// Promises: who asks for the same form at the same time shares one making; a making that fails costs those who asked and nothing else, and the next one
/// who asks tries again; half a file is never served.
final class Renditions: Sendable {
    private let pool: WorkerPool
    private let makings = Mutex<[String: Making]>([:])
    /// Made at the same time; over that the answer is `unavailable`, so that recordings which are being sent find workers.
    static let mostMakings = 8

    init(pool: WorkerPool) {
        self.pool = pool
    }

    /// Makes the file at `path` of an original, where it is not there yet.
    func make(_ path: String, of original: String, _ order: WorkerOrder) async throws {
        if try await Blocking.run({ Folders.exists(path) }) { return }
        let (making, isNew) = try claim(path, original, order)
        if isNew { pool.submit(making, isComplete: true) }
        try await making.settled()
    }

    /// In the making now.
    var count: Int { makings.withLock { $0.count } }

    /// Waits until nothing is made in a folder any more.
    func settle(in folder: String) async {
        let running = makings.withLock { makings in makings.filter { $0.key.hasPrefix(folder + "/") }.map(\.value) }
        for making in running { try? await making.settled() }
    }

    private func claim(_ path: String, _ original: String, _ order: WorkerOrder) throws -> (Making, isNew: Bool) {
        try makings.withLock { makings in
            if let known = makings[path] { return (known, false) }
            guard makings.count < Self.mostMakings else { throw Rejection.unavailable }
            let making = Making(order, of: original, to: path, finishLimit: pool.finishLimit) {
                _ = self.makings.withLock { $0.removeValue(forKey: path) }
            }
            makings[path] = making
            return (making, true)
        }
    }
}
