import EarshotModel
import EarshotWorkerProtocol
import Glibc

/// One format of a recording while a worker makes it: reads the original, writes a draft beside it, and gives it its name when it is whole and on disk.
final class RenditionJob: WorkerJob {
    let order: WorkerOrder
    private let original: String
    private let target: String
    private let finishLimit: Duration
    private let whenOver: @Sendable () -> Void
    private let state = Locked(State())
    private let promise = OneShot<Void>()
    private static let chunkBytes = 64 * 1024
    /// Whatever a worker says, no format has more.
    private static let mostBytesPerMs = 16
    private static let spareBytes = 64 * 1024

    private struct State: Sendable {
        var source: OpenFile?
        var position = 0
        var draft: OpenFile?
        var written = 0
    }

    /// `whenOver` is called once, before anyone who waits is told.
    init(
        _ order: WorkerOrder, of original: String, to target: String, finishLimit: Duration,
        whenOver: @escaping @Sendable () -> Void
    ) {
        self.order = order
        self.original = original
        self.target = target
        self.finishLimit = finishLimit
        self.whenOver = whenOver
    }

    /// Waits until the file is there; throws why it is not.
    func settled() async throws {
        try await promise.value()
    }

    func attach(_ process: WorkerProcess) {
        process.end(in: finishLimit)
    }

    func next() async throws -> [UInt8]? {
        let bytes = try await BlockingPool.run { try self.read() }
        return bytes.isEmpty ? nil : bytes
    }

    func take(sound bytes: [UInt8]) async throws {
        try await BlockingPool.run { try self.write(bytes) }
    }

    func take(head bytes: [UInt8]) throws {
        throw WorkerFrameError()
    }

    func end(_ outcome: WorkerOutcome) async {
        do {
            try await BlockingPool.run { try self.keep(outcome) }
            settle(.success(()))
        } catch {
            settle(.failure(error))
        }
    }

    func abandon() {
        settle(.failure(Rejection.unavailable))
    }

    private func settle(_ result: Result<Void, any Error>) {
        whenOver()
        promise.keep(result)
    }

    // MARK: On threads that may block; one at a time, the session's

    private var draftPath: String { target + ".new" }

    private func read() throws -> [UInt8] {
        let now = state.value
        let file = try now.source ?? OpenFile(reading: original)
        let bytes = try file.read(Self.chunkBytes, at: now.position)
        state.change { state in
            state.source = file
            state.position += bytes.count
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) throws {
        let now = state.value
        let most = min(Int(order.mostBytes), Int(order.limitMs) * Self.mostBytesPerMs + Self.spareBytes)
        guard now.written + bytes.count <= most else { throw WorkerFrameError() }
        let file = try now.draft ?? OpenFile(writing: draftPath, isFresh: true)
        try file.write(bytes[...], at: now.written)
        state.change { state in
            state.draft = file
            state.written += bytes.count
        }
    }

    private func keep(_ outcome: WorkerOutcome) throws {
        let last = state.value
        state.change { $0 = State() }
        do {
            guard case .made(let made) = outcome, let draft = last.draft, Int(made.sizeBytes) == last.written else {
                throw Self.reason(outcome)
            }
            try draft.sync()
            try Folders.rename(draftPath, to: target)
        } catch {
            try? Folders.removeFile(draftPath)
            throw error
        }
    }

    private static func reason(_ outcome: WorkerOutcome) -> any Error {
        switch outcome {
        case .failed(let error as FileFailure): error
        case .failed(let error as Rejection): error
        case .failed, .crashed, .refused, .made, .result: Rejection.audioFailed
        }
    }
}
