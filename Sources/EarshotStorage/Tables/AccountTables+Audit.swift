import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The table `audit`.
extension AccountTables: AuditStore {
    func record(_ entry: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in try AuditLog.insert(entry, in: db) }
    }

    func audit(_ account: AccountID, before: Int64?, limit: Int) async throws(AdapterFailure) -> [AuditRow] {
        let sql = "SELECT pk, body FROM audit WHERE account = ? AND pk < ? ORDER BY pk DESC LIMIT ?"
        let arguments: StatementArguments = [account.rawValue, before ?? .max, max(0, limit)]
        return try await rows.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
                AuditRow(id: row[0], entry: try JSONDecoder().decode(AuditEntry.self, from: row[1]))
            }
        }
    }
}

/// Writes entries in the transaction of what they record.
enum AuditLog {
    static func insert(_ entry: AuditEntry, in db: Database) throws {
        let body = try JSONEncoder().encode(entry)
        try db.cachedStatement(sql: LogStatements.auditInsertion).execute(arguments: [
            entry.account.rawValue, entry.once, body,
        ])
    }
}
