public import EarshotCore
public import EarshotModel
import GRDB

/// The log and the rows in one SQLite file: `ConversationStore`, `AccountStore`, `ContactCentreStore`, `RoutingSource`.
///
/// One thread writes, in transactions that carry whatever waited; every commit is flushed before anyone hears of it. Reads go to memory where it
/// holds the answer, else to connections of their own, which the writer never waits for.
public final class SQLiteStore: ConversationStore, AccountStore, ContactCentreStore, RoutingSource {
    /// Whether a commit is on disk when it is answered.
    public enum Synchronous: String, Sendable {
        case full = "FULL"
        /// Loses acknowledged changes in a power cut. For one use: to show that the power-cut test can fail.
        case normal = "NORMAL"

        var level: Int { self == .full ? 2 : 1 }
    }

    /// What may be set. The defaults are what the server uses.
    public struct Options: Sendable {
        public var synchronous: Synchronous
        /// Connections that read.
        public var readers: Int
        /// The largest the database may grow, in pages of 4 KiB; changes beyond it fail as on a full disk.
        public var maximumPages: Int?
        /// How long to wait for another process (a backup, a doctor) that holds the database.
        public var busySeconds = 5.0
        /// Most bytes of events kept in memory.
        public var tailBytes = Tails.Bounds().bytesInAll

        public init(synchronous: Synchronous = .full, readers: Int = 4, maximumPages: Int? = nil) {
            self.synchronous = synchronous
            self.readers = readers
            self.maximumPages = maximumPages
        }
    }

    public let epoch: String
    let database: OpenDatabase
    let writer: Writer
    let tails: Tails

    /// Opens the database at `path`, or creates it: a folder for its owner only, a file for its owner only, and an epoch from 16 random bytes.
    public init(
        path: String, options: Options = Options(),
        random: @escaping @Sendable (Int) -> [UInt8] = SQLiteStore.systemRandom
    )
        throws(AdapterFailure)
    {
        do {
            database = try OpenDatabase.open(path: path, options: options) {
                Base64URL.encode(random(IdentifierRules.randomBytes))
            }
        } catch {
            throw .of(error)
        }
        epoch = database.epoch
        var bounds = Tails.Bounds()
        bounds.bytesInAll = options.tailBytes
        tails = Tails(bounds: bounds)
        writer = Writer(database, tails: tails)
        writer.start()
    }

    /// Stores what waits, then closes. Blocks until that is done; changes after it fail. Once.
    public func close() throws(AdapterFailure) {
        writer.close()
        do { try database.close() } catch { throw .of(error) }
    }

    /// Why nothing can be stored any more, after the disk failed under a commit: the process should end and start anew. `nil` while all is well.
    public var brokenBy: AdapterFailure? { writer.brokenBy }

    public func connect(_ commitListener: any CommitListener) {
        writer.connect(commitListener)
    }

    /// A change that finds the queue full, or the store closed, is answered at once, on the caller's thread.
    public func change(_ change: Change, answer: @escaping @Sendable (Result<Accepted, ChangeFailure>) -> Void) {
        writer.add(.change(change, answer: answer))
    }

    public func settle(_ settlement: Settlement) async throws(AdapterFailure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            writer.add(.settle(settlement) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    public func raise(_ request: MarkRequest) {
        writer.queue.add(request)
    }

    public func tail(_ conversation: ConversationID, after: Int) -> ConversationTail? {
        tails.tail(conversation, after: after)
    }

    /// Random bytes from the system.
    public static func systemRandom(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
