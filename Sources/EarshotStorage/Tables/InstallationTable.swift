import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// What only an operator's commands do with brands and apps.
struct InstallationTable: InstallationStore {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func accounts() async throws(AdapterFailure) -> [Account] {
        try await rows.values(in: "account", "SELECT id, body FROM account ORDER BY id", [])
    }

    func remove(_ app: AppID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(
                sql: "DELETE FROM app WHERE account = ? AND id = ?", arguments: [account.rawValue, app.rawValue])
            if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
        }
    }

    func removeEmpty(_ account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        let isRemoved = Mutex(false)
        try await rows.write { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM consumer WHERE account = :account)
                    OR EXISTS (SELECT 1 FROM conversation JOIN feed ON feed.pk = conversation.feed
                        WHERE feed.account = :account)
                """
            guard try Bool.fetchOne(db, sql: sql, arguments: ["account": account.rawValue]) == false else { return }
            for (table, column) in Self.tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [account.rawValue])
            }
            try AuditLog.insert(audit, in: db)
            isRemoved.withLock { $0 = true }
        }
        return isRemoved.withLock { $0 }
    }

    /// What belongs to an account without conversations, in an order that leaves no reference dangling.
    private static let tables = [
        ("contact_centre_revision", "account"), ("contact_centre", "account"), ("presence", "account"),
        ("saved_view", "account"), ("settings", "account"), ("app", "account"),
        ("password_link", "account"), ("api_key", "account"), ("profile", "account"), ("people_group", "account"),
        ("second_factor", "account"),
        ("second_factor_rule", "account"), ("identity_provider", "account"), ("consumer_identity", "account"),
        ("agent", "account"),
        ("feed", "account"), ("account", "id"),
    ]
}
