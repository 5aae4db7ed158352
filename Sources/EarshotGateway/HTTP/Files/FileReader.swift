import EarshotCore
import EarshotModel
import Glibc
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// Reads files in pieces on its own threads, never on an event loop, and never further ahead than the client reads.
///
/// Where the volume hangs, a read fails with `unavailable` at its deadline, and others at once until the volume answers
/// again.
struct FileReader: Sendable {
    private static let pieceBytes = 64 * 1024

    private let threads: ReadingThreads

    init(threads: ReadingThreads = ReadingThreads()) {
        self.threads = threads
    }

    /// The body with these bytes of the file. Opens the file at once and reads its first piece, so that a missing file
    /// or a volume that hangs still gets a proper error answer.
    func body(path: String, range: Range<Int>) async throws -> ResponseBody {
        let threads = threads
        let file = try await threads.run { try OpenFile(path, threads) }
        let first = try await Self.piece(of: file, range, threads)
        return ResponseBody(contentLength: range.count) { writer in
            var (next, piece) = (range.lowerBound, first)
            while let read = piece {
                try await writer.write(read)
                next += read.readableBytes
                piece = try await Self.piece(of: file, next..<range.upperBound, threads)
            }
            try await writer.finish(nil)
        }
    }

    /// Reads these bytes of a file and hands over one piece after the other.
    func read(path: String, range: Range<Int>, _ body: (ByteBuffer) async throws -> Void) async throws {
        let threads = threads
        let file = try await threads.run { try OpenFile(path, threads) }
        var next = range.lowerBound
        while let piece = try await Self.piece(of: file, next..<range.upperBound, threads) {
            next += piece.readableBytes
            try await body(piece)
        }
    }

    private static func piece(of file: OpenFile, _ range: Range<Int>, _ threads: ReadingThreads) async throws
        -> ByteBuffer?
    {
        guard !range.isEmpty else { return nil }
        return try await threads.run { try file.read(min(pieceBytes, range.count), at: range.lowerBound) }
    }
}

/// The threads that read files, and whether the volume hangs.
final class ReadingThreads: Sendable {
    private let threads: NIOThreadPool
    private let deadline: TimeAmount
    private let maximumJobs: Int
    private let state = Mutex(State())

    private struct State {
        var jobs = 0
        var late = 0
    }

    /// - Parameters:
    ///   - deadline: how long a read may take, with its wait for a thread.
    ///   - maximumJobs: how many reads may run and wait.
    init(
        threads count: Int = max(8, 2 * System.coreCount), deadline: TimeAmount = .seconds(5), maximumJobs: Int = 1_024
    ) {
        self.deadline = deadline
        self.maximumJobs = maximumJobs
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// Runs `body` on a thread. The result of work that is late is dropped when the volume answers again.
    /// - Throws: `unavailable` at the deadline; at once while other reads are late or too many wait.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isTaken = state.withLock { state in
            guard state.late == 0, state.jobs < maximumJobs else { return false }
            state.jobs += 1
            return true
        }
        guard isTaken else { throw Rejection.unavailable }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let (answer, isLate) = (loop.makePromise(of: Value.self), Flag())
        // Both run on this event loop, one after the other.
        let watch = loop.scheduleTask(in: deadline) {
            isLate.set()
            self.state.withLock { $0.late += 1 }
            answer.fail(Rejection.unavailable)
        }
        threads.runIfActive(eventLoop: loop, body).whenComplete { result in
            watch.cancel()
            self.state.withLock { state in
                state.jobs -= 1
                if isLate.isSet { state.late -= 1 }
            }
            answer.completeWith(result)
        }
        return try await answer.futureResult.get()
    }

    /// Whether a read is late.
    var isHanging: Bool { state.withLock { $0.late > 0 } }

    /// Queues `body` for a thread, without waiting for it to run.
    func submit(_ body: @escaping @Sendable () -> Void) {
        threads.submit { _ in body() }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .relaxed) }

        func set() { value.store(true, ordering: .relaxed) }
    }
}

/// An open file. It is closed with its last reference, also where no response is ever written, and on a thread: closing
/// waits for a volume that hangs.
private final class OpenFile: Sendable {
    private let descriptor: Int32
    private let threads: ReadingThreads

    init(_ path: String, _ threads: ReadingThreads) throws(AdapterFailure) {
        self.threads = threads
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw AdapterFailure("open of a media file: errno \(errno)", isRetryable: errno == EMFILE)
        }
    }

    deinit {
        threads.submit { [descriptor] in _ = close(descriptor) }
    }

    /// At least one byte, at most `count`.
    func read(_ count: Int, at offset: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            max(0, pread(descriptor, space.baseAddress, count, off_t(offset)))
        }
        guard got > 0 else { throw AdapterFailure("read of a media file: errno \(errno)", isRetryable: false) }
        return buffer
    }
}
