/// Whether an agent takes work.
public struct Presence: Hashable, Codable, Sendable {
    public var state: State
    /// Why they are away, one of the brand's reasons.
    public var reason: String?
    public var since: Timestamp

    public init(state: State, reason: String? = nil, since: Timestamp) {
        self.state = state
        self.reason = reason
        self.since = since
    }

    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        case online
        /// Takes what is transferred to them, and nothing new.
        case occupied
        case away
        /// No page of theirs is open, or they signed out.
        case offline
    }
}
