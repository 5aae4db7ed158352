public import EarshotCore
public import EarshotWorkerProtocol
import Glibc
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization

/// Keeps media workers ready, so that no recording waits for libav to load, and gives each worker exactly one
/// recording.
///
/// Promises: there are never more than `maxWorkers` processes; a worker that crashes, hangs or is killed affects only
/// the recording it has; every process that was started is reaped. While workers cannot be started at all, jobs end as
/// unavailable, and each new job tries to start one again.
public final class WorkerPool: Service, Sendable {
    private let settings: Settings
    private let logger: Logger
    private let state: Mutex<WorkerPoolState>
    private let starts: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation
    private let lastID = Mutex(0)
    private let badEnds = Counter(
        "earshot_media_workers_failed_total", "Media workers that crashed, were killed or could not be started.")
    private let badEndLog = RepeatedLog()
    private let noStartLog = RepeatedLog()
    private let shortMemoryLog = RepeatedLog()
    private let starting = Locked(StartReport())
    private let processes = Locked([Int: WorkerProcess]())
    private static let memoryInterval = Duration.seconds(1)

    private struct StartReport: Sendable {
        var confinement: Confinement?
        var failure: String?
    }

    /// The walls around the workers; `nil` while none has become ready.
    public var walls: Walls? {
        starting.value.confinement.map { Walls(standing: $0.words, missing: $0.missing.words) }
    }

    /// Why the last worker that did not become ready did not.
    public var startFailure: String? { starting.value.failure }

    /// How long a worker may take once a recording is complete.
    var finishLimit: Duration { settings.finishLimit }

    /// A pool that starts its workers when it runs.
    public init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        state = Mutex(WorkerPoolState(settings))
        (starts, start) = AsyncStream.makeStream()
    }

    /// Runs until the service is shut down; workers that are still busy are ended then.
    public func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                topUp()
                group.addTask { await self.watchMemory() }
                for await _ in starts { group.addTask { await self.runWorker() } }
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            self.start.finish()
        }
        abandon(state.withLock { $0.close() })
    }

    /// Gives a job to a worker. A complete recording waits for a worker if needed, and its job is always ended.
    /// - Returns: `false` if the job got no worker. A recording that is still arriving (not `isComplete`) is refused
    ///   while workers are scarce.
    @discardableResult
    func submit(_ job: any WorkerJob, isComplete: Bool) -> Bool {
        let submission = state.withLock { $0.submit(job, isComplete: isComplete) }
        topUp()
        switch submission {
        case .assigned: return true
        case .refused:
            if isComplete { job.abandon() }
            return false
        case .waiting(let ticket):
            abandonLater(ticket)
            return true
        }
    }

    /// Runs one worker from start to end.
    private func runWorker() async {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        let end = await serve(id)
        abandon(state.withLock { $0.ended(id, end) })
        topUp()
    }

    private func serve(_ id: Int) async -> WorkerPoolState.End {
        let assignment = WorkerAssignment()
        do {
            let process = try await WorkerProcess.start(settings.executable, settings.limits.arguments)
            let session = WorkerSession(process: process, assignment: assignment, settings: settings) {
                self.report($0)
                self.state.withLock { $0.ready(id, assignment) }
                self.logger.debug("A media worker is ready.", metadata: ["pid": "\(process.pid)"])
            }
            logger.debug("A media worker was started.", metadata: ["pid": "\(process.pid)"])
            processes.update { $0[id] = process }
            let status = await session.run()
            processes.update { $0[id] = nil }
            logger.debug("A media worker is gone.", metadata: ["pid": "\(process.pid)"])
            if let fault = status.fault {
                badEnds.increment()
                badEndLog.log(
                    .warning, "A media worker ended badly.", to: logger, metadata: ["reason": "\(fault)"])
                if status.end == .neverReady { starting.update { $0.failure = fault } }
            }
            return status.end
        } catch {
            badEnds.increment()
            noStartLog.log(
                .error, "A media worker could not be started.", to: logger,
                metadata: ["executable": "\(settings.executable)", "reason": "\(error)"])
            starting.update { $0.failure = "\(error)" }
            return .neverReady
        }
    }

    /// Says once how well the workers are confined.
    private func report(_ walls: Confinement) {
        let isFirst = starting.update { starting in
            defer { starting.confinement = walls }
            return starting.confinement == nil
        }
        guard isFirst else { return }
        let standing = Logger.MetadataValue.string(walls.words.joined(separator: ", "))
        if walls.missing.isEmpty {
            logger.info("Media workers are fully confined.", metadata: ["walls": standing])
        } else {
            let missing = walls.missing.words.joined(separator: ", ")
            logger.warning(
                "Media workers run without some walls of their sandbox, because this host refuses them.",
                metadata: ["walls": standing, "missing": "\(missing)"])
        }
    }

    /// Keeps the workers within their budget of memory.
    private func watchMemory() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.memoryInterval)
            let running = processes.value
            guard
                let used = try? await BlockingPool.processes.run({
                    running.mapValues { WorkerMemory.used(by: $0.pid) }
                })
            else { continue }
            let isShort = used.values.reduce(0, +) > settings.memoryBudget
            state.withLock { $0.setMemoryShort(isShort) }
            guard isShort, let largest = used.max(by: { $0.value < $1.value }) else { continue }
            running[largest.key]?.end()
            shortMemoryLog.log(
                .warning, "The media workers use too much memory. The largest one was ended.", to: logger,
                metadata: ["budgetBytes": "\(settings.memoryBudget)"])
        }
    }

    private func topUp() {
        let missing = state.withLock { $0.takeMissing() }
        for _ in 0..<missing { start.yield() }
    }

    private func abandonLater(_ ticket: Int) {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .init(settings.waitLimit)) {
            self.state.withLock { $0.withdraw(ticket) }?.abandon()
        }
    }

    /// How many workers there are by state, and how many jobs wait.
    var counts: (workers: [WorkerPoolState.WorkerState: Double], waiting: Int) {
        state.withLock { ($0.workers, $0.waitingCount) }
    }

    private func abandon(_ jobs: [any WorkerJob]) {
        for job in jobs { job.abandon() }
    }
}

extension WorkerPool {
    /// What the pool reports to a monitoring system.
    public var metrics: [any Metric] {
        [
            ReadMetric("earshot_media_workers", "Media workers, by state.", by: "state") { [self] in counts.workers },
            ReadMetric("earshot_media_jobs_waiting", "Complete recordings that wait for a media worker.") { [self] in
                Double(counts.waiting)
            },
            badEnds,
        ]
    }

    /// The path of the worker that is installed in the same folder as this program.
    public static func installedExecutable() -> String {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = path.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink("/proc/self/exe", $0, buffer.count) } ?? -1
        }
        let program = String(decoding: path.prefix(max(0, length)), as: UTF8.self)
        return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)]) + "/EarshotMediaWorker"
    }

    /// The walls of the workers' sandbox, in words.
    public struct Walls: Hashable, Sendable {
        /// Those that stand.
        public let standing: [String]
        /// Those that the host refused.
        public let missing: [String]

        /// Names walls.
        public init(standing: [String], missing: [String]) {
            self.standing = standing
            self.missing = missing
        }
    }

    /// Where the worker program is, and how many workers there may be.
    public struct Settings: Sendable {
        /// The path of the worker program.
        public var executable: String
        /// What one worker may use.
        public var limits = WorkerLimits()
        /// How many idle workers are kept ready.
        public var ready = 2
        /// How many workers there may be at a time. By default as many as people can record at once before decoding
        /// alone keeps a core busy. A sender who gets no worker while speaking waits for the whole decoding after Send.
        public var maxWorkers = 160 * System.coreCount + 8
        /// How many of these are reserved for complete recordings.
        public var reserved = 8
        /// How many complete recordings may wait for a worker.
        public var maxWaiting = 64
        /// The part of the workers, and of the waiting places, that recordings from one network address may have, in
        /// per cent.
        public var addressShare = 50
        /// The part that recordings of one brand may have, in per cent.
        public var accountShare = 75
        /// How many bytes all workers together may use.
        public var memoryBudget = WorkerMemory.standardBudget()
        /// How long a complete recording waits for a worker.
        public var waitLimit = Duration.seconds(20)
        /// How long a worker may take from process start to ready.
        public var startLimit = Duration.seconds(30)
        /// How long one recording may keep a worker while it is still arriving. After that it is decoded from its file
        /// once it is complete.
        public var sessionLimit = Duration.seconds(900)
        /// How long a worker may take once a recording is complete.
        public var finishLimit = Duration.seconds(30)

        /// The default settings for a worker program; by default the one next to this program.
        public init(executable: String = WorkerPool.installedExecutable()) {
            self.executable = executable
        }
    }
}
