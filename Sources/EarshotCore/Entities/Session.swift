public import EarshotModel

/// An agent's sign-in. Only the SHA-256 digest of the cookie's value is stored, never the value.
public struct Session: Hashable, Codable, Sendable {
    /// SHA-256 of the cookie's value.
    public let digest: [UInt8]
    /// The agent who signed in.
    public let agent: AgentID
    /// When the session ends.
    public let expires: Timestamp
    /// When the agent signed in; `nil` for sessions of earlier versions.
    public let since: Timestamp?
    /// The browser and the device, as a short text.
    public let device: String?

    /// When the session was last noted to be used; `nil` until then.
    public var used: Timestamp?

    /// The name under which the session is listed: it does not tell the cookie.
    public var id: String { Base64URL.encode(Array(digest.prefix(Self.idBytes))) }
    private static let idBytes = 12

    /// Whether it is the session of a cookie.
    public func isOf(cookie: String) -> Bool { digest == SignInService.digest(cookie) }

    /// Creates a session.
    public init(
        digest: [UInt8], agent: AgentID, expires: Timestamp, since: Timestamp? = nil, device: String? = nil,
        used: Timestamp? = nil
    ) {
        self.since = since
        self.device = device
        self.digest = digest
        self.agent = agent
        self.expires = expires
        self.used = used
    }
}
