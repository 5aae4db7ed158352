import EarshotCore
import EarshotModel
import GRDB

/// The tables `account` and `app`; `AccountMarks` has what the table `setting` keeps of accounts.
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

    func save(_ account: Account, logo: [UInt8]?) async throws(AdapterFailure) {
        try await AccountMarks(rows).save(account, logo: logo)
    }

    func logo(of account: AccountID) async throws(AdapterFailure) -> [UInt8]? {
        try await AccountMarks(rows).logo(of: account)
    }

    func suspended() async throws(AdapterFailure) -> Set<AccountID> { try await AccountMarks(rows).suspended() }

    func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure) {
        try await AccountMarks(rows).suspend(account, isSuspended, audit: audit)
    }
}
