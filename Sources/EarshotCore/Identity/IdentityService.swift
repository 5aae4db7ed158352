import Crypto
import EarshotDomain
public import EarshotModel

/// Who somebody is: anonymous consumers by signed token, the brand's people by password and session.
public struct IdentityService: Sendable {
    /// An agent's sign-in lasts this long.
    public static let sessionLifetimeMs: Int64 = 12 * 3600 * 1000

    let accounts: any AccountStore
    let environment: SystemEnvironment
    let tokens: ConsumerTokens
    let tickets = Tickets()
    let sessions = ListenerSlot<any SessionListener>()
    let people = ListenerSlot<any PeopleListener>()
    let suspensions = Suspensions()
    let logins: LoginGuard
    /// Each change of a consumer's time zone is a write.
    let zones = Throttle(.init(burst: 5, refillMs: 60_000))

    /// - Parameter tokenSecret: 32 random bytes, kept by the installation.
    public init(accounts: any AccountStore, environment: SystemEnvironment, tokenSecret: [UInt8]) {
        self.accounts = accounts
        self.environment = environment
        tokens = ConsumerTokens(secret: tokenSecret)
        logins = LoginGuard()
    }
}

/// What the widget needs to begin or to come back.
public struct ConsumerWelcome: Sendable {
    public let token: String
    public let consumer: ConsumerID
    public let conversation: ConversationID
    public let account: Account
}

/// An agent who is signed in.
public struct SignedIn: Sendable {
    public let caller: AgentCaller
    public let email: String
    public let account: Account
    public let csrf: String
    /// When the session ends.
    public let expires: Timestamp
}
