import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The table `agent`.
extension AccountTables: AgentStore {
    func agent(email: String, of account: AccountID) async throws(AdapterFailure) -> Agent? {
        try await rows.value(
            in: "agent", id: account.rawValue, "SELECT body FROM agent WHERE account = ? AND email = ?",
            [account.rawValue, email])
    }

    func agent(_ id: AgentID) async throws(AdapterFailure) -> Agent? {
        try await rows.value(in: "agent", id: id.rawValue, "SELECT body FROM agent WHERE id = ?", [id.rawValue])
    }

    func agents(of account: AccountID) async throws(AdapterFailure) -> [Agent] {
        try await rows.values(
            in: "agent", "SELECT id, body FROM agent WHERE account = ? ORDER BY id", [account.rawValue])
    }

    func save(_ agent: Agent) async throws(AdapterFailure) {
        let sql = """
            INSERT INTO agent VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET account = excluded.account, email = excluded.email, body = excluded.body
            """
        try await rows.save(agent, sql, [agent.id.rawValue, agent.account.rawValue, agent.email])
    }

    func change(_ change: PersonChange) async throws(AdapterFailure) -> PersonChange.Outcome {
        let result = Mutex<PersonChange.Outcome?>(nil)
        let damaged = rows.damaged
        try await rows.write { db in
            if let link = change.usedLink, try !PasswordLinkTable.has(link, in: db) {
                return result.withLock { $0 = .notFound }
            }
            let people = try Row.fetchAll(
                db, sql: "SELECT id, body FROM agent WHERE account = ?", arguments: [change.account.rawValue]
            ).compactMap { row in
                try damaged.skip { try RowAccess.decode(row[1], of: "agent", id: row[0]) as Agent }
            }
            let outcome = change.outcome(among: people)
            if case .changed(_, let agent) = outcome {
                let body = try JSONEncoder().encode(agent)
                try db.execute(
                    sql: "UPDATE agent SET email = ?, body = ? WHERE id = ?",
                    arguments: [agent.email, body, agent.id.rawValue])
                if outcome.endsSessions {
                    try db.execute(
                        sql: "DELETE FROM session WHERE agent = ? AND digest IS NOT ?",
                        arguments: [agent.id.rawValue, change.keptSession.map { Data($0) }])
                }
                if change.patch.isRemoval { try SecondFactorTable.remove(of: agent.id, in: db) }
                if outcome.endsLink { try PasswordLinkTable.remove(of: agent.id, in: db) }
                try Self.noteChange(of: agent.id.rawValue, in: db)
                try AuditLog.insert(change.audit, in: db)
            }
            result.withLock { $0 = outcome }
        }
        guard let outcome = result.withLock({ $0 }) else {
            throw AdapterFailure("a person was not changed", isRetryable: true)
        }
        return outcome
    }
}
