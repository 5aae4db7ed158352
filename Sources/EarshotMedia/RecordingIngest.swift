import Crypto
import EarshotModel
import EarshotWorkerProtocol
import Glibc

/// The decoding of one upload: reads its file as far as it has come, hashes what it reads, and writes the MP3 beside it.
///
/// The file is the only queue between the sender and the worker: a worker that is slow, or that starts late, holds nobody up and costs no memory.
final class RecordingIngest: Sendable {
    let limitMs: Int
    /// Begun while bytes still came. If its worker is lost, the whole file gets another.
    let isLive: Bool
    let folder: String
    let finishLimit: Duration
    let settle: @Sendable (Settlement) async throws -> Void
    let state: Locked<State>
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    let promise = OneShot<Void>()
    static let chunkBytes = 64 * 1024
    /// Room for the MP3's header and the encoder's own silence.
    static let mp3SpareBytes = 64 * 1024
    static let mp3BytesPerMs = 4

    /// How it ended, and what is known then.
    struct Settlement: Sendable {
        let outcome: WorkerOutcome
        let bytes: Int
        let sha256: [UInt8]
    }

    struct State: Sendable {
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
        folder: String, limitMs: Int, isLive: Bool, available: Int, finishLimit: Duration,
        settle: @escaping @Sendable (Settlement) async throws -> Void
    ) {
        self.folder = folder
        self.limitMs = limitMs
        self.isLive = isLive
        self.finishLimit = finishLimit
        self.settle = settle
        state = Locked(State(available: available))
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
}
