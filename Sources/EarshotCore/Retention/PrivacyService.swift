import EarshotDomain
import EarshotModel

/// Lets managers see and change how long conversations are kept, hold conversations, and have consumers erased.
public struct PrivacyService: Sendable {
    private let records: any RetentionRecords
    private let consumers: ConsumerLookup
    private let now: @Sendable () -> Timestamp
    /// How many receipts an overview has.
    public static let shownReceipts = 50
    /// The longest reason, in bytes.
    public static let reasonBytes = 500

    /// Creates the service.
    public init(records: any RetentionRecords, consumers: ConsumerLookup, environment: SystemEnvironment) {
        (self.records, self.consumers) = (records, consumers)
        now = environment.now
    }

    /// What a manager sees of a brand's retention.
    public struct Overview: Sendable {
        /// For how many days closed conversations are kept.
        public let days: Int
        /// What is due to be removed.
        public let due: RemovalCounts
        /// Whether nothing is removed because the clock jumped.
        public let waitsForClock: Bool
        /// The legal holds, oldest first.
        public let holds: [LegalHold]
        /// The receipts of what was removed, newest first.
        public let receipts: [SignedReceipt]
    }

    /// Reads a brand's retention.
    /// - Parameter days: counts what would be due with these days; `nil` for those in force.
    /// - Throws: `forbidden` without the permission, `setting_out_of_range`.
    public func overview(days asked: Int? = nil, as agent: AgentCaller) async throws -> Overview {
        try agent.require(.changeRetention)
        if let asked { try Self.check(days: asked) }
        let days = try await records.retentionDays(of: agent.account) ?? RetentionPeriod.defaultDays
        let limit = now().adding(milliseconds: -Int64(asked ?? days) * RetentionPeriod.dayMs)
        let known = try await records.lastKnownTime()
        return Overview(
            days: days, due: try await records.dueCounts(of: agent.account, before: limit),
            waitsForClock: known.map { RetentionService.isJump(from: $0, to: now()) } ?? false,
            holds: try await records.holds(of: agent.account),
            receipts: try await records.receipts(of: agent.account, limit: Self.shownReceipts))
    }

    /// Changes for how many days closed conversations are kept.
    /// - Throws: `forbidden`, `setting_out_of_range`.
    public func keep(days: Int, as agent: AgentCaller) async throws {
        try agent.require(.changeRetention)
        try Self.check(days: days)
        try await records.save(
            retentionDays: days, of: agent.account,
            audit: entry(.retentionChanged, of: nil, by: agent, "days=\(days)"))
    }

    /// Places a legal hold.
    /// - Throws: `forbidden`, `out_of_range`.
    public func hold(_ conversation: OpenConversation, reason: String, as agent: AgentCaller) async throws {
        try agent.require(.changeRetention)
        try Self.check(reason: reason)
        try await records.place(
            LegalHold(
                conversation: conversation.id, account: agent.account, by: agent.id.rawValue, reason: reason, at: now()
            ), audit: entry(.holdPlaced, of: conversation.id, by: agent, reason))
    }

    /// Lifts a legal hold, if there is one.
    /// - Throws: `forbidden`.
    public func lift(_ conversation: OpenConversation, as agent: AgentCaller) async throws {
        try agent.require(.changeRetention)
        try await records.liftHold(conversation.id, audit: entry(.holdLifted, of: conversation.id, by: agent, nil))
    }

    /// Has a consumer erased, with the conversation. The server does it within seconds; the receipt says when.
    /// - Throws: `forbidden` without the permission or under a legal hold, `out_of_range`.
    public func erase(_ conversation: OpenConversation, reason: String, as agent: AgentCaller) async throws {
        try agent.require(.changeRetention)
        try await erase([conversation.identity], reason: reason, as: agent)
    }

    /// Has consumers erased, also those who never wrote. If one is under a legal hold, none is erased.
    /// - Returns: how many consumers that are.
    /// - Throws: `forbidden` without the permission or under a legal hold; `out_of_range`; `not_found` if there is no
    ///   such consumer.
    public func erase(_ selection: ConsumerSelection, reason: String, as agent: AgentCaller) async throws -> Int {
        try agent.require(.changeRetention)
        let found = try await consumers.consumers(selection, of: agent.account)
        guard !found.isEmpty else { throw Rejection.notFound }
        try await erase(found.map(\.identity), reason: reason, as: agent)
        return found.count
    }

    private func erase(_ conversations: [ConversationIdentity], reason: String, as agent: AgentCaller) async throws {
        try Self.check(reason: reason)
        let held = Set(try await records.holds(of: agent.account).map(\.conversation))
        guard held.isDisjoint(with: conversations.map(\.id)) else {
            throw Rejection(.forbidden, "This conversation is under a legal hold. Lift the hold first.")
        }
        for identity in conversations {
            try await records.request(
                ErasureRequest(identity, by: agent.id.rawValue, reason: reason, at: now()),
                audit: entry(.erasureRequested, of: identity.id, by: agent, reason))
        }
    }

    private static func check(days: Int) throws(Rejection) {
        let allowed = RetentionPeriod.allowedDays
        guard !allowed.contains(days) else { return }
        throw Rejection(
            .settingOutOfRange, "Conversations are kept for \(allowed.lowerBound) to \(allowed.upperBound) days.",
            limit: days < allowed.lowerBound ? allowed.lowerBound : allowed.upperBound)
    }

    private static func check(reason: String) throws(Rejection) {
        guard !reason.allSatisfy(\.isWhitespace), reason.utf8.count <= reasonBytes else {
            throw Rejection(.outOfRange, "Write a reason of at most \(reasonBytes) bytes.", limit: reasonBytes)
        }
    }

    private func entry(_ what: AuditAction, of conversation: ConversationID?, by agent: AgentCaller, _ detail: String?)
        -> AuditEntry
    {
        AuditEntry(
            account: agent.account, at: now(), by: agent.id.rawValue, what: what, conversation: conversation,
            detail: detail)
    }
}
