import EarshotModel

/// Whether a commit is on disk when it is answered.
public enum SQLiteSynchronous: String, Sendable {
    /// Every commit is flushed.
    case full = "FULL"
    /// Loses acknowledged changes in a power cut. Exists only to show that the power-cut test can fail.
    case normal = "NORMAL"

    var level: Int { self == .full ? 2 : 1 }
}

/// Options for opening a database. The server uses the defaults.
public struct SQLiteOptions: Sendable {
    /// Whether a commit is on disk when it is answered.
    public var synchronous: SQLiteSynchronous
    /// How many connections read.
    public var readers: Int
    /// The largest size of the database, in pages; changes beyond it fail as on a full disk.
    public var maximumPages: Int?
    /// How long to wait for another process that holds the database: a backup or the doctor.
    public var busySeconds = 5.0
    /// How long a search may run.
    public var searchTimeLimit = Duration.milliseconds(Limits.searchMs)
    /// After how long a read or a change that the disk does not answer fails.
    public var deadlineSeconds = 5.0
    /// Whether an older database may be brought to this version's schema.
    public var mayMigrate = true
    /// How many bytes of events to cache.
    public var tailBytes = TailCache.Bounds().bytesInTotal

    /// Creates options.
    public init(synchronous: SQLiteSynchronous = .full, readers: Int = 4, maximumPages: Int? = nil) {
        self.synchronous = synchronous
        self.readers = readers
        self.maximumPages = maximumPages
    }
}

extension SQLiteStore {
    /// Options for opening a database.
    public typealias Options = SQLiteOptions
    /// Whether a commit is on disk when it is answered.
    public typealias Synchronous = SQLiteSynchronous
}
