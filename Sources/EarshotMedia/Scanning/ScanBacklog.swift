import EarshotCore
public import EarshotModel
public import Logging
public import ServiceLifecycle

/// Scans the whole file of every recording, in the order in which they were finished: right after it was finished, or
/// as soon as the scanner is back. Recordings that an earlier run of the server left unscanned come first.
///
/// Promises: a verdict is settled before it is forgotten here, so that none is lost; settling the same verdict again
/// changes nothing; a recording that cannot be scanned now delays no other; a scanner that does not answer is not
/// asked.
public struct ScanBacklog: Service {
    private let store: MediaStore
    private let scanner: Scanner
    private let settle: Settle
    private let logger: Logger

    /// Stores the verdict on a recording.
    public typealias Settle =
        @Sendable (_ media: MediaID, _ conversation: ConversationID, _ verdict: Verdict) async throws -> Void

    /// A backlog for the recordings of `store`. It scans while it runs.
    public init(store: MediaStore, scanner: Scanner, logger: Logger, settle: @escaping Settle) {
        self.store = store
        self.scanner = scanner
        self.logger = logger
        self.settle = settle
    }

    /// Runs until the service is shut down.
    public func run() async throws {
        guard let queue = store.scans else { return }
        try await store.queueUnscanned()
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await scanDue(queue)
                await scanner.work.wait(atMost: queue.untilNext())
            }
        }
    }

    private func scanDue(_ queue: ScanQueue) async {
        for item in queue.due() where scanner.health.isAnswering && !Task.isCancelled {
            do {
                if try await !scan(item, queue) { queue.postpone(item) }
            } catch {
                logger.debug(
                    "Scanning a recording failed; it is tried again later.",
                    metadata: ["media": "\(item.media)", "reason": "\(error)"])
                queue.postpone(item)
            }
        }
    }

    /// - Returns: `false` if the recording is to be tried again after a delay. One that waits for the scanner stays
    ///   in the queue: the scanner signals
    ///   `work` when it has recovered.
    private func scan(_ item: ScanQueue.Item, _ queue: ScanQueue) async throws -> Bool {
        guard let record = try await store.archive.record(of: item.media) else {
            try await remove(item.media, queue)
            return true
        }
        guard scanner.health.covers(record.container) else { return true }
        let path = try store.archive.files(of: item.media).original
        let reply = await scanner.whole(.file(path, 0..<record.content.sizeBytes))
        store.counts.scans.increment(reply.result)
        switch reply {
        case .clean:
            guard scanner.health.covers(record.container) else { return true }
            if record.scan == .pending { try await settle(item.media, record.conversation, .clean) }
            store.counts.settled(item.media.rawValue, .playable)
            try await save(.clean, of: record, queue)
            return true
        case .infected(let name):
            try await settle(item.media, record.conversation, .blocked)
            store.counts.settled(item.media.rawValue, .refused)
            try await remove(item.media, queue)
            logger.notice(
                "The scanner found harmful content in a recording. Its files were deleted.",
                metadata: ["media": "\(item.media)", "signature": "\(name)"])
            return true
        case .inconclusive(let answer):
            if item.tries == 0 {
                logger.error(
                    "The scanner gave no verdict on a recording.",
                    metadata: ["media": "\(item.media)", "answer": "\(answer)"])
            }
            return try await giveUp(item, record, queue)
        case .unreachable: return true
        }
    }

    /// Gives a recording up after `maxTries`: a verified scanner that has no verdict now will have none tomorrow. A
    /// recording that was clean at Send stays playable as our re-encoding; its own bytes never go out.
    private func giveUp(_ item: ScanQueue.Item, _ record: RecordedMedia, _ queue: ScanQueue) async throws -> Bool {
        guard item.tries >= ScanQueue.maxTries else { return false }
        guard record.scan == .pending else {
            queue.suspend(item.media)
            return true
        }
        try await settle(item.media, record.conversation, .failed)
        store.counts.settled(item.media.rawValue, .failed)
        try await save(.failed, of: record, queue)
        return true
    }

    private func save(_ scan: ScanState, of record: RecordedMedia, _ queue: ScanQueue) async throws {
        try await BlockingPool.run {
            try store.archive.save(scan, of: record)
            try queue.drop(record.content.media.rawValue)
        }
    }

    private func remove(_ media: MediaID, _ queue: ScanQueue) async throws {
        try await BlockingPool.run {
            try store.archive.remove(media)
            try queue.drop(media.rawValue)
        }
    }
}

extension ScanReply {
    fileprivate var result: MediaMetrics.ScanResult {
        switch self {
        case .clean: .clean
        case .infected: .infected
        case .inconclusive: .inconclusive
        case .unreachable: .unreachable
        }
    }
}
