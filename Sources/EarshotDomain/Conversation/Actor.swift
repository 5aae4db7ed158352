public import EarshotModel

/// Who sends a command, as far as `decide` needs to know. The access check has already allowed them into the
/// conversation.
public enum Actor: Hashable, Sendable {
    /// The conversation's consumer.
    case consumer
    /// An agent or a manager of the brand.
    case agent(id: AgentID, name: String, role: Role)
}

extension Actor {
    /// The agent's id; `nil` for the consumer.
    var agent: AgentID? {
        if case .agent(let id, _, _) = self { id } else { nil }
    }

    /// Whether it is a manager of the brand.
    var isManager: Bool {
        if case .agent(_, _, .manager) = self { true } else { false }
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
