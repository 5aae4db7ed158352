public import EarshotModel

/// A change of who may sign in or write. A running server reads the changes that a command or another process made.
public struct AccessChange: Hashable, Sendable {
    /// The number of the change. Later changes have higher numbers.
    public let id: Int64
    /// Who it concerns.
    public let subject: Subject

    /// Who a change concerns.
    public enum Subject: Hashable, Sendable {
        /// Sessions of an agent ended, or the agent changed.
        case agent(AgentID)
        /// A consumer was blocked, unblocked or signed out everywhere.
        case consumer(ConsumerID)
    }

    /// Creates a change.
    public init(id: Int64, subject: Subject) {
        self.id = id
        self.subject = subject
    }
}

/// Signs a consumer out everywhere.
public struct ConsumerSignOut: Hashable, Sendable {
    /// The consumer.
    public let consumer: ConsumerID
    /// The brand.
    public let account: AccountID
    /// The audit entry to write with the change.
    public let audit: AuditEntry

    /// Creates a change.
    public init(consumer: ConsumerID, account: AccountID, audit: AuditEntry) {
        self.consumer = consumer
        self.account = account
        self.audit = audit
    }
}

/// Blocks a consumer, or lifts the block.
public struct ConsumerBlock: Hashable, Sendable {
    /// The consumer.
    public let consumer: ConsumerID
    /// The brand.
    public let account: AccountID
    /// Whether the consumer is blocked from now on.
    public let isBlocked: Bool
    /// The audit entry to write with the change. It is not written if nothing changes.
    public let audit: AuditEntry

    /// Creates a change.
    public init(consumer: ConsumerID, account: AccountID, isBlocked: Bool, audit: AuditEntry) {
        self.consumer = consumer
        self.account = account
        self.isBlocked = isBlocked
        self.audit = audit
    }
}
