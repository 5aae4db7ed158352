import EarshotCore
import EarshotDomain
import EarshotModel

/// Performs the operator's commands about consumers: blocks them and signs them out.
public struct ConsumerAdmin: Sendable {
    private let admin: AdminService

    /// Works with this installation.
    public init(_ admin: AdminService) {
        self.admin = admin
    }

    /// Blocks the consumer of a conversation, or lifts the block.
    /// - Throws: `InvalidInput` if the brand has no such conversation.
    public func block(conversation: String, brand: String, _ isBlocked: Bool) async throws {
        let found = try await admin.found(conversation, in: brand)
        let audit = entry(isBlocked ? .consumerBlocked : .consumerUnblocked, of: found)
        try await admin.accounts.apply(
            ConsumerBlock(consumer: found.consumer, account: found.account, isBlocked: isBlocked, audit: audit))
    }

    /// Signs the consumer of a conversation out everywhere.
    /// - Throws: `InvalidInput` if the brand has no such conversation.
    public func signOut(conversation: String, brand: String) async throws {
        let found = try await admin.found(conversation, in: brand)
        try await admin.accounts.apply(
            ConsumerSignOut(
                consumer: found.consumer, account: found.account, audit: entry(.consumerSignedOut, of: found)))
    }

    private func entry(_ what: AuditAction, of conversation: ConversationIdentity) -> AuditEntry {
        AuditEntry(
            account: conversation.account, at: admin.environment.now(), by: AuditEntry.operator_, what: what,
            conversation: conversation.id, detail: conversation.consumer.rawValue)
    }
}
