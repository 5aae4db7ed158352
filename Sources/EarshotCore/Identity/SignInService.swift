import Crypto
import EarshotModel

/// Checks the passwords and codes of the brand's people, and begins their sessions.
struct SignInService: Sendable {
    let accounts: any AccountStore & AgentStore & AuditStore & SessionStore
    let environment: SystemEnvironment
    let keys: CurrentKeys
    let logins: LoginLimiter
    let suspended: SuspendedAccounts
    let secondFactors: SecondFactorService
    let callers: CallerReader

    /// Signs an agent in. A wrong address and a wrong password get the same answer after the same time. Only the right
    /// password shows whether there is a second factor.
    /// - Throws: `login_failed`, `rate_limited`, `suspended`, `second_factor_required`, `second_factor_wrong`.
    func login(_ attempt: SignInAttempt) async throws -> NewSession {
        let now = environment.now()
        let known = keys.devices.device(attempt.deviceMark, of: attempt.person, at: now)
        let place = known.map { LoginLimiter.Place.device($0) } ?? .address(attempt.address)
        try logins.admit(person: attempt.person, from: place, at: now)
        let agent = try await accounts.agent(email: attempt.email, of: attempt.account)
        let isRight = try await logins.isPassword(attempt.password, of: agent, from: place)
        let account = try await accounts.account(attempt.account)
        guard isRight, let agent, !agent.isDisabled, let account else {
            if account != nil { try await accounts.record(attempt.failure(of: agent, at: now)) }
            throw Rejection(.loginFailed, "The e-mail address or the password is wrong.")
        }
        guard !suspended.contains(account.id) else { throw Rejection.suspended }
        let left = try await secondFactors.check(attempt, of: agent, from: place)
        return try await open(agent, account, attempt, isKnown: known != nil, recoveryCodesLeft: left)
    }

    /// Checks the code of a person who sets a password with a link: a link must not replace the second factor.
    /// - Returns: how many recovery codes are left, if the code was one.
    /// - Throws: `second_factor_required`, `second_factor_wrong`, `rate_limited`.
    func checkCode(_ code: String?, of agent: Agent, from address: String) async throws -> Int? {
        let attempt = SignInAttempt(
            account: agent.account, email: agent.email, password: "", address: address, code: code)
        return try await secondFactors.check(attempt, of: agent, from: .address(address))
    }

    /// Begins a session.
    /// - Parameters:
    ///   - isKnown: whether the person signed in with this browser before; otherwise it gets a mark.
    ///   - recoveryCodesLeft: set if the person used one up.
    func open(
        _ agent: Agent, _ account: Account, _ attempt: SignInAttempt, isKnown: Bool, recoveryCodesLeft: Int?
    ) async throws -> NewSession {
        let (cookie, now) = (Base64URL.encode(environment.random(32)), environment.now())
        let session = Session(
            digest: Self.digest(cookie), agent: agent.id,
            expires: now.adding(milliseconds: IdentityService.sessionLifetimeMs), since: now, device: attempt.device)
        try await accounts.save(session)
        try await accounts.record(
            AuditEntry(
                account: account.id, at: now, by: agent.id.rawValue, what: .signedIn, detail: "session \(session.id)",
                address: attempt.address))
        let signedIn = SignedIn(
            caller: try await callers.caller(agent), email: agent.email, account: account, csrf: Self.csrf(of: cookie),
            expires: session.expires, secondFactor: try await secondFactors.standing(of: agent))
        return NewSession(
            cookie: cookie,
            deviceMark: isKnown ? nil : keys.devices.make(for: attempt.person, random: environment.random),
            signedIn: signedIn, recoveryCodesLeft: recoveryCodesLeft)
    }

    /// The value that every changing HTTP request of a session must carry: it follows from the cookie, so that it need
    /// not be stored, and does not reveal it.
    static func csrf(of cookie: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(("csrf " + cookie).utf8)).prefix(16)))
    }

    /// The digest under which a session is stored.
    static func digest(_ cookie: String) -> [UInt8] { Array(SHA256.hash(data: Array(cookie.utf8))) }
}
