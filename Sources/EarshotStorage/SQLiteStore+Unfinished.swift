public import EarshotCore
import EarshotDomain
public import EarshotModel
import GRDB

extension SQLiteStore {
    public func unfinished(closedSince: Timestamp) async throws(AdapterFailure) -> [UnfinishedConversation] {
        let sql = """
            SELECT \(ConversationRow.columns) FROM \(ConversationRow.source)
            WHERE c.closed = 0 OR (c.closed = 1 AND c.since >= ?) ORDER BY c.position
            """
        return try await read { db in
            try PreparedStatement(cached: sql, in: db).all(
                bind: { $0.integer(closedSince.milliseconds, at: 1) }, read: ConversationRow.read
            )
            .map { UnfinishedConversation(state: $0.state, unplayedMs: $0.marks.unplayed.milliseconds) }
        }
    }
}
