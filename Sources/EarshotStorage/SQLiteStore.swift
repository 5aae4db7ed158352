public import EarshotCore
import EarshotModel

/// Stores everything in one SQLite database. It implements every storage port of the core.
///
/// One thread writes, in transactions that carry all queued changes; every commit is flushed to disk before anyone is
/// notified. Reads use the tail cache if it has the answer, otherwise connections of their own, for which the writer
/// never waits. Each table has a type of its own; this type owns the database and forwards to them.
public final class SQLiteStore: Sendable {
    /// Whether a commit is on disk when it is answered.
    public enum Synchronous: String, Sendable {
        /// Every commit is flushed.
        case full = "FULL"
        /// Loses acknowledged changes in a power cut. Exists only to show that the power-cut test can fail.
        case normal = "NORMAL"

        var level: Int { self == .full ? 2 : 1 }
    }

    /// Options for opening a database. The server uses the defaults.
    public struct Options: Sendable {
        /// Whether a commit is on disk when it is answered.
        public var synchronous: Synchronous
        /// How many connections read.
        public var readers: Int
        /// The largest size of the database, in pages of 4 KiB; changes beyond it fail as on a full disk.
        public var maximumPages: Int?
        /// How long to wait for another process that holds the database: a backup or the doctor.
        public var busySeconds = 5.0
        /// After how long a read or a change that the disk does not answer fails.
        public var deadlineSeconds = 5.0
        /// Whether an older database may be brought to this version's schema.
        public var mayMigrate = true
        /// How many bytes of events to cache.
        public var tailBytes = TailCache.Bounds().bytesInTotal

        /// Creates options.
        public init(synchronous: Synchronous = .full, readers: Int = 4, maximumPages: Int? = nil) {
            self.synchronous = synchronous
            self.readers = readers
            self.maximumPages = maximumPages
        }
    }

    /// Names the life of this database.
    public let epoch: String
    private let database: OpenDatabase
    private let writer: Writer
    /// How the disk serves this store.
    public let health: StorageHealth
    let files: DatabaseFiles
    let reader: ConversationReader
    let inboxes: InboxReader
    let tables: SQLiteTables

    /// Opens the database at `path`, or creates it with a new epoch. Folder and file are readable by their owner only.
    public init(
        path: String, options: Options = Options(),
        random: @escaping @Sendable (Int) -> [UInt8] = SQLiteStore.systemRandom
    ) throws(AdapterFailure) {
        let makeEpoch = { Base64URL.encode(random(IdentifierRules.randomBytes)) }
        let reserve = DiskReserve(database: path)
        database = try OpenDatabase.open(path: path, options: options, reserve: reserve, makeEpoch: makeEpoch)
        epoch = database.epoch
        files = DatabaseFiles(path: path)
        var bounds = TailCache.Bounds()
        bounds.bytesInTotal = options.tailBytes
        let tails = TailCache(bounds: bounds)
        let (reads, damaged) = (PendingReads(), DamagedRows())
        writer = Writer(database, tails: tails, reserve: reserve, damaged: damaged)
        health = StorageHealth(writer, reads, reserve, damaged, deadline: options.deadlineSeconds)
        let rows = RowAccess(database, writer, pending: reads, damaged: damaged)
        reader = ConversationReader(rows, tails: tails)
        inboxes = InboxReader(rows)
        tables = SQLiteTables(rows)
        writer.start()
    }

    /// Writes the queued changes, then closes the database. Blocks until that is done; later changes fail. Call once.
    ///
    /// After a failure of the disk the connections stay open: SQLite would checkpoint as it closes the last one, and a
    /// flush after a failed flush proves nothing. The next start reads the log from the disk.
    public func close() throws(AdapterFailure) {
        let hasEnded = writer.close()
        health.close()
        guard hasEnded, writer.brokenBy == nil else {
            database.abandon()
            throw writer.brokenBy ?? .late
        }
        do { try database.close() } catch { throw .of(error) }
    }

    /// What the writer and the readers report to a monitoring system.
    var writerMetrics: [any Metric] { writer.allMetrics }

    /// Random bytes from the operating system.
    public static func systemRandom(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension SQLiteStore: ConversationLog {
    /// Sets the listener that is notified of every commit.
    public func connect(_ commitListener: any CommitListener) {
        writer.connect(commitListener)
    }

    /// Queues a change. If the queue is full or the store is closed, it is answered at once on the caller's thread.
    public func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void) {
        writer.add(.change(change, answer: answer))
    }

    /// Writes the scanner's verdict on a recording.
    public func apply(_ verdict: ScanVerdict) async throws(AdapterFailure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            writer.add(.verdict(verdict) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    /// Queues a watermark update. It is dropped if too many are queued.
    public func raise(_ update: WatermarkUpdate) {
        writer.raise(update)
    }
}
