public import EarshotModel

/// The second factor of a person: what an authenticator app needs, encrypted, and how far its codes were used.
public struct SecondFactor: Hashable, Sendable {
    /// The person.
    public let agent: AgentID
    /// The brand of that person.
    public let account: AccountID
    /// The encrypted secret. `SealingKey` opens it.
    public let sealed: [UInt8]
    /// The newest time step whose code was used: earlier codes, and this one, are refused.
    public let lastStep: Int64
    /// When the person set it up.
    public let since: Timestamp

    /// Creates a second factor.
    public init(agent: AgentID, account: AccountID, sealed: [UInt8], lastStep: Int64, since: Timestamp) {
        self.agent = agent
        self.account = account
        self.sealed = sealed
        self.lastStep = lastStep
        self.since = since
    }
}

/// Whether a person has a second factor, and whether the brand requires one.
public struct SecondFactorStanding: Hashable, Sendable {
    /// Whether the person has one.
    public let isOn: Bool
    /// Whether the brand requires one.
    public let isRequired: Bool

    /// Creates a value.
    public init(isOn: Bool, isRequired: Bool) {
        self.isOn = isOn
        self.isRequired = isRequired
    }

    /// Whether the person has to set one up before anything else.
    public var mustSetUp: Bool { isRequired && !isOn }
}
