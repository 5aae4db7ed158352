public import EarshotModel

/// Who is asking, as their credentials proved it. Everything about access is decided from this and never from what a request says of itself.
public enum Caller: Hashable, Sendable {
    case consumer(ConsumerCaller)
    case agent(AgentCaller)

    public var account: AccountID {
        switch self {
        case .consumer(let consumer): consumer.account
        case .agent(let agent): agent.account
        }
    }

    /// The scope of this caller's idempotency keys and the owner of its uploads.
    public var author: String {
        switch self {
        case .consumer(let consumer): consumer.id.rawValue
        case .agent(let agent): agent.id.rawValue
        }
    }
}

public struct ConsumerCaller: Hashable, Sendable {
    public let id: ConsumerID
    public let account: AccountID
    public let app: AppID
    /// The one conversation this consumer has here.
    public let conversation: ConversationID
    public let tokenIssued: Timestamp

    public init(id: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, tokenIssued: Timestamp) {
        self.id = id
        self.account = account
        self.app = app
        self.conversation = conversation
        self.tokenIssued = tokenIssued
    }

    /// When the token that proved it ends.
    public var expires: Timestamp { tokenIssued.adding(milliseconds: ConsumerTokens.lifetimeMs) }
}

public struct AgentCaller: Hashable, Sendable {
    public let id: AgentID
    public let account: AccountID
    public let name: String
    public let role: Role

    public init(id: AgentID, account: AccountID, name: String, role: Role) {
        self.id = id
        self.account = account
        self.name = name
        self.role = role
    }

    public func may(_ permission: Permission) -> Bool {
        Permission.of(role).contains(permission)
    }
}

/// What a role may do. A consumer has none of these: it may use its own conversation, and nothing else.
public enum Permission: String, Hashable, Codable, Sendable, CaseIterable {
    case readConversations = "conversations.read"
    case answerConversations = "conversations.answer"
    case closeConversations = "conversations.close"
    case closeOthersConversations = "conversations.closeOthers"
    case changeSettings = "settings.change"
    case readAudit = "audit.read"
    case changePeople = "people.change"

    public static func of(_ role: Role) -> Set<Permission> {
        switch role {
        case .consumer: []
        case .agent: [.readConversations, .answerConversations, .closeConversations]
        case .manager: Set(allCases)
        }
    }
}
