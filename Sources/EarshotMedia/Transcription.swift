import Crypto
import EarshotModel
import EarshotWorkerProtocol
import Glibc

/// The decoding of one upload: reads its file as far as it has come, hashes what it reads, and writes the MP3 beside it.
///
/// The file is the only queue between the sender and the worker: a worker that is slow, or that starts late, holds nobody up and costs no memory.
final class Transcription: WorkerJob {
    let limitMs: Int
    /// Begun while bytes still came. If its worker is lost, the whole file gets another.
    let isLive: Bool
    private let folder: String
    private let finishLimit: Duration
    private let settle: @Sendable (Settlement) async throws -> Void
    private let state: Current<State>
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let promise = Promise<Void>()
    private static let chunkBytes = 64 * 1024
    /// Room for the MP3's header and the encoder's own silence.
    private static let mp3SpareBytes = 64 * 1024
    private static let mp3BytesPerMs = 4

    /// How it ended, and what is known then.
    struct Settlement: Sendable {
        let outcome: WorkerOutcome
        let bytes: Int
        let sha256: [UInt8]
    }

    private struct State: Sendable {
        var available: Int
        var isComplete = false
        var isOver = false
        var process: WorkerProcess?
        var original: OpenFile?
        var position = 0
        var hash = SHA256()
        var mp3: OpenFile?
        var mp3Bytes = 0

        mutating func close() {
            isOver = true
            process = nil
            original = nil
            mp3 = nil
        }
    }

    /// `folder` holds the upload, `available` bytes of it are there; `settle` is told once how it ended.
    init(
        folder: String, limitMs: Int, isLive: Bool, available: Int, finishLimit: Duration, settle: @escaping @Sendable (Settlement) async throws -> Void
    ) {
        self.folder = folder
        self.limitMs = limitMs
        self.isLive = isLive
        self.finishLimit = finishLimit
        self.settle = settle
        state = Current(State(available: available))
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// So many bytes are in the file now.
    func advance(to available: Int) {
        state.change { $0.available = available }
        arrival.yield()
    }

    /// Nothing follows: from now on its worker has only `finishLimit`.
    func complete() {
        state.change { $0.isComplete = true }
        arrival.yield()
        state.value.process?.end(in: finishLimit)
    }

    /// Nobody wants it any more.
    func cancel() {
        state.change { $0.isOver = true }
        arrival.finish()
        state.value.process?.end()
    }

    /// Waits until it was settled; throws what was wrong.
    func settled() async throws {
        try await promise.value()
    }

    // MARK: What a worker's session calls

    func attach(_ process: WorkerProcess) {
        let now = state.change { state in
            state.process = process
            return (state.isComplete, state.isOver)
        }
        if now.0 { process.end(in: finishLimit) }
        if now.1 { process.end() }
    }

    func next() async throws -> [UInt8]? {
        while true {
            let now = state.value
            if now.isOver { throw CancellationError() }
            if now.position < now.available { return try await Blocking.run { try self.read() } }
            if now.isComplete { return nil }
            var waiting = arrivals.makeAsyncIterator()
            guard await waiting.next() != nil else { throw CancellationError() }
        }
    }

    func take(mp3 bytes: [UInt8]) async throws {
        try await Blocking.run { try self.write(bytes) }
    }

    func take(head bytes: [UInt8]) async throws {
        let now = state.value
        guard let mp3 = now.mp3, bytes.count <= now.mp3Bytes else { throw WorkerFrameError() }
        try await Blocking.run { try mp3.write(bytes[...], at: 0) }
    }

    func end(_ outcome: WorkerOutcome) async {
        let last = state.change { state in
            defer { state.close() }
            return state
        }
        let isRead = last.isComplete && last.position == last.available && last.mp3Bytes > 0
        let believed = if case .result = outcome, !isRead { WorkerOutcome.crashed("a result before the end") } else { outcome }
        let settlement = Settlement(outcome: believed, bytes: last.position, sha256: Array(last.hash.finalize()))
        do {
            try await settle(settlement)
            promise.keep(.success(()))
        } catch {
            promise.keep(.failure(error))
        }
    }

    func abandon() {
        state.change { $0.isOver = true }
        promise.keep(.failure(Rejection.unavailable))
    }

    // MARK: Files

    /// Only one task reads at a time: the session's.
    private func read() throws -> [UInt8] {
        let now = state.value
        let file = try now.original ?? OpenFile(reading: Upload.original(in: folder))
        let bytes = try file.read(min(Self.chunkBytes, now.available - now.position), at: now.position)
        guard !bytes.isEmpty else { throw FileFailure(code: EIO, verb: "read") }
        state.change { state in
            state.original = file
            state.position += bytes.count
            state.hash.update(data: bytes)
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) throws {
        let now = state.value
        guard now.mp3Bytes + bytes.count <= limitMs * Self.mp3BytesPerMs + Self.mp3SpareBytes else { throw WorkerFrameError() }
        let file = try now.mp3 ?? OpenFile(writing: Upload.mp3(in: folder), isFresh: true)
        try file.write(bytes[...], at: now.mp3Bytes)
        state.change { state in
            state.mp3 = file
            state.mp3Bytes += bytes.count
        }
    }
}
