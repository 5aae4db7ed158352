import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The tables of retention, and the steps of removals.
struct RetentionTables: Sendable {
    let rows: RowAccess
    private let writer: Writer
    private let path: String

    /// - Parameter path: the file of the database.
    init(_ rows: RowAccess, _ writer: Writer, path: String) {
        (self.rows, self.writer, self.path) = (rows, writer, path)
    }

    /// Runs a step in a transaction of the writer, and returns what it found.
    private func step<T: Sendable>(_ initial: T, _ body: @escaping @Sendable (Database) throws -> T)
        async throws(AdapterFailure) -> T
    {
        let found = Mutex(initial)
        try await rows.write { db in
            let value = try body(db)
            found.withLock { $0 = value }
        }
        return found.withLock { $0 }
    }
}

extension RetentionTables: RetentionStore {
    // MARK: Periods and holds

    func retentionDays(of account: AccountID) async throws(AdapterFailure) -> Int? {
        try await rows.read { db in
            try Int.fetchOne(db, sql: "SELECT days FROM retention WHERE account = ?", arguments: [account.rawValue])
        }
    }

    func save(retentionDays days: Int, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO retention VALUES (?, ?)", arguments: [account.rawValue, days])
            try AuditLog.insert(audit, in: db)
        }
    }

    func holds(of account: AccountID) async throws(AdapterFailure) -> [LegalHold] {
        try await rows.values(
            in: "legal_hold", "SELECT conversation, body FROM legal_hold WHERE account = ? ORDER BY at",
            [account.rawValue])
    }

    func place(_ hold: LegalHold, audit: AuditEntry) async throws(AdapterFailure) {
        let body: Data
        do { body = try JSONEncoder().encode(hold) } catch { throw .of(error) }
        try await rows.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO legal_hold VALUES (?, ?, ?, ?)",
                arguments: [hold.conversation.rawValue, hold.account.rawValue, hold.at.milliseconds, body])
            try AuditLog.insert(audit, in: db)
        }
    }

    func liftHold(_ conversation: ConversationID, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(
                sql: "DELETE FROM legal_hold WHERE conversation = ? AND account = ?",
                arguments: [conversation.rawValue, audit.account.rawValue])
            if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
        }
    }

    // MARK: What is due

    /// Closed conversations without a hold, by the time of their last event.
    private static let due = """
        FROM conversation c WHERE c.closed = 1 AND c.feed = (SELECT pk FROM feed WHERE account = :account)
            AND c.at < :before AND NOT EXISTS (SELECT 1 FROM legal_hold h WHERE h.conversation = c.id)
        """

    func dueCounts(of account: AccountID, before: Timestamp) async throws(AdapterFailure) -> RemovalCounts {
        try await rows.read { db in
            let sql = """
                WITH due (id, sequence, at) AS (SELECT c.id, c.sequence, c.at \(Self.due)),
                    audio (number, bytes) AS (
                        SELECT count(*), ifnull(sum(r.bytes), 0) FROM due CROSS JOIN recording r
                        ON r.conversation = due.id)
                SELECT count(*) AS conversations, ifnull(sum(sequence), 0) AS events,
                    (SELECT number FROM audio) AS recordings, (SELECT bytes FROM audio) AS bytes,
                    min(at) AS oldest, max(at) AS newest FROM due
                """
            let row = try Row.fetchOne(
                db, sql: sql, arguments: ["account": account.rawValue, "before": before.milliseconds])
            return row.map(RemovalCounts.init)
                ?? RemovalCounts(
                    conversations: 0, events: 0, recordings: 0, bytes: 0, oldest: nil, newest: nil)
        }
    }

    func dueConversations(of account: AccountID, before: Timestamp, limit: Int) async throws(AdapterFailure)
        -> [ConversationID]
    {
        try await rows.read { db in
            try String.fetchAll(
                db, sql: "SELECT c.id \(Self.due) ORDER BY c.at LIMIT :limit",
                arguments: ["account": account.rawValue, "before": before.milliseconds, "limit": limit]
            ).map(ConversationID.init(trusted:))
        }
    }

    // MARK: The steps of a removal

    func remove(_ removal: ConversationRemoval) async throws(AdapterFailure) -> ConversationRemoval.Outcome {
        let result = await withCheckedContinuation { continuation in
            writer.add(.removal(removal) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }

    func removeEvents(of run: Int64, limit: Int) async throws(AdapterFailure) -> Bool {
        try await step(false) { try ConversationRemover(db: $0).removeEvents(of: run, limit: limit) }
    }

    func filesToRemove(of run: Int64, limit: Int) async throws(AdapterFailure) -> [MediaID] {
        try await rows.read { db in
            try String.fetchAll(
                db, sql: "SELECT media FROM removed_recording WHERE run = ? LIMIT ?", arguments: [run, limit]
            ).map(MediaID.init(trusted:))
        }
    }

    func noteRemoved(_ media: MediaID) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(sql: "DELETE FROM removed_recording WHERE media = ?", arguments: [media.rawValue])
        }
    }

    func rewriteIndex(isFirst: Bool) async throws(AdapterFailure) -> Bool {
        try await step(false) { try ConversationRemover(db: $0).rewriteIndex(isFirst: isFirst) }
    }

    func emptyLog(at now: Timestamp) async throws(AdapterFailure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            writer.emptyLog { continuation.resume(returning: $0) }
        }
        guard try result.get() else { return false }
        SchemaBackup(of: path).removeOlder(than: now.adding(milliseconds: -Self.schemaBackupMs))
        return true
    }

    /// How long the copy that an upgrade makes is kept once something was removed: an operator returns to the earlier
    /// version within a day, or no longer.
    private static let schemaBackupMs: Int64 = 24 * 3600 * 1000

    // MARK: The clock

    func lastKnownTime() async throws(AdapterFailure) -> Timestamp? {
        try await rows.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT ifnull((SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'clock'),
                        (SELECT at FROM event ORDER BY pk DESC LIMIT 1))
                    """
            ).map(Timestamp.init(milliseconds:))
        }
    }

    func note(time: Timestamp) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting VALUES ('clock', ?)", arguments: ["\(time.milliseconds)"])
        }
    }
}

extension RemovalCounts {
    /// From a row with columns of these names.
    init(_ row: Row) {
        self.init(
            conversations: row["conversations"], events: row["events"], recordings: row["recordings"],
            bytes: row["bytes"], keys: row["keys"],
            oldest: (row["oldest"] as Int64?).map(Timestamp.init(milliseconds:)),
            newest: (row["newest"] as Int64?).map(Timestamp.init(milliseconds:)))
    }
}
