import EarshotDomain
public import EarshotModel

extension IdentityService {
    /// What a page sends about a consumer who opens the widget for the first time.
    public struct Arrival: Sendable {
        /// The brand.
        public let account: AccountID
        /// The site or app.
        public let app: AppID
        /// The page's address.
        public let page: String?
        /// The browser's language, BCP 47.
        public let language: String?
        /// The browser and the device, as a short text.
        public let device: String?
        /// The IANA time zone of the consumer's clock; `nil` if the name is unknown.
        public let zone: String?

        /// Creates an arrival. An unknown time zone is ignored.
        public init(
            account: AccountID, app: AppID, page: String?, language: String?, device: String?, zone: String? = nil
        ) {
            self.account = account
            self.app = app
            self.page = page
            self.language = language
            self.device = device
            self.zone = zone.flatMap { Zone.isKnown($0) ? $0 : nil }
        }
    }
}

/// The rows that identities work with.
public struct IdentityStores: Sendable {
    let accounts: any AccessStore & AccountStore & AgentStore & AuditStore & ConsumerStore & SessionStore
    let links: any PasswordLinkStore
    let identities: any ConsumerIdentityStore
    let secondFactors: any SecondFactorStore
    let profiles: any ProfileStore
    let centres: any ContactCentreSource

    /// Takes the stores.
    public init(
        accounts: any AccessStore & AccountStore & AgentStore & AuditStore & ConsumerStore & SessionStore,
        links: any PasswordLinkStore, identities: any ConsumerIdentityStore,
        secondFactors: any SecondFactorStore, profiles: any ProfileStore, centres: any ContactCentreSource
    ) {
        (self.accounts, self.links) = (accounts, links)
        (self.identities, self.secondFactors) = (identities, secondFactors)
        (self.profiles, self.centres) = (profiles, centres)
    }
}

/// What the widget needs to start a conversation or to return to it.
public struct ConsumerWelcome: Sendable {
    /// The consumer's token.
    public let token: String
    /// The consumer.
    public let consumer: ConsumerID
    /// The consumer's conversation.
    public let conversation: ConversationID
    /// When a signed-in consumer has to show a fresh ID token; `nil` if anonymous.
    public let signedInUntil: Timestamp?
    /// The brand.
    public let account: Account

    init(_ token: String, _ caller: ConsumerCaller, of account: Account) {
        self.token = token
        (consumer, conversation, signedInUntil) = (caller.id, caller.conversation, caller.signedInUntil)
        self.account = account
    }
}

/// An agent who is signed in.
public struct SignedIn: Sendable {
    /// The agent.
    public let caller: AgentCaller
    /// The agent's e-mail address.
    public let email: String
    /// The brand.
    public let account: Account
    /// The token that every changing HTTP request must carry.
    public let csrf: String
    /// When the session ends.
    public let expires: Timestamp
    /// Whether the agent has a second factor, and whether the brand requires one.
    public let secondFactor: SecondFactorStanding
}

/// An attempt of a person to sign in.
public struct SignInAttempt: Sendable {
    /// The brand.
    public let account: AccountID
    /// The e-mail address, in lower case.
    public let email: String
    /// The password.
    public let password: String
    /// The network address, for rate limiting.
    public let address: String
    /// The cookie of a browser in which somebody signed in before.
    public let deviceMark: String?
    /// The browser and the device, as a short text.
    public let device: String?
    /// The code of the second factor: of an authenticator app, or a recovery code.
    public let code: String?

    private static let hourMs: Int64 = 3600 * 1000

    /// Creates an attempt.
    public init(
        account: AccountID, email: String, password: String, address: String, deviceMark: String? = nil,
        device: String? = nil, code: String? = nil
    ) {
        self.account = account
        self.email = email.lowercased()
        self.password = password
        self.address = address
        self.deviceMark = deviceMark
        self.device = device
        self.code = code
    }

    /// The name of the person's allowance.
    var person: String { "\(account) \(email)" }

    /// The audit entry of a failed attempt: one per person, address and hour. People whom the brand does not have
    /// share one, so that invented addresses do not fill the log.
    /// - Parameter detail: what was wrong, unless it was the address or the password.
    func failure(of agent: Agent?, at now: Timestamp, detail: String? = nil) -> AuditEntry {
        let name = agent?.id.rawValue ?? "unknown"
        let suffix = detail.map { " " + $0 } ?? ""
        return AuditEntry(
            account: account, at: now, by: name, what: .signInFailed, detail: detail, address: address,
            once: "signInFailed \(name) \(address) \(now.milliseconds / Self.hourMs)" + suffix)
    }
}

/// A session that has just begun.
public struct NewSession: Sendable {
    /// The value of the session cookie, which is stored nowhere.
    public let cookie: String
    /// The cookie for a browser in which the person signs in for the first time.
    public let deviceMark: String?
    /// Who signed in.
    public let signedIn: SignedIn
    /// How many recovery codes are left, if the person used one up.
    public let recoveryCodesLeft: Int?
}

/// What a person sets with a password link.
public struct JoinRequest: Sendable {
    /// The new password.
    public let password: String
    /// The name that an invited person wants to have.
    public let name: String?

    /// Creates a request.
    public init(password: String, name: String?) {
        self.password = password
        self.name = name
    }
}

extension PersonPatch {
    /// The allowed length of a person's name, in characters.
    public static let nameLength = 1...100

    /// Validates the values.
    /// - Throws: `bad_request`.
    func check() throws(Rejection) {
        if let role, !Permission.builtInProfiles.contains(role) {
            throw Rejection(.badRequest, "The role must be agent, manager or administrator.")
        }
        guard let name else { return }
        guard Self.nameLength.contains(name.count), name.contains(where: { !$0.isWhitespace }) else {
            throw Rejection(
                .badRequest,
                "A name must have \(Self.nameLength.lowerBound) to \(Self.nameLength.upperBound) characters.")
        }
    }

    /// A description for the audit log.
    var summary: String {
        let parts = [
            role.map { "role=\($0.rawValue)" }, isDisabled.map { "disabled=\($0)" }, name.map { "name=\($0)" },
            profile.map { "profile=\($0.id?.rawValue ?? "built-in")" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
