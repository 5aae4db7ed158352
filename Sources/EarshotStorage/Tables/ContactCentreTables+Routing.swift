import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// What routing reads when the server starts, the presence of agents, and the accuracy of promised times.
extension ContactCentreTables: RoutingSource {
    /// Each feed's part of two indexes, so that the conversations that were closed before are not touched.
    static let unfinishedQuery = """
        SELECT c.id FROM feed f CROSS JOIN conversation c INDEXED BY conversation_inbox
        ON c.feed = f.pk AND c.closed = 0
        UNION ALL
        SELECT c.id FROM feed f CROSS JOIN conversation c INDEXED BY conversation_closed
        ON c.feed = f.pk AND c.closed = 1 AND c.since >= ?
        """

    func unfinishedConversations(closedSince: Timestamp) async throws(AdapterFailure) -> [ConversationID] {
        try await rows.read { db in
            try PreparedStatement(cached: Self.unfinishedQuery, in: db).all {
                $0.integer(closedSince.milliseconds, at: 1)
            } read: {
                ConversationID(trusted: $0.text(0))
            }
        }
    }

    func unfinished(_ conversations: [ConversationID]) async throws(AdapterFailure) -> [UnfinishedConversation] {
        let sql = "SELECT \(ConversationRow.columns) FROM \(ConversationRow.source) WHERE c.id = ?"
        return try await rows.read { [damaged = rows.damaged] db in
            let statement = try PreparedStatement(cached: sql, in: db)
            return try conversations.compactMap { id in
                try statement.first(bind: { $0.text(id.rawValue, at: 1) }) { row in
                    try damaged.skip { try ConversationRow.read(row) }
                }.flatMap(\.self).map {
                    UnfinishedConversation(state: $0.state, unplayedMs: $0.marks.unplayed.milliseconds)
                }
            }
        }
    }

    func accounts() async throws(AdapterFailure) -> [AccountID] {
        try await rows.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM account ORDER BY id").map(AccountID.init(trusted:))
        }
    }

    func presences(of account: AccountID) async throws(AdapterFailure) -> [AgentID: Presence] {
        try await rows.byAgent(in: "presence", "SELECT agent, body FROM presence WHERE account = ?", account)
    }

    func save(_ presence: Presence, of agent: AgentID, in account: AccountID) async throws(AdapterFailure) {
        try await rows.save(
            presence, "INSERT OR REPLACE INTO presence VALUES (?, ?, ?)", [agent.rawValue, account.rawValue])
    }

    func etaAccuracy(of account: AccountID) async throws(AdapterFailure) -> EtaAccuracy? {
        do throws(AdapterFailure) {
            return try await rows.value(
                in: "setting", id: Self.etaAccuracyName + account.rawValue, "SELECT value FROM setting WHERE name = ?",
                [Self.etaAccuracyName + account.rawValue])
        } catch {
            // Statistics: routing starts without them.
            guard error.kind == .damaged else { throw error }
            return nil
        }
    }

    func save(_ etaAccuracy: EtaAccuracy, of account: AccountID) async throws(AdapterFailure) {
        try await rows.save(
            etaAccuracy, "INSERT OR REPLACE INTO setting VALUES (?, ?)", [Self.etaAccuracyName + account.rawValue])
    }

    private static let etaAccuracyName = "etaAccuracy."
}
