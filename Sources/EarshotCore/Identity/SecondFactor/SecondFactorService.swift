import EarshotDomain
public import EarshotModel

/// Manages the second factors of the brand's people, checks their codes, and knows which brands require one.
///
/// Signing in is stateless: a client sends the password alone, is refused with `second_factor_required`, and sends the
/// password again together with a code. Nothing between the two requests has to be stored, signed or expired, a code
/// without the password is worth nothing, and both requests count against the person's attempts.
public struct SecondFactorService: Sendable {
    /// How long a set-up may take until it is confirmed.
    public static let setUpMs: Int64 = 15 * 60 * 1000
    /// The most UTF-8 bytes of a code that is looked at.
    public static let codeBytes = 64
    /// The most UTF-8 bytes of a set-up that a client sends back.
    public static let setUpBytes = 200

    private let store: any SecondFactorStore
    private let accounts: any AccountStore & AgentStore & AuditStore
    private let environment: SystemEnvironment
    private let key: SealingKey
    private let logins: LoginLimiter
    private let tickets: SocketTickets
    private let listener: ListenerSlot<any SessionListener>

    init(
        store: any SecondFactorStore, accounts: any AccountStore & AgentStore & AuditStore,
        environment: SystemEnvironment, key: SealingKey, _ parts: Parts
    ) {
        self.store = store
        self.accounts = accounts
        self.environment = environment
        self.key = key
        (logins, tickets, listener) = (parts.logins, parts.tickets, parts.listener)
    }

    /// What it shares with `IdentityService`.
    struct Parts {
        let logins: LoginLimiter
        let tickets: SocketTickets
        let listener: ListenerSlot<any SessionListener>
    }

    // MARK: One's own

    /// What a person sees of the own second factor.
    public struct Overview: Sendable {
        /// Whether there is one, and whether the brand requires it.
        public let standing: SecondFactorStanding
        /// When it was set up.
        public let since: Timestamp?
        /// How many recovery codes are left.
        public let recoveryCodes: Int
    }

    /// Reads a person's own second factor.
    public func overview(as agent: AgentCaller) async throws -> Overview {
        let factor = try await store.secondFactor(of: agent.id)
        return Overview(
            standing: try await store.standing(of: agent.id, in: agent.account), since: factor?.since,
            recoveryCodes: try await store.recoveryCodes(of: agent.id))
    }

    /// Begins a set-up: makes a secret. Nothing is stored; the person's browser holds the secret, sealed, until they
    /// confirm it.
    /// - Throws: `bad_request` if the person has a second factor already.
    public func begin(as agent: AgentCaller) async throws -> SecondFactorSetUp {
        guard let account = try await accounts.account(agent.account), let person = try await accounts.agent(agent.id)
        else { throw Rejection.notSignedIn }
        guard try await store.secondFactor(of: agent.id) == nil else { throw Self.alreadyOn }
        let secret = environment.random(OneTimeCode.secretBytes)
        let expires = environment.now().adding(milliseconds: Self.setUpMs)
        let sealed = try key.seal(
            Self.bytes(of: expires) + secret, .setUp, for: agent.id, nonce: environment.random(SealingKey.nonceBytes))
        return SecondFactorSetUp(
            secret: Base32.encode(secret), issuer: account.name, person: person.email,
            token: Base64URL.encode(sealed))
    }

    /// Ends a set-up: the person's app shows the right code. From now on signing in needs a code.
    /// - Parameter token: the `token` of the set-up.
    /// - Returns: the recovery codes, which are stored nowhere.
    /// - Throws: `second_factor_wrong`; `bad_request` if the set-up has expired, belongs to another person, or the
    ///   person has a second factor already.
    public func confirm(_ token: String, code: String, as agent: AgentCaller) async throws -> [String] {
        let now = environment.now()
        guard token.utf8.count <= Self.setUpBytes, let sealed = Base64URL.decode(token),
            let content = key.open(sealed, .setUp, for: agent.id), let expires = Self.expiry(of: content),
            now < expires, expires <= now.adding(milliseconds: Self.setUpMs)
        else { throw Rejection(.badRequest, "This set-up has expired. Start again.") }
        let secret = Array(content.dropFirst(Self.expiryBytes))
        guard let step = OneTimeCode.matchingStep(code, of: secret, at: now) else { throw Rejection.secondFactorWrong }
        let codes = (0..<RecoveryCode.count).map { _ in
            RecoveryCode.text(of: environment.random(RecoveryCode.randomBytes))
        }
        let factor = SecondFactor(
            agent: agent.id, account: agent.account,
            sealed: try key.seal(secret, .secret, for: agent.id, nonce: environment.random(SealingKey.nonceBytes)),
            lastStep: step, since: now)
        let digests = codes.compactMap(RecoveryCode.normalized).map {
            key.digest(ofRecoveryCode: $0, of: agent.id)
        }
        guard
            try await store.save(
                factor, recoveryCodes: digests, audit: entry(.secondFactorAdded, of: agent.id, by: agent))
        else { throw Self.alreadyOn }
        return codes
    }

    /// Turns a person's own second factor off. The person needs the password and a code.
    /// - Throws: `login_failed`, `second_factor_required`, `second_factor_wrong`, `rate_limited`.
    public func turnOff(password: String, code: String?, as agent: AgentCaller, address: String) async throws {
        let place = LoginLimiter.Place.address(address)
        try logins.admit(person: agent.id.rawValue, from: place, at: environment.now())
        guard let person = try await accounts.agent(agent.id) else { throw Rejection.notSignedIn }
        guard try await logins.isPassword(password, of: person, from: place) else {
            throw Rejection(.loginFailed, "The password is wrong.")
        }
        let attempt = SignInAttempt(
            account: agent.account, email: person.email, password: password, address: address, code: code)
        _ = try await check(attempt, of: person, from: place)
        _ = try await store.removeSecondFactor(
            of: agent.id, endsSessions: false, audit: entry(.secondFactorRemoved, of: agent.id, by: agent))
    }

    // MARK: Managers

    /// Removes the second factor of a person who lost it, and ends the person's sessions.
    /// - Throws: `not_found`, `forbidden` without the permission, and for one's own, which needs a code.
    public func remove(of person: AgentID, as manager: AgentCaller) async throws {
        guard let known = try await accounts.agent(person), known.account == manager.account else {
            throw Rejection.notFound
        }
        try manager.require(.changePeople)
        guard person != manager.id else {
            throw Rejection(.forbidden, "Turn off your own second factor in your account menu, with a code.")
        }
        let audit = entry(.secondFactorRemoved, of: person, by: manager)
        guard try await store.removeSecondFactor(of: person, endsSessions: true, audit: audit) else { return }
        tickets.remove(agent: person)
        listener.notify { $0.ended(person, mayComeBack: false) }
    }

    /// The people of the brand who have a second factor.
    /// - Throws: `forbidden` without the permission.
    public func people(as manager: AgentCaller) async throws -> Set<AgentID> {
        try manager.require(.changePeople)
        return try await store.secondFactors(of: manager.account)
    }

    /// Whether the brand requires a second factor.
    /// - Throws: `forbidden` without the permission.
    public func isRequired(as manager: AgentCaller) async throws -> Bool {
        try manager.require(.changePeople)
        return try await store.standing(of: manager.id, in: manager.account).isRequired
    }

    /// Sets whether the brand requires a second factor. The sockets of people who have none end; their pages lead them
    /// to the set-up.
    /// - Throws: `forbidden` without the permission, `second_factor_setup_required` if the manager has none: they would
    ///   lock themselves out.
    public func require(_ isRequired: Bool, as manager: AgentCaller) async throws {
        try manager.require(.changePeople)
        if isRequired, try await store.secondFactor(of: manager.id) == nil {
            throw Rejection(
                .secondFactorSetupRequired, "Set up your own second factor first. Then you can require it of everyone.")
        }
        let audit = AuditEntry(
            account: manager.account, at: environment.now(), by: manager.id.rawValue, what: .secondFactorRuleChanged,
            detail: "required=\(isRequired)")
        guard try await store.requireSecondFactor(isRequired, of: manager.account, audit: audit), isRequired else {
            return
        }
        let having = try await store.secondFactors(of: manager.account)
        for person in try await accounts.agents(of: manager.account) where !having.contains(person.id) {
            tickets.remove(agent: person.id)
            listener.notify { $0.ended(person.id, mayComeBack: true) }
        }
    }

    // MARK: Signing in

    /// Whether a person has a second factor, and whether the brand requires one.
    func standing(of agent: Agent) async throws -> SecondFactorStanding {
        try await store.standing(of: agent.id, in: agent.account)
    }

    /// Checks the code of an attempt whose password is right, and uses the code up. Does nothing for a person without a
    /// second factor.
    /// - Returns: how many recovery codes are left, if the code was one.
    /// - Throws: `second_factor_required` without a code, `second_factor_wrong`, `rate_limited`.
    func check(_ attempt: SignInAttempt, of agent: Agent, from place: LoginLimiter.Place) async throws -> Int? {
        guard let factor = try await store.secondFactor(of: agent.id) else { return nil }
        guard let code = attempt.code else {
            throw Rejection(.secondFactorRequired, "Enter the code of your authenticator app.")
        }
        let now = environment.now()
        try logins.admitCode(person: agent.id.rawValue, from: place, at: now)
        if OneTimeCode.isWellFormed(code) {
            if try await isCode(code, of: factor, at: now) { return nil }
        } else if let recovery = RecoveryCode.normalized(code) {
            let used = AuditEntry(
                account: agent.account, at: now, by: agent.id.rawValue, what: .recoveryCodeUsed,
                address: attempt.address)
            let digest = key.digest(ofRecoveryCode: recovery, of: agent.id)
            if let left = try await store.use(recoveryCode: digest, of: agent.id, audit: used) { return left }
        }
        try await accounts.record(attempt.failure(of: agent, at: now, detail: "second factor"))
        throw Rejection.secondFactorWrong
    }

    private func isCode(_ code: String, of factor: SecondFactor, at now: Timestamp) async throws -> Bool {
        guard let secret = key.open(factor.sealed, .secret, for: factor.agent) else {
            throw AdapterFailure(
                "a second factor was stored with another key than the installation has", isRetryable: false)
        }
        guard let step = OneTimeCode.matchingStep(code, of: secret, at: now) else { return false }
        return try await store.use(step: step, of: factor.agent)
    }

    private static let alreadyOn = Rejection(.badRequest, "You have a second factor already. Turn it off first.")

    private static let expiryBytes = 8

    private static func bytes(of time: Timestamp) -> [UInt8] {
        withUnsafeBytes(of: time.milliseconds.bigEndian, Array.init)
    }

    private static func expiry(of content: [UInt8]) -> Timestamp? {
        guard content.count == expiryBytes + OneTimeCode.secretBytes else { return nil }
        let bits = content.prefix(expiryBytes).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Timestamp(milliseconds: Int64(bitPattern: bits))
    }

    private func entry(_ what: AuditAction, of person: AgentID, by agent: AgentCaller) -> AuditEntry {
        AuditEntry(
            account: agent.account, at: environment.now(), by: agent.id.rawValue, what: what, detail: person.rawValue)
    }
}

/// A set-up that has begun: what an authenticator app takes.
public struct SecondFactorSetUp: Hashable, Sendable {
    /// The secret, base 32.
    public let secret: String
    /// The brand's name, under which the app lists the code.
    public let issuer: String
    /// The person's e-mail address.
    public let person: String
    /// What the client sends back with the first code. Only this installation can read it.
    public let token: String

    /// The link that an authenticator app opens, and that the QR code carries.
    public var link: String {
        let (issuer, person) = (Self.escaped(issuer), Self.escaped(person))
        return "otpauth://totp/\(issuer):\(person)?secret=\(secret)&issuer=\(issuer)"
    }

    /// Percent-encodes everything but RFC 3986's unreserved characters.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension Rejection {
    /// The answer to a wrong, used or expired code.
    static let secondFactorWrong = Rejection(
        .secondFactorWrong, "The code is wrong or was used already. Wait for the next one and try again.")
    /// The answer to everything that a person may not do before they have the second factor that the brand requires.
    public static let secondFactorSetupRequired = Rejection(
        .secondFactorSetupRequired, "Your brand requires a second factor. Set it up first.")
}
