import EarshotCore
import EarshotDomain
import EarshotModel
import GRDB

/// What routing reads when the server starts, the presence of agents, and the accuracy of promised times.
struct RoutingTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func unfinished(closedSince: Timestamp) async throws(AdapterFailure) -> [UnfinishedConversation] {
        let sql = """
            SELECT \(ConversationRow.columns) FROM \(ConversationRow.source)
            WHERE c.closed = 0 OR (c.closed = 1 AND c.since >= ?) ORDER BY c.position
            """
        return try await rows.read { [damaged = rows.damaged] db in
            try PreparedStatement(cached: sql, in: db).all(
                bind: { $0.integer(closedSince.milliseconds, at: 1) },
                read: { row in try damaged.skip { try ConversationRow.read(row) } }
            )
            .compactMap(\.self).map {
                UnfinishedConversation(state: $0.state, unplayedMs: $0.marks.unplayed.milliseconds)
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
