public import EarshotModel

/// Who asks, as far as `decide` needs to know. The access gate has already found that they may be here at all.
public enum Actor: Hashable, Sendable {
    case consumer
    case agent(id: AgentID, name: String, role: Role)
}

/// What a channel allows. Fixed by the channel, never by the brand (CH-10).
public struct ChannelCapabilities: Hashable, Sendable {
    /// Unicode scalars of one text.
    public let textLimit: Int

    public init(textLimit: Int) {
        self.textLimit = textLimit
    }

    public static func of(_ channel: MessagingChannel) -> ChannelCapabilities {
        switch channel {
        case .web, .unknown: ChannelCapabilities(textLimit: Limits.webTextScalars)
        }
    }
}
