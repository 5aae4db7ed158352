public import EarshotModel

/// Plain rows: accounts, apps, agents, consumers, sessions. Everything that is not a conversation.
public protocol AccountStore: Sendable {
    func account(_ id: AccountID) async throws(AdapterFailure) -> Account?
    func app(_ id: AppID, of account: AccountID) async throws(AdapterFailure) -> App?
    func agent(email: String, of account: AccountID) async throws(AdapterFailure) -> Agent?
    func agent(_ id: AgentID) async throws(AdapterFailure) -> Agent?
    func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer?

    /// All of a brand's people, in the order of their ids.
    func agents(of account: AccountID) async throws(AdapterFailure) -> [Agent]

    /// Changes one of a brand's people as `change` says, ends their sessions where it asks for that, and writes the audit entry: all in one transaction.
    func change(_ change: PersonChange) async throws(AdapterFailure) -> PersonChange.Outcome

    /// The brands that are suspended.
    func suspended() async throws(AdapterFailure) -> Set<AccountID>
    /// Suspends a brand or takes that back, with the audit entry.
    func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure)

    /// Inserts, or replaces what has the same id.
    func save(_ account: Account) async throws(AdapterFailure)
    func save(_ app: App) async throws(AdapterFailure)
    func save(_ agent: Agent) async throws(AdapterFailure)
    func save(_ consumer: Consumer) async throws(AdapterFailure)

    func save(_ session: Session) async throws(AdapterFailure)
    /// The session with this digest, if it has not expired.
    func session(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> Session?
    func remove(session digest: [UInt8]) async throws(AdapterFailure)

    /// Keeps a recording that was uploaded and decoded, the first time.
    /// - Returns: what is kept, which may know more by now: that it was sent, or scanned.
    func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia
    func recording(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure) -> RecordedMedia?
    /// Recordings that wait for the scanner, in the order of their ids: those after `media`, at most `limit`.
    func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure) -> [RecordedMedia]

    /// What an account has set; `nil` where nothing was ever changed.
    func settings(of account: AccountID) async throws(AdapterFailure) -> AccountSettings?
    /// Changes settings, raises their version and writes the audit entry, in one transaction.
    func change(_ change: SettingsChange) async throws(AdapterFailure) -> AccountSettings
    /// A number that rises whenever the settings of any account change, whoever changes them.
    func settingsStamp() async throws(AdapterFailure) -> Int64

    /// The version of every account that ever changed its settings.
    func settingsVersions() async throws(AdapterFailure) -> [AccountID: Int]

    /// Writes an audit entry. One with a `once` that is known already is not written again.
    func record(_ entry: AuditEntry) async throws(AdapterFailure)
    /// The newest entries of an account, newest first: those below the number `before`, at most `limit`.
    func audit(_ account: AccountID, before: Int64?, limit: Int) async throws(AdapterFailure) -> [AuditRow]

    /// The secret of this name, made by `make` and kept the first time it is asked for.
    func secret(_ name: String, make: @Sendable () -> [UInt8]) async throws(AdapterFailure) -> [UInt8]
}

/// A brand's tenancy and its settings.
public struct Account: Hashable, Codable, Sendable {
    public let id: AccountID
    public var name: String
    /// `#rrggbb`, for the widget.
    public var color: String
    /// Greets a consumer who opens the widget for the first time.
    public var welcome: String
    /// Longest voice message in milliseconds, within `Limits.audioDurationMs`.
    public var audioLimitMs: Int

    public init(id: AccountID, name: String, color: String, welcome: String, audioLimitMs: Int) {
        self.id = id
        self.name = name
        self.color = color
        self.welcome = welcome
        self.audioLimitMs = audioLimitMs
    }
}

/// One site or app of a brand.
public struct App: Hashable, Codable, Sendable {
    public let id: AppID
    public let account: AccountID
    public var name: String
    /// Origins (`https://shop.example`) whose pages may embed the widget and start conversations.
    public var allowedOrigins: [String]

    public init(id: AppID, account: AccountID, name: String, allowedOrigins: [String]) {
        self.id = id
        self.account = account
        self.name = name
        self.allowedOrigins = allowedOrigins
    }
}

/// A person of the brand who signs in.
public struct Agent: Hashable, Codable, Sendable {
    public let id: AgentID
    public let account: AccountID
    /// Lower case.
    public var email: String
    public var name: String
    /// `agent` or `manager`.
    public var role: Role
    public var password: PasswordHash
    /// May not sign in any more. Whoever was once there stays known: what they said has their name.
    public var isDisabled: Bool

    public init(
        id: AgentID, account: AccountID, email: String, name: String, role: Role, password: PasswordHash,
        isDisabled: Bool = false
    ) {
        self.id = id
        self.account = account
        self.email = email
        self.name = name
        self.role = role
        self.password = password
        self.isDisabled = isDisabled
    }
}

extension Agent {
    /// Rows from before anybody could be disabled say nothing of it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(AgentID.self, forKey: .id)
        account = try fields.decode(AccountID.self, forKey: .account)
        email = try fields.decode(String.self, forKey: .email)
        name = try fields.decode(String.self, forKey: .name)
        role = try fields.decode(Role.self, forKey: .role)
        password = try fields.decode(PasswordHash.self, forKey: .password)
        isDisabled = try fields.decodeIfPresent(Bool.self, forKey: .isDisabled) ?? false
    }
}

/// A scrypt hash with its parameters (`scrypt$N$r$p$salt$hash`, base64url), so that these can be raised later.
public struct PasswordHash: Hashable, Codable, Sendable {
    public let encoded: String

    public init(encoded: String) {
        self.encoded = encoded
    }
}

/// An anonymous consumer of one app. Its conversation's id is fixed from the start; the conversation begins with the first message.
public struct Consumer: Hashable, Codable, Sendable {
    public let id: ConsumerID
    public let account: AccountID
    public let app: AppID
    public let conversation: ConversationID
    public let since: Timestamp
    public var name: String
    public var page: String?
    public var language: String?
    public var device: String?
    /// The IANA time zone of their clock; `nil`: not said.
    public var zone: String?

    public init(
        id: ConsumerID, account: AccountID, app: AppID, conversation: ConversationID, since: Timestamp, name: String,
        page: String?,
        language: String?,
        device: String?, zone: String? = nil
    ) {
        self.id = id
        self.account = account
        self.app = app
        self.conversation = conversation
        self.since = since
        self.name = name
        self.page = page
        self.language = language
        self.device = device
        self.zone = zone
    }
}

/// An agent's sign-in. The cookie's value is never stored, only its SHA-256.
public struct Session: Hashable, Codable, Sendable {
    public let digest: [UInt8]
    public let agent: AgentID
    public let csrf: String
    public let expires: Timestamp

    public init(digest: [UInt8], agent: AgentID, csrf: String, expires: Timestamp) {
        self.digest = digest
        self.agent = agent
        self.csrf = csrf
        self.expires = expires
    }
}
