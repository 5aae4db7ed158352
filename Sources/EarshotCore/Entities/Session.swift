public import EarshotModel

/// An agent's sign-in. Only the SHA-256 digest of the cookie's value is stored, never the value.
public struct Session: Hashable, Codable, Sendable {
    /// SHA-256 of the cookie's value.
    public let digest: [UInt8]
    /// The agent who signed in.
    public let agent: AgentID
    /// When the session ends.
    public let expires: Timestamp

    /// Creates a session.
    public init(digest: [UInt8], agent: AgentID, expires: Timestamp) {
        self.digest = digest
        self.agent = agent
        self.expires = expires
    }
}
