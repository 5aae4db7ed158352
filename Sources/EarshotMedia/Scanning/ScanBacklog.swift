import EarshotCore
public import EarshotModel
public import Logging
public import ServiceLifecycle

/// Scans whole files: of every recording right after it was finished, and of those that waited for the scanner, in the order in which they were
/// finished, as soon as it is back. Also what an earlier run of the server left.
///
/// Promises: a verdict is settled before it is forgotten here, so that none is lost, and settling the same again changes nothing, so that none counts
/// twice; one that cannot be scanned now keeps nobody else waiting; nothing is asked of a scanner that does not answer.
public struct ScanBacklog: Service {
    private let store: MediaStore
    private let scanner: Scanner
    private let settle: Settle
    private let logger: Logger

    /// Gives a recording its verdict for good.
    public typealias Settle =
        @Sendable (_ media: MediaID, _ conversation: ConversationID, _ verdict: Verdict) async throws -> Void

    public init(store: MediaStore, scanner: Scanner, logger: Logger, settle: @escaping Settle) {
        self.store = store
        self.scanner = scanner
        self.logger = logger
        self.settle = settle
    }

    public func run() async throws {
        guard let queue = store.scans else { return }
        try await store.queueLeftScans()
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await work(through: queue)
                await scanner.work.wait(atMost: queue.untilNext())
            }
        }
    }

    private func work(through queue: ScanQueue) async {
        for item in queue.due() where scanner.health.isAnswering && !Task.isCancelled {
            do {
                if try await !scan(item) { queue.postpone(item) }
            } catch {
                logger.debug(
                    "A recording's scan is tried again later.",
                    metadata: ["media": "\(item.media)", "reason": "\(error)"])
                queue.postpone(item)
            }
        }
    }

    /// - Returns: `false` where it is to be tried again after a while. What waits for the scanner's recovery just stays: that wakes us.
    private func scan(_ item: ScanQueue.Item) async throws -> Bool {
        guard let record = try await store.record(of: UploadID(trusted: item.media.rawValue)) else {
            try await BlockingPool.run { try store.banish(item.media) }
            return true
        }
        // Whoever mends that wakes us.
        guard scanner.health.sees(record.container) else { return true }
        switch await scanner.whole(.file(store.original(of: record), 0..<record.content.sizeBytes)) {
        case .clean:
            guard scanner.health.sees(record.container) else { return true }
            if record.scan == .pending { try await settle(item.media, record.conversation, .clean) }
            try await BlockingPool.run { try store.scanned(record, .clean) }
            return true
        case .found(let name):
            try await settle(item.media, record.conversation, .blocked)
            try await BlockingPool.run { try store.banish(item.media) }
            logger.notice(
                "The scanner found something in a recording; its files are gone.",
                metadata: ["media": "\(item.media)", "signature": "\(name)"])
            return true
        case .refused(let answer):
            if item.tries == 0 {
                logger.error(
                    "The scanner answers neither clean nor found.",
                    metadata: ["media": "\(item.media)", "answer": "\(answer)"])
            }
            return try await giveUp(item, record)
        case .silent: return true
        }
    }

    /// A proven scanner that refuses the same recording again and again will not take it tomorrow either. One that passed the gate at Send stays
    /// playable; its own bytes never go out.
    private func giveUp(_ item: ScanQueue.Item, _ record: RecordedMedia) async throws -> Bool {
        guard item.tries >= ScanQueue.mostRefusals else { return false }
        guard record.scan == .pending else {
            store.scans?.rest(item.media)
            return true
        }
        try await settle(item.media, record.conversation, .failed)
        try await BlockingPool.run { try store.scanned(record, .failed) }
        return true
    }
}

extension MediaStore {
    fileprivate func original(of record: RecordedMedia) -> String {
        Upload.original(in: folders.media(record.content.media.rawValue))
    }
}
