import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Glibc

/// One rendition while a worker makes it: reads the original, writes a draft next to it, and renames the draft once it
/// is complete and on disk.
final class RenditionJob: WorkerJob {
    let order: WorkerOrder
    let source: UploadSource?
    private let original: String
    private let target: String
    private let finishLimit: Duration
    private let onEnd: @Sendable () -> Void
    private let state = Locked(State())
    private let ended = OneShot<Result<Void, any Error>>()
    private static let chunkBytes = 64 * 1024
    /// No rendition is larger than this, whatever a worker sends.
    private static let maxBytesPerMs = 16
    private static let spareBytes = 64 * 1024

    private struct State: Sendable {
        var source: OpenFile?
        var position = 0
        var draft: OpenFile?
        var written = 0
    }

    /// `onEnd` is called once, before the tasks that wait for the job resume.
    init(
        _ order: WorkerOrder, of original: Renditions.Original, to target: String, finishLimit: Duration,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.order = order
        source = original.account.map { UploadSource(account: $0) }
        self.original = original.path
        self.target = target
        self.finishLimit = finishLimit
        self.onEnd = onEnd
    }

    /// Waits until the file exists; throws why it could not be made.
    func settled() async throws {
        try await ended.value().get()
    }

    func start(on process: WorkerProcess) {
        process.end(in: finishLimit)
    }

    func nextBytes() async throws -> [UInt8]? {
        let bytes = try await BlockingPool.run { try self.read() }
        return bytes.isEmpty ? nil : bytes
    }

    func write(audio bytes: [UInt8]) async throws {
        try await BlockingPool.run { try self.append(bytes) }
    }

    func write(header bytes: [UInt8]) throws {
        throw WorkerFrameError()
    }

    func finish(_ outcome: WorkerOutcome) async {
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
        onEnd()
        ended.resolve(result)
    }

    // MARK: Blocking; only one at a time, for the session

    private var draftPath: String { target + ".new" }

    private func read() throws -> [UInt8] {
        let now = state.value
        let file = try now.source ?? OpenFile(reading: original)
        let bytes = try file.read(Self.chunkBytes, at: now.position)
        state.update { state in
            state.source = file
            state.position += bytes.count
        }
        return bytes
    }

    private func append(_ bytes: [UInt8]) throws {
        let now = state.value
        let limit = min(Int(order.maxBytes), Int(order.limitMs) * Self.maxBytesPerMs + Self.spareBytes)
        guard now.written + bytes.count <= limit else { throw WorkerFrameError() }
        let file = try now.draft ?? OpenFile(writing: draftPath, isFresh: true)
        try file.write(bytes[...], at: now.written)
        state.update { state in
            state.draft = file
            state.written += bytes.count
        }
    }

    private func keep(_ outcome: WorkerOutcome) throws {
        let last = state.value
        state.update { $0 = State() }
        do {
            guard case .rendition(let made) = outcome, let draft = last.draft, Int(made.sizeBytes) == last.written
            else { throw Self.reason(outcome) }
            try draft.sync()
            try FileSystem.rename(draftPath, to: target)
        } catch {
            try? FileSystem.removeFile(draftPath)
            throw error
        }
    }

    private static func reason(_ outcome: WorkerOutcome) -> any Error {
        switch outcome {
        case .failed(let error as FileFailure): error
        case .failed(let error as Rejection): error
        case .failed, .crashed, .refused, .rendition, .result: Rejection.audioFailed
        }
    }
}
