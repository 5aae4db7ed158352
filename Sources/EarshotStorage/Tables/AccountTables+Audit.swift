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
        var (conditions, arguments) = (
            ["account = ?", "pk < ?"], [account.rawValue, query.before ?? .max] as [any DatabaseValueConvertible]
        )
        if let by = query.by {
            conditions.append("by = ?")
            arguments.append(by)
        }
        if let from = query.from {
            conditions.append("at >= ?")
            arguments.append(from.milliseconds)
        }
        if let to = query.to {
            conditions.append("at < ?")
            arguments.append(to.milliseconds)
        }
        if !query.actions.isEmpty {
            conditions.append("what IN (\(query.actions.map { _ in "?" }.joined(separator: ", ")))")
            arguments += query.actions.map(\.rawValue).sorted()
        }
        let sql = "SELECT pk, body FROM audit WHERE \(conditions.joined(separator: " AND ")) ORDER BY pk DESC LIMIT ?"
        let bound = StatementArguments(arguments + [max(0, query.limit)])
        return try await rows.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: bound).map { row in
                AuditRow(id: row[0], entry: try JSONDecoder().decode(AuditEntry.self, from: row[1]))
            }
        }
    }

    func verifyAudit(of account: AccountID, known: [UInt8]?) async throws(AdapterFailure) -> AuditVerification {
        try await rows.read { db in try AuditLog.verify(account, known: known, in: db) }
    }
}
