import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The tables `second_factor`, `recovery_code` and `second_factor_rule`.
struct SecondFactorTable: SecondFactorStore {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func secondFactor(of agent: AgentID) async throws(AdapterFailure) -> SecondFactor? {
        try await rows.read { db in
            let sql = "SELECT account, sealed, last_step, since FROM second_factor WHERE agent = ?"
            return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [agent.rawValue]).map { row in
                SecondFactor(
                    agent: agent, account: AccountID(trusted: row[0]), sealed: Array(row[1] as Data), lastStep: row[2],
                    since: Timestamp(milliseconds: row[3]))
            }
        }
    }

    func standing(of agent: AgentID, in account: AccountID) async throws(AdapterFailure) -> SecondFactorStanding {
        try await rows.read { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM second_factor WHERE agent = ?), \
                EXISTS (SELECT 1 FROM second_factor_rule WHERE account = ?)
                """
            let row = try Row.fetchOne(
                db.cachedStatement(sql: sql), arguments: [agent.rawValue, account.rawValue])
            return SecondFactorStanding(isOn: row?[0] == true, isRequired: row?[1] == true)
        }
    }

    func secondFactors(of account: AccountID) async throws(AdapterFailure) -> Set<AgentID> {
        try await rows.read { db in
            let sql = "SELECT agent FROM second_factor WHERE account = ?"
            return Set(
                try String.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue]).map {
                    AgentID(trusted: $0)
                })
        }
    }

    func save(_ factor: SecondFactor, recoveryCodes: [[UInt8]], audit: AuditEntry)
        async throws(AdapterFailure) -> Bool
    {
        try await changed { db in
            let sql = "INSERT INTO second_factor VALUES (?, ?, ?, ?, ?) ON CONFLICT (agent) DO NOTHING"
            try db.execute(
                sql: sql,
                arguments: [
                    factor.agent.rawValue, factor.account.rawValue, Data(factor.sealed), factor.lastStep,
                    factor.since.milliseconds,
                ])
            guard db.changesCount > 0 else { return false }
            for digest in recoveryCodes {
                try db.execute(
                    sql: "INSERT INTO recovery_code VALUES (?, ?)", arguments: [factor.agent.rawValue, Data(digest)])
            }
            try AuditLog.insert(audit, in: db)
            return true
        }
    }

    func use(step: Int64, of agent: AgentID) async throws(AdapterFailure) -> Bool {
        try await changed { db in
            try db.execute(
                sql: "UPDATE second_factor SET last_step = ? WHERE agent = ? AND last_step < ?",
                arguments: [step, agent.rawValue, step])
            return db.changesCount > 0
        }
    }

    func use(recoveryCode digest: [UInt8], of agent: AgentID, audit: AuditEntry) async throws(AdapterFailure) -> Int? {
        let left = Mutex<Int?>(nil)
        try await rows.write { db in
            try db.execute(
                sql: "DELETE FROM recovery_code WHERE agent = ? AND digest = ?",
                arguments: [agent.rawValue, Data(digest)])
            guard db.changesCount > 0 else { return }
            try AuditLog.insert(audit, in: db)
            let count = try Self.count(of: agent, in: db)
            left.withLock { $0 = count }
        }
        return left.withLock { $0 }
    }

    func recoveryCodes(of agent: AgentID) async throws(AdapterFailure) -> Int {
        try await rows.read { db in try Self.count(of: agent, in: db) }
    }

    func removeSecondFactor(of agent: AgentID, endsSessions: Bool, audit: AuditEntry)
        async throws(AdapterFailure) -> Bool
    {
        try await changed { db in
            guard try Self.remove(of: agent, in: db) else { return false }
            if endsSessions {
                try db.execute(sql: "DELETE FROM session WHERE agent = ?", arguments: [agent.rawValue])
                try AccountTables.noteChange(of: agent.rawValue, in: db)
            }
            try AuditLog.insert(audit, in: db)
            return true
        }
    }

    func requireSecondFactor(_ isRequired: Bool, of account: AccountID, audit: AuditEntry)
        async throws(AdapterFailure) -> Bool
    {
        try await changed { db in
            let sql =
                isRequired
                ? "INSERT INTO second_factor_rule VALUES (?) ON CONFLICT DO NOTHING"
                : "DELETE FROM second_factor_rule WHERE account = ?"
            try db.execute(sql: sql, arguments: [account.rawValue])
            guard db.changesCount > 0 else { return false }
            try AuditLog.insert(audit, in: db)
            return true
        }
    }

    /// Removes the second factor of a person, in the transaction of a change that ends it.
    /// - Returns: whether there was one.
    @discardableResult
    static func remove(of agent: AgentID, in db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM second_factor WHERE agent = ?", arguments: [agent.rawValue])
        return db.changesCount > 0
    }

    private static func count(of agent: AgentID, in db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM recovery_code WHERE agent = ?"),
            arguments: [agent.rawValue]) ?? 0
    }

    /// Writes, and returns what the write returned.
    private func changed(_ body: @escaping @Sendable (Database) throws -> Bool) async throws(AdapterFailure) -> Bool {
        let result = Mutex(false)
        try await rows.write { db in
            let isChanged = try body(db)
            result.withLock { $0 = isChanged }
        }
        return result.withLock { $0 }
    }
}
