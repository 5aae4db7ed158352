import EarshotModel

/// Reads the audit log on behalf of an agent.
public struct AuditService: Sendable {
    /// Entries per page if the request does not say.
    public static let pageEntries = 50
    /// The most entries per page.
    public static let pageEntriesMaximum = 200

    private let audit: any AuditStore

    /// Creates the service.
    public init(audit: any AuditStore) {
        self.audit = audit
    }

    /// Reads the newest entries with a number below `before`.
    /// - Returns: the entries, newest first, and whether there are more.
    /// - Throws: `forbidden` without the permission to read the audit log.
    public func page(before: Int64?, limit: Int, as agent: AgentCaller) async throws -> (
        rows: [AuditRow], hasMore: Bool
    ) {
        try agent.require(.readAudit)
        let limit = min(max(1, limit), Self.pageEntriesMaximum)
        let rows = try await audit.audit(agent.account, before: before, limit: limit + 1)
        return (Array(rows.prefix(limit)), rows.count > limit)
    }
}
