public import EarshotCore
public import EarshotModel
import Foundation
import GRDB
import Synchronization

/// Changes of a brand's people, and of whether it may work.
extension SQLiteStore {
    public func change(_ change: PersonChange) async throws(AdapterFailure) -> PersonChange.Outcome {
        let result = Mutex<PersonChange.Outcome?>(nil)
        try await write { db in
            let people = try Data.fetchAll(
                db, sql: "SELECT body FROM agent WHERE account = ?", arguments: [change.account.rawValue])
            let outcome = change.outcome(among: try people.map { try JSONDecoder().decode(Agent.self, from: $0) })
            if case .changed(_, let agent) = outcome {
                let body = try JSONEncoder().encode(agent)
                try db.execute(sql: "UPDATE agent SET body = ? WHERE id = ?", arguments: [body, agent.id.rawValue])
                if outcome.endsSessions {
                    try db.execute(sql: "DELETE FROM session WHERE agent = ?", arguments: [agent.id.rawValue])
                }
                try Self.insert(change.audit, in: db)
            }
            result.withLock { $0 = outcome }
        }
        guard let outcome = result.withLock({ $0 }) else {
            throw AdapterFailure("a person was not changed", isRetryable: true)
        }
        return outcome
    }

    public func suspended() async throws(AdapterFailure) -> Set<AccountID> {
        // From the mark's prefix to the character after its dot.
        let sql = "SELECT name FROM setting WHERE name >= 'suspended.' AND name < 'suspended/'"
        return try await read { db in
            Set(
                try String.fetchAll(db.cachedStatement(sql: sql)).map {
                    AccountID(trusted: String($0.dropFirst(Self.suspensionMark.count)))
                })
        }
    }

    public func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure) {
        try await write { db in
            let name = Self.suspensionMark + account.rawValue
            try db.execute(
                sql: isSuspended
                    ? "INSERT OR IGNORE INTO setting VALUES (?, x'')" : "DELETE FROM setting WHERE name = ?",
                arguments: [name])
            // Nothing is written down that changed nothing.
            if db.changesCount > 0 { try Self.insert(audit, in: db) }
        }
    }

    private static let suspensionMark = "suspended."
}
