import EarshotCore
import EarshotModel
import GRDB

/// The tables `consumer_block` and `access_change`; `SessionRows` has the others.
extension AccountTables: AccessStore {
    /// How many changes are kept: more than happen between two looks of a server.
    private static let keptChanges = 10_000

    func accessChanges(after id: Int64) async throws(AdapterFailure) -> [AccessChange] {
        let sql = "SELECT pk, agent, consumer FROM access_change WHERE pk > ? ORDER BY pk"
        return try await rows.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [id]).compactMap { row in
                let (agent, consumer): (String?, String?) = (row[1], row[2])
                if let agent { return AccessChange(id: row[0], subject: .agent(AgentID(trusted: agent))) }
                return consumer.map { AccessChange(id: row[0], subject: .consumer(ConsumerID(trusted: $0))) }
            }
        }
    }

    func blockedConsumers() async throws(AdapterFailure) -> Set<ConsumerID> {
        try await rows.read { db in
            Set(try String.fetchAll(db, sql: "SELECT consumer FROM consumer_block").map { ConsumerID(trusted: $0) })
        }
    }

    func apply(_ block: ConsumerBlock) async throws(AdapterFailure) {
        try await rows.write { db in
            let consumer = block.consumer.rawValue
            if block.isBlocked {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO consumer_block VALUES (?, ?)",
                    arguments: [consumer, block.account.rawValue])
            } else {
                try db.execute(sql: "DELETE FROM consumer_block WHERE consumer = ?", arguments: [consumer])
            }
            // A block that changes nothing is not recorded.
            guard db.changesCount > 0 else { return }
            try AuditLog.insert(block.audit, in: db)
            try db.execute(sql: "INSERT INTO access_change (consumer) VALUES (?)", arguments: [consumer])
        }
    }

    func tokenGenerations() async throws(AdapterFailure) -> [ConsumerID: Int] {
        try await rows.read { try SessionRows.tokenGenerations(in: $0) }
    }

    func apply(_ signOut: ConsumerSignOut) async throws(AdapterFailure) {
        try await rows.write { try SessionRows.apply(signOut, in: $0) }
    }

    /// Notes that sessions of an agent ended, or that the agent changed.
    static func noteChange(of agent: String, in db: Database) throws {
        try db.execute(sql: "INSERT INTO access_change (agent) VALUES (?)", arguments: [agent])
        try db.execute(
            sql: "DELETE FROM access_change WHERE pk <= ?", arguments: [db.lastInsertedRowID - Int64(keptChanges)])
    }
}
