import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The table `settings`.
struct SettingsTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func settings(of account: AccountID) async throws(AdapterFailure) -> AccountSettings? {
        try await rows.value(
            in: "settings", id: account.rawValue, "SELECT body FROM settings WHERE account = ?", [account.rawValue])
    }

    func change(_ change: SettingsChange) async throws(AdapterFailure) -> AccountSettings {
        let account = change.account.rawValue
        let result = Mutex<AccountSettings?>(nil)
        try await rows.write { db in
            let stored = try Data.fetchOne(db, sql: "SELECT body FROM settings WHERE account = ?", arguments: [account])
            let settings = try stored.map { try JSONDecoder().decode(AccountSettings.self, from: $0) } ?? change.initial
            let changed = change.patch.applied(to: settings)
            let body = try JSONEncoder().encode(changed)
            try db.execute(
                sql: "INSERT OR REPLACE INTO settings (account, version, body) VALUES (?, ?, ?)",
                arguments: [account, changed.version, body])
            try AuditLog.insert(change.audit, in: db)
            result.withLock { $0 = changed }
        }
        guard let changed = result.withLock({ $0 }) else {
            throw AdapterFailure("settings were not changed", isRetryable: true)
        }
        return changed
    }

    func settingsStamp() async throws(AdapterFailure) -> Int64 {
        try await rows.read { db in
            try Int64.fetchOne(db.cachedStatement(sql: "SELECT ifnull(sum(version), 0) FROM settings")) ?? 0
        }
    }

    func settingsVersions() async throws(AdapterFailure) -> [AccountID: Int] {
        try await rows.read { db in
            let rows = try Row.fetchAll(db.cachedStatement(sql: "SELECT account, version FROM settings"))
            return Dictionary(rows.map { (AccountID(trusted: $0[0]), $0[1]) }) { first, _ in first }
        }
    }
}
