public import EarshotModel

/// A link with which one of the brand's people sets a password, once: an invitation, or a forgotten password. Only the
/// SHA-256 digest of its token is stored. A person has at most one.
public struct PasswordLink: Hashable, Sendable {
    /// SHA-256 of the token.
    public let digest: [UInt8]
    /// The person whose password it sets.
    public let agent: AgentID
    /// The brand of that person.
    public let account: AccountID
    /// When it ends.
    public let expires: Timestamp

    /// Creates a link.
    public init(digest: [UInt8], agent: AgentID, account: AccountID, expires: Timestamp) {
        self.digest = digest
        self.agent = agent
        self.account = account
        self.expires = expires
    }
}

/// A link that was just made, for the person who hands it over.
public struct NewPasswordLink: Hashable, Sendable {
    /// The token, which is stored nowhere.
    public let token: String
    /// When it ends.
    public let expires: Timestamp

    /// The path of the page that the link opens. The token is in the fragment, which browsers never send.
    public var path: String { "/workspace/#/join/\(token)" }
}

/// What the page of a link shows before it is used.
public struct PasswordLinkPurpose: Hashable, Sendable {
    /// The brand's name.
    public let brand: String
    /// Whose password it sets.
    public let person: Agent
    /// When it ends.
    public let expires: Timestamp
}
