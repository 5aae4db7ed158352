import EarshotCore
import EarshotModel
import GRDB
import Synchronization

/// Consumers who never wrote.
extension RetentionTables {
    func removeSilentConsumers(of account: AccountID, signedIn: Bool, before: Timestamp, limit: Int)
        async throws(AdapterFailure) -> Int
    {
        let count = Mutex(0)
        try await rows.write { db in
            let found = try Row.fetchAll(
                db,
                sql: """
                    SELECT p.id, p.conversation, EXISTS (SELECT 1 FROM conversation c WHERE c.id = p.conversation)
                        OR EXISTS (SELECT 1 FROM erasure e WHERE e.conversation = p.conversation)
                    FROM consumer p WHERE p.account = ? AND p.signed_in = ? AND p.seen < ? ORDER BY p.seen LIMIT ?
                    """, arguments: [account.rawValue, signedIn, before.milliseconds, limit])
            for row in found { try Self.remove(row[0], of: row[1], isInUse: row[2], in: db) }
            count.withLock { $0 = found.count }
        }
        return count.withLock { $0 }
    }

    /// Removes a consumer. One whose conversation has begun goes with the conversation, and is not looked at again.
    private static func remove(_ consumer: String, of conversation: String, isInUse: Bool, in db: Database) throws {
        guard !isInUse else {
            return try db.execute(sql: "UPDATE consumer SET seen = NULL WHERE id = ?", arguments: [consumer])
        }
        try db.execute(
            sql: "DELETE FROM consumer WHERE id = ?; DELETE FROM conversation_key WHERE conversation = ?",
            arguments: [consumer, conversation])
    }
}
