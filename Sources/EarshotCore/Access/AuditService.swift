import EarshotModel

/// Who may read what was written down.
public struct AuditService: Sendable {
    /// Entries of one answer, unless it asks for fewer.
    public static let pageEntries = 50
    public static let pageEntriesMaximum = 200

    private let accounts: any AccountStore

    public init(accounts: any AccountStore) {
        self.accounts = accounts
    }

    /// The newest entries below `before`, and whether there are more.
    public func page(before: Int64?, limit: Int, as agent: AgentCaller) async throws -> (
        rows: [AuditRow], hasMore: Bool
    ) {
        guard agent.may(.readAudit) else { throw Rejection(.forbidden, "Your role does not allow this.") }
        let limit = min(max(1, limit), Self.pageEntriesMaximum)
        let rows = try await accounts.audit(agent.account, before: before, limit: limit + 1)
        return (Array(rows.prefix(limit)), rows.count > limit)
    }
}
