import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The tables `profile` and `people_group`.
struct ProfileTable: ProfileStore {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func profile(_ id: ProfileID, of account: AccountID) async throws(AdapterFailure) -> Profile? {
        try await rows.value(
            in: "profile", id: id.rawValue, "SELECT body FROM profile WHERE account = ? AND id = ?",
            [account.rawValue, id.rawValue])
    }

    func profiles(of account: AccountID) async throws(AdapterFailure) -> [Profile] {
        try await rows.values(
            in: "profile", "SELECT id, body FROM profile WHERE account = ? ORDER BY id", [account.rawValue])
    }

    func save(_ profile: Profile, isNew: Bool, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool
    {
        try await save(
            profile, in: "profile", id: profile.id.rawValue, of: profile.account,
            Saving(isNew: isNew, limit: limit, audit: audit))
    }

    func removeProfile(_ id: ProfileID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)
        -> ProfileRemoval
    {
        let outcome = Mutex(ProfileRemoval.notFound)
        try await rows.write { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM agent
                    WHERE account = ? AND json_extract(CAST(body AS TEXT), '$.profile') = ?)
                """
            let key: StatementArguments = [account.rawValue, id.rawValue]
            guard try Bool.fetchOne(db, sql: sql, arguments: key) == false else {
                return outcome.withLock { $0 = .inUse }
            }
            try db.execute(sql: "DELETE FROM profile WHERE account = ? AND id = ?", arguments: key)
            guard db.changesCount > 0 else { return }
            try AuditLog.insert(audit, in: db)
            outcome.withLock { $0 = .removed }
        }
        return outcome.withLock { $0 }
    }

    func groups(of account: AccountID) async throws(AdapterFailure) -> [PeopleGroup] {
        try await rows.values(
            in: "people_group", "SELECT id, body FROM people_group WHERE account = ? ORDER BY id", [account.rawValue])
    }

    func save(_ group: PeopleGroup, isNew: Bool, atMost limit: Int, audit: AuditEntry) async throws(AdapterFailure)
        -> Bool
    {
        try await save(
            group, in: "people_group", id: group.id.rawValue, of: group.account,
            Saving(isNew: isNew, limit: limit, audit: audit))
    }

    func removeGroup(_ id: GroupID, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        try await write(audit) { db in
            try db.execute(
                sql: "DELETE FROM people_group WHERE account = ? AND id = ?",
                arguments: [account.rawValue, id.rawValue])
        }
    }

    /// How a row is saved.
    private struct Saving {
        let isNew: Bool
        let limit: Int
        let audit: AuditEntry
    }

    private func save(
        _ value: some Encodable, in table: String, id: String, of account: AccountID, _ saving: Saving
    ) async throws(AdapterFailure) -> Bool {
        let body: Data
        do { body = try JSONEncoder().encode(value) } catch { throw .of(error) }
        let sql =
            saving.isNew
            ? """
            INSERT INTO \(table) (account, id, body)
            SELECT :account, :id, :body WHERE (SELECT count(*) FROM \(table) WHERE account = :account) < :limit
            """
            : "UPDATE \(table) SET body = :body WHERE account = :account AND id = :id AND :limit >= 0"
        return try await write(saving.audit) { db in
            try db.execute(
                sql: sql,
                arguments: ["account": account.rawValue, "id": id, "body": body, "limit": saving.limit])
        }
    }

    /// Runs one statement, and writes the audit entry if it changed anything.
    /// - Returns: whether it did.
    private func write(_ audit: AuditEntry, _ change: @escaping @Sendable (Database) throws -> Void)
        async throws(AdapterFailure) -> Bool
    {
        let isChanged = Mutex(false)
        try await rows.write { db in
            try change(db)
            guard db.changesCount > 0 else { return }
            try AuditLog.insert(audit, in: db)
            isChanged.withLock { $0 = true }
        }
        return isChanged.withLock { $0 }
    }
}
