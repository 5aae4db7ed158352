import EarshotCore
import EarshotModel
import GRDB

/// The table `saved_view`.
extension ContactCentreTables: SavedViewStore {
    func views(of account: AccountID) async throws(AdapterFailure) -> [AgentID: [SavedView]] {
        try await rows.byAgent(in: "saved_view", "SELECT agent, body FROM saved_view WHERE account = ?", account)
    }

    func save(_ views: [SavedView], of agent: AgentID, in account: AccountID) async throws(AdapterFailure) {
        try await rows.save(
            views, "INSERT OR REPLACE INTO saved_view VALUES (?, ?, ?)", [agent.rawValue, account.rawValue])
    }
}
