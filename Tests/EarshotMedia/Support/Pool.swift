import EarshotCore
import EarshotWorkerProtocol
import Glibc
import Logging
import Synchronization
import Testing

@testable import EarshotMedia

/// A running pool for the length of a test, and what it tells about its workers.
struct PoolLab: Sendable {
    let pool: WorkerPool
    let workers: WorkerLog

    /// Runs `body` while a pool runs. Afterwards every worker must have ended and been reaped.
    static func with(
        _ change: (inout WorkerPool.Settings) -> Void = { _ in }, _ body: (PoolLab) async throws -> Void
    ) async throws {
        var settings = WorkerPool.Settings()
        settings.ready = 1
        // A busy machine must not decide a test: only those about a limit set it.
        (settings.waitLimit, settings.startLimit, settings.finishLimit) = (.seconds(300), .seconds(300), .seconds(300))
        change(&settings)
        let log = WorkerLog()
        let lab = PoolLab(pool: WorkerPool(settings, logger: Logger(label: "pool") { _ in log }), workers: log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await lab.pool.run() }
            defer { group.cancelAll() }
            try await body(lab)
        }
        for pid in log.started {
            #expect(waitpid(pid, nil, WNOHANG) == -1 && errno == ECHILD, "worker \(pid) was not reaped")
        }
    }
}

/// Reads the pool's log for what happens to its workers.
final class WorkerLog: LogHandler, Sendable {
    private struct State {
        var started: [pid_t] = []
        var alive = 0
        var mostAlive = 0
    }

    private let state = Mutex(State())
    private let readyWorkers: AsyncStream<pid_t>
    private let ready: AsyncStream<pid_t>.Continuation

    init() {
        (readyWorkers, ready) = AsyncStream.makeStream()
    }

    var started: [pid_t] { state.withLock { $0.started } }
    var mostAlive: Int { state.withLock { $0.mostAlive } }

    /// Waits for the next worker to be ready.
    func nextReady() async throws -> pid_t {
        var waiting = readyWorkers.makeAsyncIterator()
        return try #require(await waiting.next())
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .debug }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        guard let pid = (event.metadata?["pid"]).flatMap({ pid_t("\($0)") }) else { return }
        switch event.message {
        case "A media worker was started.":
            state.withLock { state in
                state.started.append(pid)
                state.alive += 1
                state.mostAlive = max(state.mostAlive, state.alive)
            }
        case "A media worker is ready.": ready.yield(pid)
        case "A media worker is gone.": state.withLock { $0.alive -= 1 }
        default: return
        }
    }
}

/// A recording given by a test, piece by piece.
final class TestJob: WorkerJob {
    let order: WorkerOrder
    let source: UploadSource?
    private let pieces: AsyncStream<[UInt8]>
    private let piece: AsyncStream<[UInt8]>.Continuation
    private let attached = OneShot<pid_t>()
    private let ended = OneShot<End>()

    enum End: Sendable, Equatable {
        case result(ms: UInt32)
        case made
        case refused(WorkerFailure)
        case crashed
        case failed
        case abandoned
    }

    /// With `bytes` it is complete from the start.
    init(
        _ bytes: [UInt8]? = nil, _ order: WorkerOrder = WorkerOrder(.transcode, limitMs: 120_000),
        from source: UploadSource? = nil
    ) {
        self.order = order
        self.source = source
        (pieces, piece) = AsyncStream.makeStream()
        guard let bytes else { return }
        give(bytes)
        complete()
    }

    func give(_ bytes: [UInt8]) { piece.yield(bytes) }
    func complete() { piece.finish() }

    /// The worker that has it.
    func worker() async -> pid_t { await attached.value() }
    func end() async -> End { await ended.value() }

    func start(on process: WorkerProcess) { attached.resolve(process.pid) }

    func nextBytes() async throws -> [UInt8]? {
        var waiting = pieces.makeAsyncIterator()
        return await waiting.next()
    }

    func write(audio: [UInt8]) {}
    func write(header: [UInt8]) {}

    func finish(_ outcome: WorkerOutcome) {
        switch outcome {
        case .result(let result): ended.resolve(.result(ms: result.durationMs))
        case .rendition: ended.resolve(.made)
        case .refused(let failure): ended.resolve(.refused(failure))
        case .crashed: ended.resolve(.crashed)
        case .failed: ended.resolve(.failed)
        }
    }

    func abandon() { ended.resolve(.abandoned) }
}
