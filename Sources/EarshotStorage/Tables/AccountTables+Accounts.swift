import EarshotCore
import EarshotModel
import GRDB

/// The tables `account` and `app`, and the marks of suspended accounts in `setting`.
extension AccountTables: AccountStore {
    func account(_ id: AccountID) async throws(AdapterFailure) -> Account? {
        try await rows.value(in: "account", id: id.rawValue, "SELECT body FROM account WHERE id = ?", [id.rawValue])
    }

    func accounts(atMost limit: Int) async throws(AdapterFailure) -> [Account] {
        try await rows.values(in: "account", "SELECT id, body FROM account ORDER BY id LIMIT ?", [limit])
    }

    func app(_ id: AppID, of account: AccountID) async throws(AdapterFailure) -> App? {
        try await rows.value(
            in: "app", id: id.rawValue, "SELECT body FROM app WHERE account = ? AND id = ?",
            [account.rawValue, id.rawValue])
    }

    func allowedOrigins() async throws(AdapterFailure) -> Set<String> {
        // A damaged row has no origins here; reading its app notes the damage.
        let sql = """
            SELECT DISTINCT origin.value FROM (SELECT CAST(body AS TEXT) AS body FROM app) AS app,
            json_each(CASE WHEN json_valid(app.body) THEN app.body ELSE '{}' END, '$.allowedOrigins') AS origin
            WHERE origin.type = 'text'
            """
        return try await rows.read { db in Set(try String.fetchAll(db.cachedStatement(sql: sql))) }
    }

    func apps(of account: AccountID) async throws(AdapterFailure) -> [App] {
        try await rows.values(in: "app", "SELECT id, body FROM app WHERE account = ? ORDER BY id", [account.rawValue])
    }

    func save(_ account: Account) async throws(AdapterFailure) {
        try await rows.save(
            account, "INSERT INTO account VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [account.id.rawValue])
    }

    func save(_ app: App) async throws(AdapterFailure) {
        try await rows.save(
            app, "INSERT INTO app VALUES (?, ?, ?) ON CONFLICT (account, id) DO UPDATE SET body = excluded.body",
            [app.account.rawValue, app.id.rawValue])
    }

    func suspended() async throws(AdapterFailure) -> Set<AccountID> {
        // From the mark's prefix to the character after its dot.
        let sql = "SELECT name FROM setting WHERE name >= 'suspended.' AND name < 'suspended/'"
        return try await rows.read { db in
            let names = try String.fetchAll(db.cachedStatement(sql: sql))
            return Set(names.map { AccountID(trusted: String($0.dropFirst(Self.suspensionMark.count))) })
        }
    }

    func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            let name = Self.suspensionMark + account.rawValue
            try db.execute(
                sql: isSuspended
                    ? "INSERT OR IGNORE INTO setting VALUES (?, x'')" : "DELETE FROM setting WHERE name = ?",
                arguments: [name])
            // A command that changes nothing is not recorded.
            if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
        }
    }

    private static let suspensionMark = "suspended."
}
