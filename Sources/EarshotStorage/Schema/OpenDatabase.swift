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
    /// The keys of conversations, which every connection can open sealed columns with.
    let contentKeys: ContentKeys

    /// Opens or creates it, owner-readable only, and proves that what is committed is flushed before anything may be
    /// written.
    ///
    /// If the disk is full, the reserved space is given up first.
    static func open(
        path: String, options: SQLiteStore.Options, reserve: DiskReserve, makeEpoch: @escaping () -> String
    ) throws(AdapterFailure) -> OpenDatabase {
        do {
            let opened = try open(path: path, options: options, makeEpoch: makeEpoch)
            reserve.restore()
            return opened
        } catch {
            let failure = AdapterFailure.opening(path, error)
            guard failure.kind == .full, reserve.release() else { throw failure }
        }
        do { return try open(path: path, options: options, makeEpoch: makeEpoch) } catch { throw .opening(path, error) }
    }

    private static func open(path: String, options: SQLiteStore.Options, makeEpoch: @escaping () -> String) throws
        -> OpenDatabase
    {
        try makePrivate(path)
        let keys = ContentKeys()
        let pool = try DatabasePool(path: path, configuration: configuration(options, keys, cacheKiB: 2_000))
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(options.synchronous.rawValue)")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "PRAGMA journal_size_limit = \(Checkpoints.keptLogBytes)")
            try db.execute(sql: "PRAGMA cache_size = -16000")
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try verify(options.synchronous, of: db)
            // Rewrite and flush what an earlier process left in the log: after a failed flush the kernel may treat
            // pages as clean that never reached the disk.
            try checkpoint(db, waitingFor: options.busySeconds)
            try Schema.migrate(db, of: path, isAllowed: options.mayMigrate, makeEpoch: makeEpoch)
            if let pages = options.maximumPages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
        }
        let checkpoints = try DatabaseQueue(path: path, configuration: checkpointConfiguration(options, keys))
        let searches = try DatabasePool(path: path, configuration: searchConfiguration(options, keys))
        return OpenDatabase(
            pool: pool, searches: searches, checkpoints: checkpoints, epoch: try pool.read(Schema.epoch),
            contentKeys: keys)
    }

    /// Gets the master keys. Closes the database where one is missing.
    func unlock(_ source: any MasterKeySource, path: String) throws(AdapterFailure) {
        do {
            try contentKeys.unlock(source, needed: try pool.read(ContentKeyTable.needed))
            try pool.write { db in
                try ContentKeyTable.note(contentKeys.current, in: db)
                try SealedProviderSchema.seal(db, with: contentKeys)
            }
        } catch {
            try? close()
            throw .opening(path, error)
        }
    }

    /// Copies the log into the database. SQLite waits for writers and readers here, but not for another process that
    /// does the same, as a server does in the background.
    private static func checkpoint(_ db: Database, waitingFor seconds: Double) throws {
        let deadline = monotonicNanoseconds() + UInt64(seconds * 1_000_000_000)
        while true {
            do {
                try db.checkpoint(.truncate)
                return
            } catch let error as DatabaseError
                where error.resultCode.primaryResultCode == .SQLITE_BUSY && monotonicNanoseconds() < deadline
            {
                usleep(Checkpoints.retryMicroseconds)
            }
        }
    }

    func close() throws {
        try checkpoints.close()
        try searches.close()
        try pool.close()
    }

    /// Keeps the connections open until the process ends.
    func abandon() {
        _ = Unmanaged.passRetained(pool)
        _ = Unmanaged.passRetained(checkpoints)
        _ = Unmanaged.passRetained(searches)
    }

    private static func configuration(_ options: SQLiteStore.Options, _ keys: ContentKeys, cacheKiB: Int)
        -> Configuration
    {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busySeconds)
        configuration.maximumReaderCount = options.readers
        configuration.persistentReadOnlyConnections = true
        configuration.label = "earshot"
        configuration.prepareDatabase { db in
            // Before GRDB turns the log on: then the size of the pages is fixed.
            try db.execute(sql: "PRAGMA page_size = \(Schema.pageBytes)")
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKiB); PRAGMA temp_store = MEMORY")
            keys.install(in: db)
        }
        return configuration
    }

    private static func searchConfiguration(_ options: SQLiteStore.Options, _ keys: ContentKeys) -> Configuration {
        var configuration = configuration(options, keys, cacheKiB: 4_000)
        configuration.maximumReaderCount = Limits.searches
        configuration.readonly = true
        return configuration
    }

    private static func checkpointConfiguration(_ options: SQLiteStore.Options, _ keys: ContentKeys) -> Configuration {
        var configuration = configuration(options, keys, cacheKiB: 200)
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
        guard try Int.fetchOne(db, sql: "PRAGMA secure_delete") == 1 else {
            throw AdapterFailure("the database does not overwrite what is deleted", isRetryable: false)
        }
    }

    /// The file holds secrets and people's words. SQLite gives its log and its index the permissions of the file.
    private static func makePrivate(_ path: String) throws {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !files.fileExists(atPath: folder) {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try flushFolder(URL(fileURLWithPath: folder).deletingLastPathComponent().path)
        }
        if !files.fileExists(atPath: path) {
            let file = Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failure("the file cannot be created") }
            Foundation.close(file)
            try flushFolder(folder)
        }
        guard chmod(path, 0o600) == 0 else { throw failure("its permissions cannot be set") }
    }

    /// So that a power cut cannot take the new file's name.
    private static func flushFolder(_ folder: String) throws {
        let descriptor = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("its folder cannot be opened") }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("its folder cannot be flushed") }
    }

    /// A file operation that failed, with the system's reason.
    private static func failure(_ what: String) -> AdapterFailure {
        let code = errno
        return AdapterFailure(
            "\(what): \(String(cString: strerror(code)))", isRetryable: true,
            kind: code == ENOSPC || code == EDQUOT ? .full : .unavailable)
    }
}
