public import EarshotWorkerProtocol
import Glibc
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// Keeps media workers started ahead, so that nobody waits for libav to load, and gives each exactly one recording.
///
/// Promises: never more than `most` processes; a worker that crashes, hangs or is killed at any moment costs the recording it has and nothing else;
/// every process that was started is reaped. While workers cannot be started at all, jobs end as unavailable, and each new job tries once more.
public final class WorkerPool: Service, Sendable {
    private let settings: Settings
    private let logger: Logger
    private let state: Mutex<WorkerPoolState>
    private let starts: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation
    private let lastID = Mutex(0)

    var finishLimit: Duration { settings.finishLimit }

    public init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        state = Mutex(
            WorkerPoolState(
                ahead: settings.ahead, most: settings.most, reserved: settings.reserved,
                mostWaiting: settings.mostWaiting))
        (starts, start) = AsyncStream.makeStream()
    }

    /// Runs until it is told to stop; workers that still work then are ended.
    public func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                topUp()
                for await _ in starts { group.addTask { await self.live() } }
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            self.start.finish()
        }
        abandon(state.withLock { $0.close() })
    }

    /// Finds a worker for a job. A job that is not `isComplete` is refused where workers are scarce (`false`); a complete one waits, and is always
    /// ended.
    @discardableResult
    func submit(_ job: any WorkerJob, isComplete: Bool) -> Bool {
        let submission = state.withLock { $0.submit(job, isComplete: isComplete) }
        topUp()
        switch submission {
        case .given: return true
        case .refused:
            if isComplete { job.abandon() }
            return false
        case .waiting(let ticket):
            giveUpLater(ticket)
            return true
        }
    }

    /// One worker from start to end.
    private func live() async {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        let end = await serve(id)
        abandon(state.withLock { $0.ended(id, end) })
        topUp()
    }

    private func serve(_ id: Int) async -> WorkerPoolState.End {
        let offer = WorkerOffer()
        do {
            let process = try await WorkerProcess.start(settings.executable, settings.limits.arguments)
            let session = WorkerSession(process: process, offer: offer, settings: settings) {
                self.state.withLock { $0.ready(id, offer) }
                self.logger.debug("A media worker is ready.", metadata: ["pid": "\(process.pid)"])
            }
            logger.debug("A media worker was started.", metadata: ["pid": "\(process.pid)"])
            let course = await session.run()
            logger.debug("A media worker is gone.", metadata: ["pid": "\(process.pid)"])
            if let fault = course.fault {
                logger.warning("A media worker ended badly.", metadata: ["reason": "\(fault)"])
            }
            return course.end
        } catch {
            logger.error(
                "A media worker could not be started.",
                metadata: ["executable": "\(settings.executable)", "reason": "\(error)"])
            return .neverReady
        }
    }

    private func topUp() {
        let missing = state.withLock { $0.takeMissing() }
        for _ in 0..<missing { start.yield() }
    }

    private func giveUpLater(_ ticket: Int) {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .init(settings.waitLimit)) {
            self.state.withLock { $0.withdraw(ticket) }?.abandon()
        }
    }

    private func abandon(_ jobs: [any WorkerJob]) {
        for job in jobs { job.abandon() }
    }
}

extension WorkerPool {
    /// Where the worker is when it was installed with the server: in the same folder.
    public static func besideThisProgram() -> String {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = path.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        let program = String(decoding: path.prefix(max(0, length)), as: UTF8.self)
        return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)]) + "/EarshotMediaWorker"
    }

    /// Where the worker is and how much of it there may be.
    public struct Settings: Sendable {
        public var executable: String
        public var limits = WorkerLimits()
        /// Workers kept ready.
        public var ahead = 2
        /// Workers at the same time. By default as many as people can record at once before a core is busy with nothing else: one who gets none while
        /// speaking waits for the whole decoding after Send.
        public var most = 160 * System.coreCount + 8
        /// Of these, how many only complete recordings may have.
        public var reserved = 8
        /// Complete recordings that may wait for a worker.
        public var mostWaiting = 64
        public var waitLimit = Duration.seconds(20)
        /// From process start to ready.
        public var startLimit = Duration.seconds(30)
        /// The longest that one recording may keep a worker while it is being recorded; it is decoded from its file later if it takes longer.
        public var sessionLimit = Duration.seconds(900)
        /// From the moment that a recording is complete.
        public var finishLimit = Duration.seconds(30)

        /// `executable`: the worker; by default the one beside this program's own.
        public init(executable: String = WorkerPool.besideThisProgram()) {
            self.executable = executable
        }
    }
}
