public import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// A copy of a database in a backup. The server may write to the original while the copy is made.
public struct DatabaseCopy: Sendable {
    /// How many pages are copied at a time, and the pause after them, in which other processes get the disk.
    static let pagesPerStep: CInt = 1_000
    static let pauseSeconds = 0.002

    private let path: String

    /// Names a copy that was made earlier.
    public init(path: String) {
        self.path = path
    }

    /// What a database holds.
    public struct Contents: Codable, Hashable, Sendable {
        /// The version of the schema.
        public let schema: Int
        /// The epoch of the log.
        public let epoch: String
        /// How many brands there are.
        public let brands: Int
        /// How many conversations there are.
        public let conversations: Int
        /// How many events there are, over all conversations.
        public let events: Int
        /// How many recordings there are.
        public let recordings: Int
    }

    /// Copies the database at `source` as it is at one moment, and checks the copy.
    ///
    /// A read transaction stays open for the whole copy. Without it SQLite would start the copy again at every commit
    /// of the server, and would never finish on a busy one.
    /// - Parameter progress: called after each step with the part that is done, from 0 to 1.
    public static func make(of source: String, at path: String, progress: @escaping (Double) -> Void)
        throws(AdapterFailure) -> DatabaseCopy
    {
        do {
            let original = try DatabaseQueue(path: source, configuration: readOnly)
            defer { try? original.close() }
            let copy = try DatabaseQueue(path: path)
            defer { try? copy.close() }
            try original.read { source in
                _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_schema")
                try copy.writeWithoutTransaction { target in
                    try source.backup(to: target, pagesPerStep: pagesPerStep) { step in
                        progress(Double(step.completedPageCount) / Double(max(1, step.totalPageCount)))
                        Thread.sleep(forTimeInterval: pauseSeconds)
                    }
                }
            }
            // One file, without a log beside it.
            try copy.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
                try forgetWords(db)
            }
        } catch {
            throw .of(error)
        }
        return DatabaseCopy(path: path)
    }

    /// Empties the search index, which has the words in the clear that are encrypted everywhere else. A server that
    /// serves the copy makes it again. A draft that is cut is thrown away, so that no journal is needed.
    private static func forgetWords(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == newestSchema else { return }
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA secure_delete = ON")
        try db.execute(sql: FullTextSchema.emptied)
    }

    /// Checks the structure of the whole database, and counts what it holds.
    public func check() throws(AdapterFailure) -> Contents {
        try read { db in
            let result = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard result == "ok" else {
                throw AdapterFailure("the database is damaged: \(result ?? "no answer")", isRetryable: false)
            }
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return Contents(
                schema: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, epoch: try Schema.epoch(db),
                brands: try count("account"), conversations: try count("conversation"), events: try count("event"),
                recordings: try count("recording"))
        }
    }

    /// The ids of the master keys that this database cannot be read without.
    public func neededMasterKeys() throws(AdapterFailure) -> Set<String> {
        try read { try $0.tableExists("master_key") ? ContentKeyTable.needed($0) : [] }
    }

    /// Calls `body` with every recording that has files, ordered by id. The files of blocked recordings are deleted.
    public func forEachRecording(_ body: (RecordedMedia) throws -> Void) throws {
        let database = try DatabaseQueue(path: path, configuration: Self.readOnly)
        defer { try? database.close() }
        try database.read { db in
            let names = try Row.fetchCursor(db, sql: "SELECT conversation, media FROM recording ORDER BY media")
            while let name = try names.next() {
                let row = try Self.recording(MediaID(trusted: name[1]), in: ConversationID(trusted: name[0]), db)
                if let row, row.scan != .blocked { try body(row) }
            }
        }
    }

    /// Whether this database has a recording of which the files should exist.
    public func hasFiles(of recording: RecordedMedia) throws(AdapterFailure) -> Bool {
        try read { db in
            let row = try Self.recording(recording.content.media, in: recording.conversation, db)
            return row.map { $0.scan != .blocked } ?? false
        }
    }

    /// Makes the copy a database of its own: a new epoch, so that clients with a cursor of the old one start afresh,
    /// and no sessions, because some may have been ended after the backup.
    public func beginNewLife() throws(AdapterFailure) {
        do {
            let database = try DatabaseQueue(path: path)
            defer { try? database.close() }
            try database.write { db in
                try db.execute(
                    sql: "UPDATE setting SET value = ? WHERE name = 'epoch'", arguments: [Schema.makeEpoch()])
                try db.execute(sql: "DELETE FROM session")
            }
        } catch {
            throw .of(error)
        }
    }

    /// The newest schema that this version of Earshot knows.
    public static var newestSchema: Int { Schema.steps.count }

    private func read<Value>(_ body: (Database) throws -> Value) throws(AdapterFailure) -> Value {
        do {
            let database = try DatabaseQueue(path: path, configuration: Self.readOnly)
            defer { try? database.close() }
            return try database.read(body)
        } catch {
            throw .of(error)
        }
    }

    private static func recording(_ media: MediaID, in conversation: ConversationID, _ db: Database) throws
        -> RecordedMedia?
    {
        let sql = "SELECT body FROM recording WHERE conversation = ? AND media = ?"
        return try Data.fetchOne(
            db.cachedStatement(sql: sql), arguments: [conversation.rawValue, media.rawValue]
        ).map { try JSONDecoder().decode(RecordedMedia.self, from: $0) }
    }

    private static var readOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteStore.Options().busySeconds)
        return configuration
    }
}
