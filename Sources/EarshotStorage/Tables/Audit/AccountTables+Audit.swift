import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The table `audit`.
extension AccountTables: AuditStore {
    func record(_ entry: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in try AuditLog.insert(entry, in: db) }
    }

    func audit(_ account: AccountID, _ query: AuditQuery) async throws(AdapterFailure) -> [AuditRow] {
        let selection = AuditSelection(account, query)
        let (sql, arguments) = (selection.sql, selection.arguments)
        return try await rows.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
                AuditRow(id: row[0], entry: try JSONDecoder().decode(AuditEntry.self, from: row[1]))
            }
        }
    }

    func verifyAudit(of account: AccountID, known: [UInt8]?) async throws(AdapterFailure) -> AuditVerification {
        try await rows.read { db in try AuditLog.verify(account, known: known, in: db) }
    }
}
