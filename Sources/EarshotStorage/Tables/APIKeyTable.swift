import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The table `api_key`.
struct APIKeyTable: APIKeyStore {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func apiKey(_ id: APIKeyID) async throws(AdapterFailure) -> APIKey? {
        try await keys("id = ?", [id.rawValue]).first
    }

    func apiKeys(of account: AccountID) async throws(AdapterFailure) -> [APIKey] {
        try await keys("account = ? ORDER BY made DESC, id", [account.rawValue])
    }

    func add(_ key: APIKey, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: " ")
        return try await write { db in
            let sql = """
                INSERT INTO api_key (id, account, name, scopes, digest, by, made, expires)
                SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM api_key WHERE account = ?) < ?
                """
            try db.cachedStatement(sql: sql).execute(arguments: [
                key.id.rawValue, key.account.rawValue, key.name, scopes, Data(key.digest), key.by,
                key.made.milliseconds, key.expires.milliseconds, key.account.rawValue, limit,
            ])
            return db.changesCount > 0 ? audit : nil
        }
    }

    func removeAPIKey(_ id: APIKeyID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        try await write { db in
            try db.cachedStatement(sql: "DELETE FROM api_key WHERE id = ? AND account = ?")
                .execute(arguments: [id.rawValue, account.rawValue])
            return db.changesCount > 0 ? audit : nil
        }
    }

    func noteUse(of id: APIKeyID, at now: Timestamp, unlessAfter earlier: Timestamp) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.cachedStatement(sql: "UPDATE api_key SET used = ? WHERE id = ? AND (used IS NULL OR used <= ?)")
                .execute(arguments: [now.milliseconds, id.rawValue, earlier.milliseconds])
        }
    }

    /// Runs a change, and writes the audit entry that it returns.
    /// - Returns: whether it returned one.
    private func write(_ change: @escaping @Sendable (Database) throws -> AuditEntry?) async throws(AdapterFailure)
        -> Bool
    {
        let isChanged = Mutex(false)
        try await rows.write { db in
            guard let audit = try change(db) else { return }
            try AuditLog.insert(audit, in: db)
            isChanged.withLock { $0 = true }
        }
        return isChanged.withLock { $0 }
    }

    private func keys(_ condition: String, _ arguments: StatementArguments) async throws(AdapterFailure) -> [APIKey] {
        let sql = """
            SELECT id, account, name, scopes, digest, by, made, expires, used FROM api_key WHERE \(condition)
            """
        return try await rows.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
                let scopes = (row[3] as String).split(separator: " ")
                return APIKey(
                    id: APIKeyID(trusted: row[0]), account: AccountID(trusted: row[1]), name: row[2],
                    // A scope that this version does not know allows nothing.
                    scopes: Set(scopes.compactMap { ProgramScope(rawValue: String($0)) }),
                    digest: Array(row[4] as Data), by: row[5], made: Timestamp(milliseconds: row[6]),
                    expires: Timestamp(milliseconds: row[7]),
                    used: (row[8] as Int64?).map(Timestamp.init(milliseconds:)))
            }
        }
    }
}
