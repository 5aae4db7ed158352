import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The connections of an opened database: one writes, several read, two search, and one runs checkpoints.
struct OpenDatabase: Sendable {
    let pool: DatabasePool
    /// Searches have connections of their own, because one search can take as long as thousands of other reads.
    let searches: DatabasePool
    let checkpoints: DatabaseQueue
    let epoch: String

    /// Opens or creates it, owner-readable only, and proves that what is committed is flushed before anything may be
    /// written.
    static func open(path: String, options: SQLiteStore.Options, makeEpoch: @escaping () -> String) throws
        -> OpenDatabase
    {
        try makePrivate(path)
        let pool = try DatabasePool(path: path, configuration: configuration(options, cacheKiB: 2_000))
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(options.synchronous.rawValue)")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "PRAGMA journal_size_limit = \(Checkpoints.keptLogBytes)")
            try db.execute(sql: "PRAGMA cache_size = -16000")
            try verify(options.synchronous, of: db)
            // Rewrite and flush what an earlier process left in the log: after a failed flush the kernel may treat
            // pages as clean that never reached the disk.
            try db.checkpoint(.truncate)
            try Schema.migrate(db, makeEpoch: makeEpoch)
            if let pages = options.maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
        }
        let checkpoints = try DatabaseQueue(path: path, configuration: checkpointConfiguration(options))
        let searches = try DatabasePool(path: path, configuration: searchConfiguration(options))
        return OpenDatabase(
            pool: pool, searches: searches, checkpoints: checkpoints, epoch: try pool.read(Schema.epoch))
    }

    func close() throws {
        try checkpoints.close()
        try searches.close()
        try pool.close()
    }

    private static func configuration(_ options: SQLiteStore.Options, cacheKiB: Int) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busySeconds)
        configuration.maximumReaderCount = options.readers
        configuration.persistentReadOnlyConnections = true
        configuration.label = "earshot"
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKiB); PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    private static func searchConfiguration(_ options: SQLiteStore.Options) -> Configuration {
        var configuration = configuration(options, cacheKiB: 4_000)
        configuration.maximumReaderCount = Limits.searches
        configuration.readonly = true
        return configuration
    }

    private static func checkpointConfiguration(_ options: SQLiteStore.Options) -> Configuration {
        var configuration = configuration(options, cacheKiB: 200)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = \(options.synchronous.rawValue); PRAGMA wal_autocheckpoint = 0")
        }
        return configuration
    }

    /// GRDB sets NORMAL by itself, which loses acknowledged rows in a power cut: what was asked for is read back.
    static func verify(_ wanted: SQLiteStore.Synchronous, of db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        guard found == wanted.level else {
            throw AdapterFailure(
                "the database does not flush its commits (synchronous is \(found ?? -1), not \(wanted.level))",
                isRetryable: false)
        }
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        guard mode == "wal" else {
            throw AdapterFailure("the database keeps no write-ahead log (\(mode ?? "none"))", isRetryable: false)
        }
    }

    /// The file holds secrets and people's words. SQLite gives its log and its index the permissions of the file.
    private static func makePrivate(_ path: String) throws {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !files.fileExists(atPath: folder) {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        if !files.fileExists(atPath: path) {
            guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw AdapterFailure("cannot create \(path)", isRetryable: false)
            }
            try flushFolder(folder)
        }
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// So that a power cut cannot take the new file's name.
    private static func flushFolder(_ folder: String) throws {
        let descriptor = Foundation.open(folder, O_RDONLY)
        guard descriptor >= 0 else { throw AdapterFailure("cannot open \(folder)", isRetryable: false) }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw AdapterFailure("cannot flush \(folder)", isRetryable: false) }
    }
}
