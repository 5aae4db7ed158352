public import EarshotCore
public import EarshotModel
import Foundation
import GRDB
import Synchronization

/// Recordings, settings and the audit log.
extension SQLiteStore {
    public func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia {
        let media = recording.content.media
        try await save(
            recording,
            "INSERT INTO recording (conversation, media, scan, body) VALUES (?, ?, ?, ?) ON CONFLICT (conversation, media) DO NOTHING",
            [recording.conversation.rawValue, media.rawValue, recording.scan.rawValue])
        guard let kept = try await self.recording(media, in: recording.conversation) else {
            throw AdapterFailure("a recording was not kept", isRetryable: true)
        }
        return kept
    }

    public func recording(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure)
        -> RecordedMedia?
    {
        try await body(
            "SELECT body FROM recording WHERE conversation = ? AND media = ?", [conversation.rawValue, media.rawValue])
    }

    public func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure)
        -> [RecordedMedia]
    {
        let sql = "SELECT body FROM recording WHERE scan = 'pending' AND media > ? ORDER BY media LIMIT ?"
        let arguments: StatementArguments = [media?.rawValue ?? "", max(0, limit)]
        return try await read { db in
            try Data.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map {
                try JSONDecoder().decode(RecordedMedia.self, from: $0)
            }
        }
    }

    public func settings(of account: AccountID) async throws(AdapterFailure) -> AccountSettings? {
        try await body("SELECT body FROM settings WHERE account = ?", [account.rawValue])
    }

    public func change(_ change: SettingsChange) async throws(AdapterFailure) -> AccountSettings {
        let account = change.account.rawValue
        let result = Mutex<AccountSettings?>(nil)
        try await write { db in
            let stored = try Data.fetchOne(db, sql: "SELECT body FROM settings WHERE account = ?", arguments: [account])
            var settings = try stored.map { try JSONDecoder().decode(AccountSettings.self, from: $0) } ?? change.initial
            settings.audio = change.patch.applied(to: settings.audio)
            settings.version += 1
            let body = try JSONEncoder().encode(settings)
            try db.execute(
                sql: "INSERT OR REPLACE INTO settings (account, version, body) VALUES (?, ?, ?)",
                arguments: [account, settings.version, body])
            try Self.insert(change.audit, in: db)
            let changed = settings
            result.withLock { $0 = changed }
        }
        guard let changed = result.withLock({ $0 }) else {
            throw AdapterFailure("settings were not changed", isRetryable: true)
        }
        return changed
    }

    public func settingsStamp() async throws(AdapterFailure) -> Int64 {
        try await read { db in
            try Int64.fetchOne(db.cachedStatement(sql: "SELECT ifnull(sum(version), 0) FROM settings")) ?? 0
        }
    }

    public func settingsVersions() async throws(AdapterFailure) -> [AccountID: Int] {
        try await read { db in
            let rows = try Row.fetchAll(db.cachedStatement(sql: "SELECT account, version FROM settings"))
            return Dictionary(rows.map { (AccountID(trusted: $0[0]), $0[1]) }) { first, _ in first }
        }
    }

    public func record(_ entry: AuditEntry) async throws(AdapterFailure) {
        try await write { db in try Self.insert(entry, in: db) }
    }

    public func audit(_ account: AccountID, before: Int64?, limit: Int) async throws(AdapterFailure) -> [AuditRow] {
        let sql = "SELECT pk, body FROM audit WHERE account = ? AND pk < ? ORDER BY pk DESC LIMIT ?"
        let arguments: StatementArguments = [account.rawValue, before ?? .max, max(0, limit)]
        return try await read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
                AuditRow(id: row[0], entry: try JSONDecoder().decode(AuditEntry.self, from: row[1]))
            }
        }
    }

    static func insert(_ entry: AuditEntry, in db: Database) throws {
        let body = try JSONEncoder().encode(entry)
        try db.cachedStatement(sql: LogStatements.auditInsertion).execute(arguments: [
            entry.account.rawValue, entry.once, body,
        ])
    }
}
