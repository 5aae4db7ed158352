public import EarshotModel

/// Who sends a command, as far as `decide` needs to know. The access check has already allowed them into the
/// conversation.
public enum Actor: Hashable, Sendable {
    /// The conversation's consumer.
    case consumer
    /// A person of the brand. The role is a word for others to see; what the person may do is in `permissions`.
    case agent(id: AgentID, name: String, role: Role, permissions: Set<Permission>)

    /// A person who has the built-in profile of the role.
    public static func agent(id: AgentID, name: String, role: Role) -> Actor {
        .agent(id: id, name: name, role: role, permissions: Permission.of(role))
    }
}

extension Actor {
    /// The agent's id; `nil` for the consumer.
    var agent: AgentID? {
        if case .agent(let id, _, _, _) = self { id } else { nil }
    }

    /// Whether this person of the brand has a permission. A consumer has none.
    func may(_ permission: Permission) -> Bool {
        if case .agent(_, _, _, let permissions) = self { permissions.contains(permission) } else { false }
    }

    /// Refuses a person of the brand who does not have a permission.
    /// - Throws: `forbidden`.
    func require(_ permission: Permission) throws(Rejection) {
        guard may(permission) else { throw .lacking(permission) }
    }
}

/// What a channel allows. Fixed by the channel, never by the brand (CH-10).
public struct ChannelCapabilities: Hashable, Sendable {
    /// The most Unicode scalars of one text.
    public let textLimit: Int

    /// Makes the value.
    public init(textLimit: Int) {
        self.textLimit = textLimit
    }

    /// The capabilities of a channel.
    public static func of(_ channel: MessagingChannel) -> ChannelCapabilities {
        switch channel {
        case .web, .unknown: ChannelCapabilities(textLimit: Limits.webTextScalars)
        }
    }
}
