import EarshotDomain
public import EarshotModel

/// Authenticates consumers by signed token and the brand's people by password and session, and manages those people.
public struct IdentityService: Sendable {
    /// How long an agent's sign-in lasts.
    public static let sessionLifetimeMs: Int64 = 12 * 3600 * 1000
    /// How long a browser in which a person signed in stays known.
    public static let deviceLifetimeMs = DeviceMark.lifetimeMs

    /// Manages the sessions of people, and who is shut out.
    public let sessions: SessionService
    /// Makes the links with which people join or replace a forgotten password.
    public let links: PasswordLinkService
    /// Signs consumers in with the ID tokens of their brand's identity provider.
    public let consumerSignIn: ConsumerSignInService
    /// Ends sessions that nobody uses.
    public let idle: IdleSessionService
    /// Whether the server's clock is wrong.
    public let clock: ServerClock
    /// Manages the second factors of people.
    public let secondFactors: SecondFactorService
    /// What the sign-in page needs besides passwords.
    public let signInPage: SignInPageService
    private let signIn: SignInService
    /// Manages profiles and groups.
    public let profiles: ProfileService
    private let accounts: any AccessStore & AccountStore & AgentStore & AuditStore & ConsumerStore & SessionStore
    private let callers: CallerReader
    private let environment: SystemEnvironment
    private let keys: CurrentKeys
    private let blocked = BlockedConsumers()
    private let tickets = SocketTickets()
    private let sessionListener = ListenerSlot<any SessionListener>()
    private let peopleListener = ListenerSlot<any PeopleListener>()
    /// The suspended brands, as of the last `refreshSuspensions`.
    let suspended = SuspendedAccounts()
    private let allowedOrigins = AllowedOrigins()
    /// Limits changes of a consumer's time zone, because each is a write.
    private let zoneChanges = Throttle(.init(burst: 5, refillMs: 60_000))

    /// Creates the service.
    /// - Parameter keys: the keys that sign consumers' tokens.
    public init(_ stores: IdentityStores, environment: SystemEnvironment, keys: KeyRing, clock: ServerClock) {
        let (accounts, secondFactors) = (stores.accounts, stores.secondFactors)
        let (logins, current) = (LoginLimiter(), CurrentKeys(keys))
        links = PasswordLinkService(links: stores.links, accounts: accounts, environment: environment)
        consumerSignIn = ConsumerSignInService(
            store: stores.identities, accounts: accounts, environment: environment,
            .init(keys: current, blocked: blocked, clock: clock))
        self.accounts = accounts
        self.clock = clock
        idle = IdleSessionService(sessions: accounts, environment: environment)
        callers = CallerReader(profiles: stores.profiles, centres: stores.centres)
        self.environment = environment
        self.keys = current
        sessions = SessionService(
            accounts: accounts, environment: environment,
            .init(
                tickets: tickets, logins: logins, blocked: blocked, idle: idle, listener: sessionListener,
                peopleListener: peopleListener))
        profiles = ProfileService(
            store: stores.profiles, people: .init(agents: accounts, centres: stores.centres), sessions: sessions,
            environment: environment)
        self.secondFactors = SecondFactorService(
            store: secondFactors, accounts: accounts, environment: environment, key: keys.sealing,
            .init(logins: logins, tickets: tickets, listener: sessionListener))
        signIn = SignInService(
            accounts: accounts, environment: environment, keys: current, logins: logins, suspended: suspended,
            secondFactors: self.secondFactors, callers: callers)
        signInPage = SignInPageService(signIn)
    }

    /// Replaces the keys that sign consumers' tokens.
    public func replaceKeys(with ring: KeyRing) { keys.replace(with: ring) }

    /// Sets the listener for sessions that end.
    public func connect(_ listener: any SessionListener) { sessionListener.connect(listener) }

    /// Sets the listener for people who change.
    public func connect(_ listener: any PeopleListener) { peopleListener.connect(listener) }

    // MARK: Consumers

    /// Finds an app, if pages of this origin may embed it.
    /// - Parameter origin: `nil` for a client that is not a browser.
    /// - Throws: `not_found`, `suspended`, `origin_refused`.
    public func app(_ app: AppID, of account: AccountID, from origin: String?) async throws -> App {
        guard let app = try await accounts.app(app, of: account) else { throw Rejection.notFound }
        guard !suspended.contains(account) else { throw Rejection.suspended }
        if let origin {
            guard app.allowedOrigins.contains(origin) else { throw Rejection.notThisSite }
            allowedOrigins.insert(origin)
        }
        return app
    }

    /// Checks that a page of another site may act for a consumer: the consumer's app allows its origin.
    /// - Throws: `origin_refused`, `suspended`.
    public func check(_ origin: String, of consumer: ConsumerCaller) async throws {
        do { _ = try await app(consumer.app, of: consumer.account, from: origin) } catch let rejection as Rejection {
            throw rejection.code == .notFound ? .notThisSite : rejection
        }
    }

    /// Whether any app allows an origin, as far as is known: `refreshAllowedOrigins` reads what is new.
    public func isAllowed(_ origin: String) -> Bool { allowedOrigins.contains(origin) }

    /// Reads which origins the apps of all brands allow.
    public func refreshAllowedOrigins() async throws {
        allowedOrigins.replace(with: try await accounts.allowedOrigins())
    }

    /// Creates an anonymous consumer.
    /// - Throws: `not_found`, `not_yet_valid` while the server's clock is wrong.
    public func welcome(_ arrival: Arrival) async throws -> ConsumerWelcome {
        guard clock.lastRightTime == nil else { throw Rejection.notYetValid }
        guard let account = try await accounts.account(arrival.account),
            let app = try await accounts.app(arrival.app, of: arrival.account)
        else { throw Rejection.notFound }
        let id: ConsumerID = environment.id()
        let consumer = Consumer(
            id: id, account: account.id, app: app.id, conversation: environment.id(), since: environment.now(),
            name: Consumer.visitorName(of: id), page: arrival.page, language: arrival.language, device: arrival.device,
            zone: arrival.zone)
        try await accounts.save(consumer)
        return welcome(
            ConsumerCaller(
                id: consumer.id, account: account.id, app: app.id, conversation: consumer.conversation,
                tokenIssued: consumer.since), of: account)
    }

    /// Welcomes a returning consumer. An old token is replaced by a new one.
    /// - Parameter zone: the IANA time zone of the consumer's clock, if the client sent it.
    public func welcomeBack(token: String, zone: String? = nil) async throws -> ConsumerWelcome {
        let caller = try consumer(token: token)
        try await confirm(caller)
        if let zone { try await save(zone: zone, of: caller.id) }
        guard let account = try await accounts.account(caller.account) else { throw Rejection.notSignedIn }
        // A signed-in consumer gets a new token only for a fresh ID token; no one gets one at a wrong time.
        guard caller.signedInUntil == nil, clock.lastRightTime == nil,
            keys.tokens.isOld(token, of: caller, at: environment.now())
        else {
            return ConsumerWelcome(token, caller, of: account)
        }
        return welcome(
            ConsumerCaller(
                id: caller.id, account: caller.account, app: caller.app, conversation: caller.conversation,
                tokenIssued: environment.now()), of: account)
    }

    /// Verifies a consumer's token.
    /// - Throws: `not_signed_in`, `blocked`, or `suspended` if the brand is suspended; `not_yet_valid` if only a wrong
    ///   clock ends the token, so that its owner keeps it.
    public func consumer(token: String) throws(Rejection) -> ConsumerCaller {
        let caller = try verified(token)
        guard !blocked.contains(caller.id) else { throw .blocked }
        guard caller.generation >= blocked.generation(of: caller.id) else { throw .notSignedIn }
        // Not `not_signed_in`, because the token is valid and its owner must keep it.
        guard !suspended.contains(caller.account) else { throw .suspended }
        return caller
    }

    private func verified(_ token: String) throws(Rejection) -> ConsumerCaller {
        do throws(Rejection) { return try keys.tokens.verify(token, at: environment.now()) } catch {
            guard let time = clock.lastRightTime, (try? keys.tokens.verify(token, at: time)) != nil else { throw error }
            throw .notYetValid
        }
    }

    /// The card that an agent sees of a consumer. Of the consumer's other conversations it has those that the agent
    /// may open.
    public func card(of consumer: ConsumerID, for caller: Caller, by access: ConversationAccess) async throws
        -> ConsumerCard
    {
        guard let consumer = try await accounts.consumer(consumer) else { throw Rejection.notFound }
        var related = try await consumerSignIn.related(to: consumer)
        let visible = try await access.visible(related.map(\.conversation), to: caller)
        related.removeAll { !visible.contains($0.conversation) }
        return ConsumerCard(consumer, related: related)
    }

    /// Checks a consumer's token against the consumer's row. Where the conversation has begun, its row says the same.
    ///
    /// Retention removes a consumer with the conversation, or one who never wrote; a token may be valid for longer. Its
    /// owner begins again: an anonymous one at once, a signed-in one with the next ID token.
    /// - Throws: `not_signed_in` if the consumer has another conversation.
    public func confirm(_ caller: ConsumerCaller) async throws {
        if let stored = try await accounts.consumer(caller.id) {
            guard stored.conversation == caller.conversation, stored.account == caller.account else {
                throw Rejection.notSignedIn
            }
            return
        }
        guard caller.signedInUntil == nil else { throw Rejection.notSignedIn }
        try await accounts.save(
            Consumer(
                id: caller.id, account: caller.account, app: caller.app, conversation: caller.conversation,
                since: environment.now(), name: Consumer.visitorName(of: caller.id), page: nil, language: nil,
                device: nil))
    }

    /// Saves a consumer's new time zone, unless it changes too often to be true.
    private func save(zone: String, of id: ConsumerID) async throws {
        guard Zone.isKnown(zone), var consumer = try await accounts.consumer(id), consumer.zone != zone,
            zoneChanges.wait(afterTaking: id.rawValue, at: environment.now()) == nil
        else { return }
        consumer.zone = zone
        try await accounts.save(consumer)
    }

    private func welcome(_ caller: ConsumerCaller, of account: Account) -> ConsumerWelcome {
        ConsumerWelcome(keys.tokens.make(for: caller), caller, of: account)
    }

    // MARK: Agents

    /// Signs an agent in. A wrong address and a wrong password get the same answer after the same time.
    /// - Throws: `login_failed`, `rate_limited`, `suspended`, `second_factor_required`, `second_factor_wrong`.
    public func login(_ attempt: SignInAttempt) async throws -> NewSession { try await signIn.login(attempt) }

    /// Sets a password with a link, and signs the person in. A person with a second factor needs a code too; without
    /// the right one nothing changes, and the link stays.
    /// - Parameters:
    ///   - change: the new password, and the name that an invited person wants to have.
    ///   - code: the code of the person's second factor.
    ///   - device: the browser and the device, as a short text.
    /// - Throws: `link_invalid`, `suspended`, `out_of_range` for the length of the password, `bad_request` for the
    ///   name, `second_factor_required`, `second_factor_wrong`, `rate_limited`.
    public func join(
        _ token: String, _ change: JoinRequest, code: String?, from address: String, device: String?
    ) async throws -> NewSession {
        let person = try await links.purpose(of: token).person
        guard !suspended.contains(person.account) else { throw Rejection.suspended }
        guard Passwords.length.contains(change.password.utf8.count) else {
            throw Passwords.lengthRejection(change.password)
        }
        let left = try await signIn.checkCode(code, of: person, from: address)
        let agent = try await links.use(token, password: change.password, name: change.name, by: signIn.logins, address)
        tickets.remove(agent: agent.id)
        sessionListener.notify { $0.ended(agent.id, mayComeBack: false) }
        try await notify(of: agent)
        guard let account = try await accounts.account(agent.account) else { throw Rejection.notFound }
        let attempt = SignInAttempt(
            account: account.id, email: agent.email, password: change.password, address: address, device: device)
        return try await signIn.open(agent, account, attempt, isKnown: false, recoveryCodesLeft: left)
    }

    /// Finds the agent who is signed in with a cookie.
    /// - Throws: `not_signed_in`.
    public func session(cookie: String) async throws -> SignedIn {
        let now = environment.now()
        guard cookie.utf8.count <= 100, let session = try await accounts.session(SignInService.digest(cookie), at: now),
            session.isValid(at: now),
            let agent = try await accounts.agent(session.agent), !agent.isDisabled,
            !suspended.contains(agent.account),
            let account = try await accounts.account(agent.account)
        else { throw Rejection.notSignedIn }
        try await idle.check(session, of: account.id)
        await idle.noteUse(of: session)
        return SignedIn(
            caller: try await callers.caller(agent), email: agent.email, account: account,
            csrf: SignInService.csrf(of: cookie),
            expires: session.expires, secondFactor: try await secondFactors.standing(of: agent))
    }

    /// Ends a session with its tickets and its sockets.
    /// - Parameter agent: who signs out, for the audit log; `nil` if a new sign-in replaces the session.
    public func logout(cookie: String, by agent: AgentCaller? = nil) async throws {
        if let agent {
            try await accounts.record(
                AuditEntry(account: agent.account, at: environment.now(), by: agent.id.rawValue, what: .signedOut))
        }
        try await sessions.end(SignInService.digest(cookie))
    }

    /// Changes the password of the person who is signed in with a cookie, and ends the person's other sessions.
    /// - Throws: `login_failed` if the old password is wrong, `out_of_range` for the length of the new one.
    public func changePassword(
        from old: String, to new: String, as agent: AgentCaller, cookie: String, address: String
    ) async throws {
        try await sessions.changePassword(
            from: old, to: new, as: agent, keeping: SignInService.digest(cookie), address: address)
    }

    /// Issues a ticket that opens one socket for an agent.
    /// - Parameter cookie: the cookie of the session with which the socket ends.
    public func ticket(for caller: AgentCaller, cookie: String? = nil) throws(Rejection) -> String {
        let ticket = Base64URL.encode(environment.random(16))
        try tickets.issue(ticket, to: caller, session: cookie.map(SignInService.digest), at: environment.now())
        return ticket
    }

    /// Uses up a ticket.
    /// - Throws: `not_signed_in` if it is unknown, used or expired.
    public func redeem(ticket: String) throws(Rejection) -> RedeemedTicket {
        try tickets.redeem(ticket, at: environment.now())
    }

    /// Checks that the owner of a ticket is still who they were when the ticket was issued.
    /// - Returns: the owner, and when their session ends.
    /// - Throws: `not_signed_in` if the session ended or was idle for too long, or the agent was changed.
    public func confirm(_ ticket: RedeemedTicket) async throws -> (caller: AgentCaller, expires: Timestamp) {
        let now = environment.now()
        guard let agent = try await accounts.agent(ticket.caller.id), !agent.isDisabled,
            AgentCaller(agent).isSamePerson(as: ticket.caller), !suspended.contains(agent.account),
            try await !secondFactors.standing(of: agent).mustSetUp
        else { throw Rejection.notSignedIn }
        let caller = try await callers.caller(agent)
        guard let digest = ticket.session else {
            return (caller, now.adding(milliseconds: Self.sessionLifetimeMs))
        }
        guard let session = try await accounts.session(digest, at: now), session.isValid(at: now) else {
            throw Rejection.notSignedIn
        }
        try await idle.check(session, of: agent.account)
        return (caller, session.expires)
    }

    /// The milliseconds until an expiry time; 0 if it has passed.
    public func timeLeft(until expires: Timestamp) -> Int64 {
        max(0, expires.milliseconds - environment.now().milliseconds)
    }

    // MARK: People

    /// Changes one of the brand's people. The change is in force before it is answered: sessions, tickets and sockets
    /// end if they have to.
    /// - Throws: `not_found`, `forbidden` without the permission, `last_administrator`, `bad_request`.
    public func change(_ patch: PersonPatch, of person: AgentID, as manager: AgentCaller) async throws -> Agent {
        guard let known = try await accounts.agent(person), known.account == manager.account else {
            throw Rejection.notFound
        }
        try manager.require(.changePeople)
        try patch.check()
        if let profile = patch.profile?.id, try await !profiles.has(profile, of: manager.account) {
            throw Rejection(.badRequest, "The brand has no such profile.")
        }
        let audit = AuditEntry(
            account: manager.account, at: environment.now(), by: manager.id.rawValue, what: .personChanged,
            detail: "\(person) \(patch.summary)")
        let outcome = try await accounts.change(
            PersonChange(account: manager.account, person: person, patch: patch, audit: audit))
        switch outcome {
        case .notFound: throw Rejection.notFound
        case .lastAdministrator:
            throw Rejection(
                .lastAdministrator,
                "A brand needs at least one administrator. Make someone else an administrator first.")
        case .unchanged(let agent): return agent
        case .changed(_, let agent):
            tickets.remove(agent: agent.id)
            sessionListener.notify { $0.ended(agent.id, mayComeBack: !outcome.endsSessions) }
            try await notify(of: agent)
            return agent
        }
    }

    /// Reads which brands an operator suspended (`earshot suspend`), and ends the sockets of newly suspended ones.
    public func refreshSuspensions() async throws {
        for account in suspended.replace(with: try await accounts.suspended()) {
            sessionListener.notify { $0.suspended(account) }
        }
    }

    /// Notifies the listener until it has the stored row: two concurrent changes may arrive here in either order.
    private func notify(of agent: Agent) async throws {
        var notified = agent
        peopleListener.notify { $0.changed(notified) }
        while let stored = try await accounts.agent(agent.id), stored != notified {
            notified = stored
            peopleListener.notify { $0.changed(stored) }
        }
    }
}

extension Rejection {
    fileprivate static let notThisSite = Rejection(
        .originRefused, "This site may not embed this app. Ask the brand's administrator to allow its origin.")
}

extension ConsumerCard {
    /// What of a consumer's row the brand's people see.
    init(_ consumer: Consumer, related: [RelatedConversation] = []) {
        self.init(
            name: consumer.name, app: consumer.app, since: consumer.since, page: consumer.page,
            language: consumer.language, device: consumer.device, verified: consumer.verified,
            related: related.isEmpty ? nil : related)
    }
}
