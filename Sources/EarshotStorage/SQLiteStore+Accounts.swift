public import EarshotCore
public import EarshotModel
import Foundation
import GRDB

extension SQLiteStore {
    public func account(_ id: AccountID) async throws(AdapterFailure) -> Account? {
        try await body("SELECT body FROM account WHERE id = ?", [id.rawValue])
    }

    public func app(_ id: AppID, of account: AccountID) async throws(AdapterFailure) -> App? {
        try await body("SELECT body FROM app WHERE account = ? AND id = ?", [account.rawValue, id.rawValue])
    }

    public func agent(email: String, of account: AccountID) async throws(AdapterFailure) -> Agent? {
        try await body("SELECT body FROM agent WHERE account = ? AND email = ?", [account.rawValue, email])
    }

    public func agent(_ id: AgentID) async throws(AdapterFailure) -> Agent? {
        try await body("SELECT body FROM agent WHERE id = ?", [id.rawValue])
    }

    public func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer? {
        try await body("SELECT body FROM consumer WHERE id = ?", [id.rawValue])
    }

    public func save(_ account: Account) async throws(AdapterFailure) {
        try await save(
            account, "INSERT INTO account VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            [account.id.rawValue])
    }

    public func save(_ app: App) async throws(AdapterFailure) {
        try await save(
            app, "INSERT INTO app VALUES (?, ?, ?) ON CONFLICT (account, id) DO UPDATE SET body = excluded.body",
            [app.account.rawValue, app.id.rawValue])
    }

    public func save(_ agent: Agent) async throws(AdapterFailure) {
        let sql = """
            INSERT INTO agent VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET account = excluded.account, email = excluded.email, body = excluded.body
            """
        try await save(agent, sql, [agent.id.rawValue, agent.account.rawValue, agent.email])
    }

    public func save(_ consumer: Consumer) async throws(AdapterFailure) {
        let sql =
            "INSERT INTO consumer VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, body = excluded.body"
        try await save(consumer, sql, [consumer.id.rawValue, consumer.name])
    }

    public func save(_ session: Session) async throws(AdapterFailure) {
        let sql = """
            INSERT INTO session VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET agent = excluded.agent, expires = excluded.expires, body = excluded.body
            """
        try await save(session, sql, [Data(session.digest), session.agent.rawValue, session.expires.milliseconds])
    }

    public func session(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> Session? {
        try await body("SELECT body FROM session WHERE digest = ? AND expires > ?", [Data(digest), now.milliseconds])
    }

    public func remove(session digest: [UInt8]) async throws(AdapterFailure) {
        let digest = Data(digest)
        try await write { db in try db.execute(sql: "DELETE FROM session WHERE digest = ?", arguments: [digest]) }
    }

    /// Two who ask at once get the same: the writer makes it, once.
    public func secret(_ name: String, make: @Sendable () -> [UInt8]) async throws(AdapterFailure) -> [UInt8] {
        if let known = try await storedSecret(name) { return known }
        let made = Data(make())
        try await write { db in
            try db.execute(
                sql: "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                arguments: ["secret." + name, made])
        }
        guard let stored = try await storedSecret(name) else {
            throw AdapterFailure("a secret was not kept", isRetryable: false)
        }
        return stored
    }

    private func storedSecret(_ name: String) async throws(AdapterFailure) -> [UInt8]? {
        try await read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: ["secret." + name]).map {
                Array($0)
            }
        }
    }

    func body<T: Decodable & Sendable>(_ sql: String, _ arguments: StatementArguments) async throws(AdapterFailure)
        -> T?
    {
        try await read { db in
            let body = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
            return try body.map { try JSONDecoder().decode(T.self, from: $0) }
        }
    }

    /// Saves a value as JSON, after the columns by which it is found.
    func save(_ value: some Encodable, _ sql: String, _ columns: StatementArguments) async throws(AdapterFailure) {
        let body: Data
        do { body = try JSONEncoder().encode(value) } catch { throw .of(error) }
        let arguments = columns + [body]
        try await write { db in try db.cachedStatement(sql: sql).execute(arguments: arguments) }
    }

    /// Has the writer run this in its next transaction, and returns once that is on disk.
    func write(_ body: @escaping @Sendable (Database) throws -> Void) async throws(AdapterFailure) {
        let failure = await withCheckedContinuation { continuation in
            writer.add(.rows(WriteJob.RowJob(run: body) { continuation.resume(returning: $0) }))
        }
        if let failure { throw failure }
    }
}
