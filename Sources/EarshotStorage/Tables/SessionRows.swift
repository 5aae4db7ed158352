import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// Statements about what ends sessions and tokens: when a session was used, the rule of its account, and the consumers
/// who were signed out everywhere.
enum SessionRows {
    static func noteUse(of digest: Data, at now: Timestamp, unlessAfter earlier: Timestamp, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE session SET body = CAST(json_set(CAST(body AS TEXT), '$.used', ?) AS BLOB)
                WHERE digest = ? AND NOT ifnull(json_extract(CAST(body AS TEXT), '$.used') BETWEEN ? AND ?, FALSE)
                """,
            arguments: [now.milliseconds, digest, earlier.milliseconds + 1, now.milliseconds])
    }

    static func idleMinutes(of account: AccountID, in db: Database) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT idle_minutes FROM session_rule WHERE account = ?"),
            arguments: [account.rawValue])
    }

    static func save(idleMinutes: Int, of account: AccountID, audit: AuditEntry, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO session_rule VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET idle_minutes = excluded.idle_minutes
                WHERE idle_minutes <> excluded.idle_minutes
                """, arguments: [account.rawValue, idleMinutes])
        if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
    }

    static func tokenGenerations(in db: Database) throws -> [ConsumerID: Int] {
        let rows = try Row.fetchAll(db, sql: "SELECT consumer, generation FROM consumer_sign_out")
        return Dictionary(rows.map { (ConsumerID(trusted: $0[0]), $0[1]) }) { first, _ in first }
    }

    static func apply(_ signOut: ConsumerSignOut, in db: Database) throws {
        let consumer = signOut.consumer.rawValue
        try db.execute(
            sql: """
                INSERT INTO consumer_sign_out VALUES (?, ?, 1)
                ON CONFLICT (consumer) DO UPDATE SET generation = generation + 1
                """, arguments: [consumer, signOut.account.rawValue])
        try AuditLog.insert(signOut.audit, in: db)
        try db.execute(sql: "INSERT INTO access_change (consumer) VALUES (?)", arguments: [consumer])
    }
}
