import Crypto
import Dispatch
public import EarshotModel

extension IdentityService {
    /// Signs in. The answer to a wrong address and to a wrong password is the same, and takes the same time.
    /// - Parameter address: the network address, for throttling.
    /// - Returns: the cookie's value, which is stored nowhere, and who signed in.
    public func login(account: AccountID, email: String, password: String, address: String) async throws -> (
        cookie: String, SignedIn
    ) {
        let email = email.lowercased()
        try logins.admit(person: "\(account) \(email)", address: address, at: environment.now())
        let agent = try await accounts.agent(email: email, of: account)
        let isRight = try await logins.inTurn {
            await Self.isPassword(password, of: agent)
        }
        guard isRight, let agent, !agent.isDisabled, let account = try await accounts.account(account) else {
            throw Rejection(.loginFailed, "Address or password is wrong.")
        }
        guard !suspensions.contains(account.id) else { throw Rejection.suspended }
        return try await open(agent, account)
    }

    /// Whoever owns this cookie's value.
    public func session(cookie: String) async throws -> SignedIn {
        let now = environment.now()
        guard cookie.utf8.count <= 100, let session = try await accounts.session(Self.digest(cookie), at: now),
            Self.isGood(session, at: now),
            let agent = try await accounts.agent(session.agent), !agent.isDisabled,
            !suspensions.contains(agent.account),
            let account = try await accounts.account(agent.account)
        else { throw Rejection.notSignedIn }
        return SignedIn(
            caller: caller(agent), email: agent.email, account: account, csrf: session.csrf, expires: session.expires)
    }

    /// Ends the session, with its tickets and its sockets.
    public func logout(cookie: String) async throws {
        let session = Self.digest(cookie)
        try await accounts.remove(session: session)
        tickets.remove(session: session)
        sessions.notify { $0.ended(session) }
    }

    /// Whoever wants to hear of sessions that end.
    public func connect(_ listener: any SessionListener) { sessions.connect(listener) }

    /// Whoever wants to hear of people who change.
    public func connect(_ listener: any PeopleListener) { people.connect(listener) }

    /// A ticket that opens one socket for this agent.
    /// - Parameter cookie: of the session that the socket ends with.
    public func ticket(for caller: AgentCaller, cookie: String? = nil) throws(Rejection) -> String {
        let ticket = Base64URL.encode(environment.random(16))
        try tickets.issue(ticket, to: caller, session: cookie.map(Self.digest), at: environment.now())
        return ticket
    }

    public func redeem(ticket: String) throws(Rejection) -> RedeemedTicket {
        try tickets.redeem(ticket, at: environment.now())
    }

    private func open(_ agent: Agent, _ account: Account) async throws -> (cookie: String, SignedIn) {
        let cookie = Base64URL.encode(environment.random(32))
        let session = Session(
            digest: Self.digest(cookie), agent: agent.id, csrf: Base64URL.encode(environment.random(16)),
            expires: environment.now().adding(milliseconds: Self.sessionLifetimeMs))
        try await accounts.save(session)
        return (
            cookie,
            SignedIn(
                caller: caller(agent), email: agent.email, account: account, csrf: session.csrf,
                expires: session.expires)
        )
    }

    func caller(_ agent: Agent) -> AgentCaller {
        AgentCaller(id: agent.id, account: agent.account, name: agent.name, role: agent.role)
    }

    /// On a thread of its own: a guess computes for a good part of a second, and the few threads that serve everybody must not wait for it.
    private static func isPassword(_ password: String, of agent: Agent?) async -> Bool {
        await withCheckedContinuation { continuation in
            guesses.async {
                let isRight = Passwords.verify(password, against: agent?.password ?? Passwords.nobody)
                continuation.resume(returning: isRight && agent != nil)
            }
        }
    }

    /// `LoginGuard` says how many run at a time.
    private static let guesses = DispatchQueue(label: "earshot.passwords", qos: .utility, attributes: .concurrent)

    private static func digest(_ cookie: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(cookie.utf8)))
    }
}
