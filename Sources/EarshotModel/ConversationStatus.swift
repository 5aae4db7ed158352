/// The state of a conversation, as on the wire.
public enum ConversationStatus: String, Hashable, Codable, Sendable, CaseIterable {
    /// Nothing was said yet.
    case new
    /// Nobody answers yet.
    case waiting
    /// An agent answers.
    case open
    case closed
}

/// Someone in a conversation, as the other side sees them.
public struct Participant: Hashable, Codable, Sendable {
    public let by: ParticipantNumber
    public let role: Role
    public let name: String
    /// For the brand's side only.
    public let id: AgentID?
    /// The consumer does not know of them: they wrote a note, or declined.
    public let quiet: Bool?

    public init(by: ParticipantNumber, role: Role, name: String, id: AgentID?, quiet: Bool = false) {
        self.by = by
        self.role = role
        self.name = name
        self.id = id
        self.quiet = quiet ? true : nil
    }
}
