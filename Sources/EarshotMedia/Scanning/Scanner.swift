import EarshotModel
public import Logging
public import ServiceLifecycle
import Synchronization

/// Our side of clamd: asks it about recordings, and proves again and again that it looks into what it is asked about.
///
/// Promises: at most `sessions` connections at a time; every question is answered within `attemptLimit`; nobody else waits for a scanner that does
/// not answer: from its first silence on nothing is asked but the canaries, until they are found again.
public final class Scanner: Service, Sendable {
    let settings: Settings
    private let session: ScanSession
    private let slots: ScanSlots
    private let logger: Logger
    private let known = Locked(ScannerHealth.unknown)
    private let doubt = AsyncSignal()
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let job: AsyncStream<@Sendable () async -> Void>.Continuation
    /// Rung when more can be scanned than before, or when there is more to scan.
    let work = AsyncSignal()

    /// In front of the bytes of the second session: ClamAV knows MP3 and Ogg by their first bytes, and looks no further into them.
    static let junk: [UInt8] = [0x58]

    public init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        session = ScanSession(address: settings.address, limit: settings.attemptLimit)
        slots = ScanSlots(settings.sessions)
        (jobs, job) = AsyncStream.makeStream()
    }

    /// What clamd's operator puts into a file NAME.ndb of its DatabaseDirectory, so that canaries can be found.
    public static var signature: String { Canary.signature }

    public var health: ScannerHealth { known.value }

    /// Runs until it is told to stop; questions that are open then are given up.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.keepProving() }
                for await job in self.jobs { group.addTask { await job() } }
            }
        }
    }

    /// Does it while the scanner runs.
    func submit(_ body: @escaping @Sendable () async -> Void) {
        job.yield(body)
    }

    /// A whole file: as it is, and with junk in front.
    func whole(_ source: ScanSource) async -> ScanReply {
        async let plain = ask(source)
        async let led = ask(source, lead: Self.junk)
        return await plain.joined(led)
    }

    /// A part of a file. It always stands behind junk: whatever it begins with is no type of file.
    func part(_ source: ScanSource) async -> ScanReply {
        await ask(source, lead: Self.junk)
    }

    /// Sends every canary, and now and then a stream of the largest size.
    public func prove(isLarge: Bool) async -> ScannerProof {
        var answers: [(container: String, reply: ScanReply)] = []
        for canary in Canary.all() {
            let reply = await whole(.bytes(canary.bytes))
            answers.append((canary.container, reply))
            if case .silent = reply { return ScannerProof(answers: answers, large: nil) }
        }
        return ScannerProof(
            answers: answers, large: isLarge ? await part(Canary.large(Limits.audioBytes - Self.junk.count)) : nil)
    }

    private func ask(_ source: ScanSource, lead: [UInt8] = []) async -> ScanReply {
        let reply = await slots.within { await session.ask(source, lead: lead) } ?? .silent("given up")
        if case .silent(let why) = reply, !Task.isCancelled { learn(.silent(why)) }
        return reply
    }

    // MARK: Proving

    private func keepProving() async {
        var (sinceLarge, isLargeProven) = (0, false)
        var delay = settings.retry.lowerBound
        while !Task.isCancelled {
            let isLarge = !health.isAnswering || !isLargeProven || sinceLarge >= settings.largeEvery
            let proof = await prove(isLarge: isLarge)
            if Task.isCancelled { return }
            learn(proof.health)
            if isLarge { (sinceLarge, isLargeProven) = (0, proof.largeFault == nil) } else { sinceLarge += 1 }
            if case .silent = health {
                delay = min(delay * 2, settings.retry.upperBound)
            } else {
                delay = settings.retry.lowerBound
            }
            await doubt.wait(atMost: settings.wait(health, silent: delay) * Double.random(in: 0.5...1))
        }
    }

    /// Takes note, says so where it is something else than before, and wakes whom it concerns.
    private func learn(_ now: ScannerHealth) {
        let before = known.change { known in
            defer { known = now }
            return known
        }
        guard !now.isLike(before) else { return }
        tell(now)
        if now.isAnswering { work.ring() } else if before.isAnswering { doubt.ring() }
    }

    private func tell(_ health: ScannerHealth) {
        let scanner: Logger.Metadata = ["scanner": "\(settings.address)"]
        switch health {
        case .unknown: return
        case .good: logger.notice("The scanner is proven: it looks into every container.", metadata: scanner)
        case .blind(let missed):
            let names = missed.sorted().joined(separator: ", ")
            logger.error(
                "The scanner does not find our canary in some containers; recordings in them wait. See docs/how-to/scan-with-clamav.md.",
                metadata: scanner.merging(["containers": "\(names)"]) { $1 })
        case .shortSighted(let answer):
            logger.error(
                "The scanner does not look into streams of 16 MB; recordings wait. See docs/how-to/scan-with-clamav.md.",
                metadata: scanner.merging(["answer": "\(answer)"]) { $1 })
        case .silent(let why):
            logger.error(
                "The scanner does not answer; recordings wait for it.",
                metadata: scanner.merging(["reason": "\(why)"]) { $1 })
        }
    }
}

extension Scanner {
    /// Where the scanner is, and how long anyone waits for it.
    public struct Settings: Sendable {
        public var address: ScannerAddress
        /// Connections at a time. clamd serves nobody when as many as its `MaxQueue` (100 by default) stand open.
        public var sessions = 16
        /// From a question to its answer.
        public var attemptLimit = Duration.seconds(5)
        /// How long a finish waits for an answer. It may be sent then all the same, and waits.
        public var gateLimit = Duration.seconds(3)
        /// Between two proofs, while all is well.
        public var proveEvery = Duration.seconds(60)
        /// So many proofs go by between two with a stream of the largest size.
        public var largeEvery = 60
        /// Between two proofs while a container is not proven.
        public var proveAgain = Duration.seconds(10)
        /// Between two proofs while it does not answer; the shorter first.
        public var retry = Duration.milliseconds(500)...Duration.seconds(3)

        public init(address: ScannerAddress) {
            self.address = address
        }

        func wait(_ health: ScannerHealth, silent delay: Duration) -> Duration {
            switch health {
            case .good: proveEvery
            case .blind, .shortSighted: proveAgain
            case .unknown, .silent: delay
            }
        }
    }
}
