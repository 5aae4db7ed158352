public import EarshotCore
import EarshotModel
public import Logging
public import ServiceLifecycle
import Synchronization

/// The client of clamd: asks it about recordings, and tests regularly that it looks into them.
///
/// Promises: at most `sessions` connections at a time; every question is answered within `attemptLimit`; after the
/// first question without an answer only the self-test is sent, until it passes again, so that no recording waits for a
/// scanner that does not answer.
public final class Scanner: Service, Sendable {
    let settings: Settings
    private let session: ScanSession
    private let slots: ScanSlots
    private let logger: Logger
    private let lastHealth = Locked(ScannerHealth.unknown)
    /// Wakes the self-test early.
    private let retest = AsyncSignal()
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let job: AsyncStream<@Sendable () async -> Void>.Continuation
    /// Signalled when the scanner has recovered, or when there is more to scan.
    let work = AsyncSignal()

    /// The prefix of the second session's bytes. ClamAV recognises MP3 and Ogg by their first bytes and does not look
    /// into them; behind a prefix it does.
    static let prefix: [UInt8] = [0x58]

    private static let manual = "docs/how-to/scan-with-clamav.md"

    /// A client for the clamd at `settings.address`. It scans while it runs.
    public init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        session = ScanSession(address: settings.address, limit: settings.attemptLimit)
        slots = ScanSlots(settings.sessions)
        (jobs, job) = AsyncStream.makeStream()
    }

    /// The signature line that clamd's operator puts into a file NAME.ndb in its DatabaseDirectory, so that it finds
    /// our canaries.
    public static var signature: String { Canary.signature }

    /// The result of the last self-test, or of the last question without an answer.
    public var health: ScannerHealth { lastHealth.value }

    /// Runs until the service is shut down; open questions are cancelled then.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.keepTesting() }
                for await job in self.jobs { group.addTask { await job() } }
            }
        }
    }

    /// Runs `body` while the scanner runs.
    func submit(_ body: @escaping @Sendable () async -> Void) {
        job.yield(body)
    }

    /// Scans a whole file twice at once: as it is, and behind the prefix.
    func whole(_ source: ScanSource) async -> ScanReply {
        async let plain = ask(source)
        async let prefixed = ask(source, prefix: Self.prefix)
        return await plain.combined(with: prefixed)
    }

    /// Scans a part of a file behind the prefix, so that its first bytes are not mistaken for a file type.
    func part(_ source: ScanSource) async -> ScanReply {
        await ask(source, prefix: Self.prefix)
    }

    /// Sends every canary, and if asked a canary at the end of the largest stream.
    public func selfTest(includesLargeStream: Bool) async -> ScannerSelfTest {
        var answers: [(container: String, reply: ScanReply)] = []
        for canary in Canary.all() {
            let reply = await whole(.bytes(canary.bytes))
            answers.append((canary.container, reply))
            if case .unreachable = reply { return ScannerSelfTest(answers: answers, large: nil) }
        }
        guard includesLargeStream else { return ScannerSelfTest(answers: answers, large: nil) }
        let large = await part(Canary.large(Limits.audioBytes - Self.prefix.count))
        return ScannerSelfTest(answers: answers, large: large)
    }

    /// What the scanner reports to a monitoring system.
    public var metrics: [any Metric] {
        [
            ReadMetric(
                "earshot_scanner", "1 for the state that the scanner is in. Absent without a scanner.", by: "state"
            ) { [self] () -> [ScannerHealth.Word: Double] in
                let current = health.word
                return Dictionary(uniqueKeysWithValues: ScannerHealth.Word.allCases.map { ($0, $0 == current ? 1 : 0) })
            }
        ]
    }

    private func ask(_ source: ScanSource, prefix: [UInt8] = []) async -> ScanReply {
        let reply =
            await slots.within { await session.ask(source, prefix: prefix) } ?? .unreachable("cancelled")
        if case .unreachable(let reason) = reply, !Task.isCancelled { update(.unreachable(reason)) }
        return reply
    }

    // MARK: Self-test

    private func keepTesting() async {
        var (sinceLarge, isLargeVerified) = (0, false)
        var delay = settings.retry.lowerBound
        while !Task.isCancelled {
            let isLarge = !health.isAnswering || !isLargeVerified || sinceLarge >= settings.largeEvery
            let test = await selfTest(includesLargeStream: isLarge)
            if Task.isCancelled { return }
            update(test.health)
            if isLarge {
                (sinceLarge, isLargeVerified) = (0, test.largeStreamFault == nil)
            } else {
                sinceLarge += 1
            }
            if case .unreachable = health {
                delay = min(delay * 2, settings.retry.upperBound)
            } else {
                delay = settings.retry.lowerBound
            }
            await retest.wait(atMost: settings.interval(health, retry: delay) * Double.random(in: 0.5...1))
        }
    }

    /// Saves the scanner's health. If it changed, logs that and wakes the backlog or the self-test.
    private func update(_ now: ScannerHealth) {
        let before = lastHealth.update { health in
            defer { health = now }
            return health
        }
        guard !now.isSameCondition(as: before) else { return }
        log(now)
        if now.isAnswering { work.signal() } else if before.isAnswering { retest.signal() }
    }

    private func log(_ health: ScannerHealth) {
        let scanner: Logger.Metadata = ["scanner": "\(settings.address)"]
        switch health {
        case .unknown: return
        case .good: logger.notice("The scanner is verified: it looks into every container.", metadata: scanner)
        case .missesContainers(let missed):
            let names = missed.sorted().joined(separator: ", ")
            logger.error(
                "The scanner misses the canary in some containers. Recordings in them wait.",
                metadata: scanner.merging(["containers": "\(names)", "see": "\(Self.manual)"]) { $1 })
        case .missesLargeStreams(let answer):
            logger.error(
                "The scanner does not look into streams of 16 MB. Recordings wait.",
                metadata: scanner.merging(["answer": "\(answer)", "see": "\(Self.manual)"]) { $1 })
        case .unreachable(let reason):
            logger.error(
                "The scanner does not answer. Recordings wait for it.",
                metadata: scanner.merging(["reason": "\(reason)"]) { $1 })
        }
    }
}

extension Scanner {
    /// Where the scanner is, and how long a question may take.
    public struct Settings: Sendable {
        /// Where clamd listens.
        public var address: ScannerAddress
        /// How many connections there may be at a time. clamd stops answering when as many as its `MaxQueue` (100 by
        /// default) are open.
        public var sessions = 16
        /// How long one question may take.
        public var attemptLimit = Duration.seconds(5)
        /// How long finishing a recording waits for an answer. After that it is accepted as `pending`.
        public var gateLimit = Duration.seconds(3)
        /// The time between two self-tests while all is well.
        public var testEvery = Duration.seconds(60)
        /// How many self-tests there are between two with the largest stream.
        public var largeEvery = 60
        /// The time between two self-tests while something is missed.
        public var testAgain = Duration.seconds(10)
        /// The time between two self-tests while the scanner does not answer: it grows from the shorter to the longer.
        public var retry = Duration.milliseconds(500)...Duration.seconds(3)

        /// The default settings for a scanner at `address`.
        public init(address: ScannerAddress) {
            self.address = address
        }

        func interval(_ health: ScannerHealth, retry: Duration) -> Duration {
            switch health {
            case .good: testEvery
            case .missesContainers, .missesLargeStreams: testAgain
            case .unknown, .unreachable: retry
            }
        }
    }
}
