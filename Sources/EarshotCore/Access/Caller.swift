public import EarshotModel

/// The authenticated author of a request. All access decisions use it, and nothing that the request claims about
/// itself.
public enum Caller: Hashable, Sendable {
    /// A consumer, proved by a token.
    case consumer(ConsumerCaller)
    /// A person of the brand, proved by a session.
    case agent(AgentCaller)

    /// The brand.
    public var account: AccountID {
        switch self {
        case .consumer(let consumer): consumer.account
        case .agent(let agent): agent.account
        }
    }

    /// The scope of the caller's idempotency keys, and the owner of its uploads.
    public var author: String {
        switch self {
        case .consumer(let consumer): consumer.id.rawValue
        case .agent(let agent): agent.id.rawValue
        }
    }

    /// What the caller is called in a conversation. It decides about voice messages and nothing else.
    public var role: Role {
        switch self {
        case .consumer: .consumer
        case .agent(let agent): agent.role
        }
    }
}

/// A consumer whose token was verified.
public struct ConsumerCaller: Hashable, Sendable {
    /// The consumer.
    public let id: ConsumerID
    /// The brand.
    public let account: AccountID
    /// The site or app.
    public let app: AppID
    /// The consumer's only conversation with the brand in this area.
    public let conversation: ConversationID
    /// When the token was issued.
    public let tokenIssued: Timestamp
    /// When a signed-in consumer has to show a fresh ID token; `nil` if anonymous.
    public let signedInUntil: Timestamp?
    /// How often the consumer had been signed out everywhere when the token was issued.
    public let generation: Int

    /// Creates a caller from the contents of a token.
    public init(
        id: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, tokenIssued: Timestamp,
        signedInUntil: Timestamp? = nil, generation: Int = 0
    ) {
        self.id = id
        self.account = account
        self.app = app
        self.conversation = conversation
        self.tokenIssued = tokenIssued
        self.signedInUntil = signedInUntil
        self.generation = generation
    }

    /// When the token expires.
    public var expires: Timestamp { signedInUntil ?? tokenIssued.adding(milliseconds: ConsumerTokens.lifetimeMs) }
}

/// A person of the brand who is signed in.
public struct AgentCaller: Hashable, Sendable {
    /// The agent.
    public let id: AgentID
    /// The brand.
    public let account: AccountID
    /// The agent's name.
    public let name: String
    /// The name of the person's built-in profile, for others to see. `permissions` says what the person may do.
    public let role: Role
    /// What the agent may do.
    public let permissions: Set<Permission>
    /// Which conversations the agent sees.
    public let scope: ConversationScope

    /// Creates a caller with the built-in profile of a role.
    public init(id: AgentID, account: AccountID, name: String, role: Role) {
        self.id = id
        self.account = account
        self.name = name
        self.role = role
        permissions = Permission.of(role)
        scope = .everything
    }

    /// Creates a caller from the row of an agent who has the built-in profile.
    init(_ agent: Agent) {
        self.init(id: agent.id, account: agent.account, name: agent.name, role: agent.role)
    }

    /// Creates a caller from the row of an agent whose brand gave them a profile.
    public init(_ agent: Agent, permissions: Set<Permission>, scope: ConversationScope) {
        (id, account, name, role) = (agent.id, agent.account, agent.name, agent.role)
        self.permissions = permissions
        self.scope = scope
    }

    /// Whether the caller has a permission.
    public func may(_ permission: Permission) -> Bool { permissions.contains(permission) }

    /// Refuses a caller who does not have a permission.
    /// - Throws: `forbidden`.
    public func require(_ permission: Permission) throws(Rejection) {
        guard may(permission) else { throw .lacking(permission) }
    }

    /// Whether this is the same person in the same role.
    func isSamePerson(as other: AgentCaller) -> Bool {
        (id, account, name, role) == (other.id, other.account, other.name, other.role)
    }
}
