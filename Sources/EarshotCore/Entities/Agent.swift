public import EarshotModel

/// A person who works for a brand and signs in to the workspace.
public struct Agent: Hashable, Codable, Sendable {
    /// The agent's id.
    public let id: AgentID
    /// The brand that the agent works for.
    public let account: AccountID
    /// The address to sign in with, in lower case.
    public var email: String
    /// The name that consumers and colleagues see.
    public var name: String
    /// `agent` or `manager`.
    public var role: Role
    /// The hash of the agent's password.
    public var password: PasswordHash
    /// Whether the agent may no longer sign in. The row stays, because the log refers to it.
    public var isDisabled: Bool

    /// The profile that the brand gave the person; `nil`: the built-in one of the role.
    public var profile: ProfileID?

    /// Whether the person was invited and has not set a password yet.
    public var isInvited: Bool { password == .none && !isDisabled }

    /// Creates an agent.
    public init(
        id: AgentID, account: AccountID, email: String, name: String, role: Role, password: PasswordHash,
        isDisabled: Bool = false, profile: ProfileID? = nil
    ) {
        self.id = id
        self.account = account
        self.email = email
        self.name = name
        self.role = role
        self.password = password
        self.isDisabled = isDisabled
        self.profile = profile
    }
}

/// A scrypt hash with its parameters: `scrypt$N$r$p$salt$hash`, base64url. The parameters can be raised later.
public struct PasswordHash: Hashable, Codable, Sendable {
    /// The stored text.
    public let encoded: String

    /// No password: signing in is refused.
    public static let none = PasswordHash(encoded: "")

    /// Wraps a stored text. `Passwords` makes and checks it.
    public init(encoded: String) {
        self.encoded = encoded
    }
}
