/// The state of a conversation, spelled as on the wire.
public enum ConversationStatus: String, Hashable, Codable, Sendable, CaseIterable {
    /// The consumer has not sent a message.
    case new
    /// No agent answers the conversation.
    case waiting
    /// An agent is assigned.
    case open
    /// The conversation is closed; a new message resumes it.
    case closed
}

/// A participant of a conversation, as a viewer sees them.
public struct Participant: Hashable, Codable, Sendable {
    /// The participant's number in this conversation.
    public let by: ParticipantNumber
    /// Whether the participant is a consumer, an agent or a manager.
    public let role: Role
    /// The display name.
    public let name: String
    /// The agent's id. `nil` in what a consumer gets.
    public let id: AgentID?
    /// `true` if the consumer does not see this participant, because they only wrote a note, declined or transferred.
    /// `nil` otherwise.
    public let quiet: Bool?

    /// Makes a participant; `quiet: false` is stored as `nil`.
    public init(by: ParticipantNumber, role: Role, name: String, id: AgentID?, quiet: Bool = false) {
        self.by = by
        self.role = role
        self.name = name
        self.id = id
        self.quiet = quiet ? true : nil
    }
}
