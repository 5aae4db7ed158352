import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The table `session`.
extension AccountTables: SessionStore {
    func save(_ session: Session) async throws(AdapterFailure) {
        let sql = """
            INSERT INTO session VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET agent = excluded.agent, expires = excluded.expires, body = excluded.body
            """
        try await rows.save(session, sql, [Data(session.digest), session.agent.rawValue, session.expires.milliseconds])
    }

    func session(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> Session? {
        try await rows.value(
            in: "session", id: "-", "SELECT body FROM session WHERE digest = ? AND expires > ?",
            [Data(digest), now.milliseconds])
    }

    func removeSessions(expiredBy now: Timestamp, limit: Int) async throws(AdapterFailure) -> Int {
        let removed = Mutex(0)
        try await rows.write { db in
            try db.execute(
                sql: """
                    DELETE FROM session WHERE digest IN (
                        SELECT digest FROM session WHERE expires <= ? ORDER BY expires LIMIT ?)
                    """, arguments: [now.milliseconds, max(0, limit)])
            let count = db.changesCount
            removed.withLock { $0 = count }
        }
        return removed.withLock { $0 }
    }

    func noteUse(of session: [UInt8], at now: Timestamp, unlessAfter earlier: Timestamp)
        async throws(AdapterFailure)
    {
        let digest = Data(session)
        try await rows.write { try SessionRows.noteUse(of: digest, at: now, unlessAfter: earlier, in: $0) }
    }

    func idleMinutes(of account: AccountID) async throws(AdapterFailure) -> Int? {
        try await rows.read { try SessionRows.idleMinutes(of: account, in: $0) }
    }

    func save(idleMinutes: Int, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { try SessionRows.save(idleMinutes: idleMinutes, of: account, audit: audit, in: $0) }
    }

    func sessions(of agent: AgentID, at now: Timestamp) async throws(AdapterFailure) -> [Session] {
        try await rows.values(
            in: "session", "SELECT '-', body FROM session WHERE agent = ? AND expires > ? ORDER BY expires DESC",
            [agent.rawValue, now.milliseconds])
    }

    func remove(session digest: [UInt8]) async throws(AdapterFailure) {
        let digest = Data(digest)
        try await rows.write { db in
            let sql = "DELETE FROM session WHERE digest = ? RETURNING agent"
            guard let agent = try String.fetchOne(db, sql: sql, arguments: [digest]) else { return }
            try Self.noteChange(of: agent, in: db)
        }
    }
}
