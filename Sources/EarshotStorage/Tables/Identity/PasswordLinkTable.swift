import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The table `password_link`.
struct PasswordLinkTable: PasswordLinkStore {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func invite(_ agent: Agent, by link: PasswordLink, audit: AuditEntry) async throws(AdapterFailure) -> Bool {
        let isInvited = Mutex(false)
        try await rows.write { db in
            try db.cachedStatement(
                sql: "INSERT INTO agent VALUES (?, ?, ?, ?) ON CONFLICT (account, email) DO NOTHING"
            ).execute(arguments: [
                agent.id.rawValue, agent.account.rawValue, agent.email, try JSONEncoder().encode(agent),
            ])
            guard db.changesCount > 0 else { return }
            try Self.save(link, in: db)
            try AuditLog.insert(audit, in: db)
            isInvited.withLock { $0 = true }
        }
        return isInvited.withLock { $0 }
    }

    func save(_ link: PasswordLink, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            try Self.save(link, in: db)
            try AuditLog.insert(audit, in: db)
        }
    }

    func passwordLink(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> PasswordLink? {
        try await links("digest = ? AND expires > ?", [Data(digest), now.milliseconds]).first
    }

    func passwordLinks(of account: AccountID, at now: Timestamp) async throws(AdapterFailure) -> [PasswordLink] {
        try await links("account = ? AND expires > ?", [account.rawValue, now.milliseconds])
    }

    func removePasswordLink(of agent: AgentID, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            if try Self.remove(of: agent, in: db) { try AuditLog.insert(audit, in: db) }
        }
    }

    /// Removes the link of a person, in the transaction of a change that ends it.
    /// - Returns: whether there was one.
    @discardableResult
    static func remove(of agent: AgentID, in db: Database) throws -> Bool {
        try db.cachedStatement(sql: "DELETE FROM password_link WHERE agent = ?").execute(arguments: [agent.rawValue])
        return db.changesCount > 0
    }

    /// Whether a link is still there, in the transaction of the change that uses it up.
    static func has(_ link: PasswordLink, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM password_link WHERE digest = ? AND agent = ?)"),
            arguments: [Data(link.digest), link.agent.rawValue]) == true
    }

    private func links(_ condition: String, _ arguments: StatementArguments) async throws(AdapterFailure)
        -> [PasswordLink]
    {
        let sql = "SELECT agent, account, digest, expires FROM password_link WHERE \(condition)"
        return try await rows.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
                PasswordLink(
                    digest: Array(row[2] as Data), agent: AgentID(trusted: row[0]), account: AccountID(trusted: row[1]),
                    expires: Timestamp(milliseconds: row[3]))
            }
        }
    }

    private static func save(_ link: PasswordLink, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO password_link (agent, account, digest, expires) VALUES (?, ?, ?, ?) \
                ON CONFLICT (agent) DO UPDATE SET digest = excluded.digest, expires = excluded.expires
                """
        ).execute(arguments: [
            link.agent.rawValue, link.account.rawValue, Data(link.digest), link.expires.milliseconds,
        ])
    }
}
