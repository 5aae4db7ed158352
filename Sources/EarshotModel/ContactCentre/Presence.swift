/// Whether an agent takes work, and since when.
public struct Presence: Hashable, Codable, Sendable {
    /// The state that the agent chose, or `offline` if their connection is gone.
    public var state: State
    /// One of the brand's away reasons. `nil` if the agent gave none.
    public var reason: String?
    /// When the state last changed.
    public var since: Timestamp

    /// Makes a presence; `reason` is for `away` only.
    public init(state: State, reason: String? = nil, since: Timestamp) {
        self.state = state
        self.reason = reason
        self.since = since
    }

    /// How much work an agent takes.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// The agent gets new conversations.
        case online
        /// The agent gets only conversations that are transferred to them.
        case occupied
        /// The agent gets no conversations for now, for example during a break.
        case away
        /// The agent has no page open, or signed out.
        case offline
    }
}
