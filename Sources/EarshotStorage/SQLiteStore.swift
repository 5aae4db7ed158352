public import EarshotCore
import EarshotModel

/// Stores everything in one SQLite database. It implements every storage port of the core.
///
/// One thread writes, in transactions that carry all queued changes; every commit is flushed to disk before anyone is
/// notified. Reads use the tail cache if it has the answer, otherwise connections of their own, for which the writer
/// never waits. Each table has a type of its own; this type owns the database and forwards to them.
public final class SQLiteStore: Sendable {
    /// Names the life of this database.
    public let epoch: String
    let database: OpenDatabase
    private let writer: Writer
    /// How the disk serves this store.
    public let health: StorageHealth
    /// What the store reports to a monitoring system.
    public let metrics: [any Metric]
    let reader: ConversationReader
    let inboxes: InboxReader
    let searches: SearchReader
    let tables: SQLiteTables

    /// Opens the database at `path`, or creates it with a new epoch. Folder and file are readable by their owner only.
    public init(path: String, options: Options = Options()) throws(AdapterFailure) {
        let reserve = DiskReserve(database: path)
        database = try OpenDatabase.open(path: path, options: options, reserve: reserve, makeEpoch: Schema.makeEpoch)
        epoch = database.epoch
        let tails = TailCache(bounds: TailCache.Bounds(bytesInTotal: options.tailBytes))
        let (reads, damaged) = (PendingReads(), DamagedRows())
        writer = Writer(database, tails: tails, reserve: reserve, damaged: damaged)
        health = StorageHealth(writer, reads, reserve, damaged, deadline: options.deadlineSeconds)
        let rows = RowAccess(database, writer, pending: reads, damaged: damaged)
        (reader, inboxes) = (ConversationReader(rows, tails: tails), InboxReader(rows))
        searches = SearchReader(database, timeLimit: options.searchTimeLimit)
        tables = SQLiteTables(rows)
        metrics = writer.allMetrics + DatabaseFiles(path: path).metrics
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

    /// What only an operator's commands do with brands and apps.
    public var installation: any InstallationStore { tables.installation }
}

extension SQLiteStore: ConversationLog {
    /// Sets the listener that is notified of every commit.
    public func connect(_ commitListener: any CommitListener) { writer.connect(commitListener) }

    /// Queues a change. If the queue is full or the store is closed, it is answered at once on the caller's thread.
    public func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void) {
        writer.add(.change(change, answer: answer))
    }

    /// Writes the scanner's verdict on a recording.
    public func apply(_ verdict: ScanVerdict) async throws(AdapterFailure) -> Bool {
        try await writer.apply(verdict)
    }

    /// Queues a watermark update. It is dropped if too many are queued.
    public func raise(_ update: WatermarkUpdate) { writer.raise(update) }
}
