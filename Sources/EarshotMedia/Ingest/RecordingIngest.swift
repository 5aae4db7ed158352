import Crypto
import EarshotCore
import EarshotModel
import EarshotWorkerProtocol
import Glibc

/// The decoding of one upload by a worker: reads the uploaded file as far as it has arrived, hashes it, and writes the
/// MP3 next to it.
///
/// The file is the only queue between the sender and the worker: a slow or late worker delays no upload and costs no
/// memory.
final class RecordingIngest: WorkerJob {
    private let files: RecordingPaths
    private let options: Options
    private let settle: Settle
    private let state: Locked<State>
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let ended = OneShot<Result<Void, any Error>>()
    private static let chunkBytes = 64 * 1024
    /// Room for the MP3's header and the silence that the encoder adds.
    private static let mp3SpareBytes = 64 * 1024
    private static let mp3BytesPerMs = 4

    /// Called once when the decoding ends; throws why the recording is not accepted.
    typealias Settle = @Sendable (Settlement) async throws -> Void

    /// The limits of one decoding.
    struct Options: Sendable {
        /// The longest audio to accept, in milliseconds.
        let limitMs: Int
        /// Whether it begins while bytes still arrive. If its worker is lost, the whole file is decoded again.
        let isLive: Bool
        /// How long the worker may take once all bytes have arrived.
        let finishLimit: Duration
        /// Who sent it, for the fair use of workers.
        var source: UploadSource?
    }

    /// The end of a decoding: its outcome, and size and hash of what was read.
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

    /// `available` bytes of the original are in the file already.
    init(_ files: RecordingPaths, _ options: Options, available: Int, settle: @escaping Settle) {
        self.files = files
        self.options = options
        self.settle = settle
        state = Locked(State(available: available))
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether it began while bytes still arrived.
    var isLive: Bool { options.isLive }

    // MARK: For the upload

    /// Says that `available` bytes are in the file now.
    func advance(to available: Int) {
        state.update { $0.available = available }
        arrival.yield()
    }

    /// Says that all bytes are in the file. From now on the worker has `finishLimit`.
    func complete() {
        state.update { $0.isComplete = true }
        arrival.yield()
        state.value.process?.end(in: options.finishLimit)
    }

    /// Stops the decoding: the upload was refused or removed.
    func cancel() {
        state.update { $0.isOver = true }
        arrival.finish()
        state.value.process?.end()
    }

    /// Waits until the decoding was settled; throws why the recording is not accepted.
    func settled() async throws {
        try await ended.value().get()
    }

    // MARK: For the worker's session

    var source: UploadSource? { options.source }

    var order: WorkerOrder { WorkerOrder(.transcode, limitMs: UInt32(clamping: options.limitMs)) }

    func start(on process: WorkerProcess) {
        let now = state.update { state in
            state.process = process
            return (isComplete: state.isComplete, isOver: state.isOver)
        }
        if now.isComplete { process.end(in: options.finishLimit) }
        if now.isOver { process.end() }
    }

    func nextBytes() async throws -> [UInt8]? {
        while true {
            let now = state.value
            if now.isOver { throw CancellationError() }
            if now.position < now.available { return try await BlockingPool.run { try self.read() } }
            if now.isComplete { return nil }
            var waiting = arrivals.makeAsyncIterator()
            guard await waiting.next() != nil else { throw CancellationError() }
        }
    }

    func write(audio bytes: [UInt8]) async throws {
        try await BlockingPool.run {
            let now = self.state.value
            guard now.mp3Bytes + bytes.count <= self.options.limitMs * Self.mp3BytesPerMs + Self.mp3SpareBytes else {
                throw WorkerFrameError()
            }
            let file = try now.mp3 ?? OpenFile(writing: self.files.mp3, isFresh: true)
            try file.write(bytes[...], at: now.mp3Bytes)
            self.state.update { state in
                state.mp3 = file
                state.mp3Bytes += bytes.count
            }
        }
    }

    func write(header bytes: [UInt8]) async throws {
        let now = state.value
        guard let mp3 = now.mp3, bytes.count <= now.mp3Bytes else { throw WorkerFrameError() }
        try await BlockingPool.run { try mp3.write(bytes[...], at: 0) }
    }

    func finish(_ outcome: WorkerOutcome) async {
        let last = state.update { state in
            defer { state.close() }
            return state
        }
        let isReadToTheEnd = last.isComplete && last.position == last.available && last.mp3Bytes > 0
        let checked =
            if case .result = outcome, !isReadToTheEnd {
                WorkerOutcome.crashed("it sent a result before the end of the recording")
            } else {
                outcome
            }
        let settlement = Settlement(outcome: checked, bytes: last.position, sha256: Array(last.hash.finalize()))
        do {
            try await settle(settlement)
            ended.resolve(.success(()))
        } catch {
            ended.resolve(.failure(error))
        }
    }

    func abandon() {
        state.update { $0.isOver = true }
        ended.resolve(.failure(Rejection.unavailable))
    }

    /// Blocks. Only one task reads at a time: the session's.
    private func read() throws -> [UInt8] {
        let now = state.value
        let file = try now.original ?? OpenFile(reading: files.original)
        let bytes = try file.read(min(Self.chunkBytes, now.available - now.position), at: now.position)
        guard !bytes.isEmpty else { throw FileFailure(code: EIO, operation: "read the uploaded file") }
        state.update { state in
            state.original = file
            state.position += bytes.count
            state.hash.update(data: bytes)
        }
        return bytes
    }
}
