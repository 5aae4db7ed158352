import EarshotDomain
import EarshotModel

/// Lets the brand's people change their password and end their sessions, and ends the connections of those whom a
/// command or another process shut out.
public struct SessionService: Sendable {
    private let accounts: any AccessStore & AgentStore & AuditStore & SessionStore
    private let environment: SystemEnvironment
    private let tickets: SocketTickets
    private let logins: LoginLimiter
    private let blocked: BlockedConsumers
    private let idle: IdleSessionService
    private let listener: ListenerSlot<any SessionListener>
    private let peopleListener: ListenerSlot<any PeopleListener>

    /// The most expired sessions that one transaction removes.
    private static let removedAtOnce = 200

    init(
        accounts: any AccessStore & AgentStore & AuditStore & SessionStore, environment: SystemEnvironment,
        _ parts: Parts
    ) {
        self.accounts = accounts
        self.environment = environment
        (tickets, logins) = (parts.tickets, parts.logins)
        (blocked, idle) = (parts.blocked, parts.idle)
        (listener, peopleListener) = (parts.listener, parts.peopleListener)
    }

    /// What it shares with `IdentityService`.
    struct Parts {
        let tickets: SocketTickets
        let logins: LoginLimiter
        let blocked: BlockedConsumers
        let idle: IdleSessionService
        let listener: ListenerSlot<any SessionListener>
        let peopleListener: ListenerSlot<any PeopleListener>
    }

    // MARK: Own sessions

    /// Reads the sessions of a person, the newest first.
    public func sessions(of agent: AgentCaller) async throws -> [Session] {
        try await idle.inUse(accounts.sessions(of: agent.id, at: environment.now()), of: agent.account)
    }

    /// Ends one of a person's sessions, with its tickets and sockets.
    /// - Throws: `not_found`.
    public func end(_ id: String, of agent: AgentCaller) async throws {
        guard let session = try await sessions(of: agent).first(where: { $0.id == id }) else {
            throw Rejection.notFound
        }
        try await accounts.record(entry(.signedOut, by: agent.id.rawValue, in: agent.account, "session \(id)"))
        try await end(session.digest)
    }

    /// Ends a session with its tickets and sockets.
    func end(_ session: [UInt8]) async throws {
        try await accounts.remove(session: session)
        tickets.remove(session: session)
        listener.notify { $0.ended(session) }
    }

    /// Removes expired sessions, a few in each transaction. They are refused anyway, but would be stored for ever.
    public func removeExpired() async throws {
        let now = environment.now()
        while try await accounts.removeSessions(expiredBy: now, limit: Self.removedAtOnce) == Self.removedAtOnce {}
    }

    /// Changes the password of the person who is signed in, and ends the person's other sessions.
    /// - Parameters:
    ///   - session: the digest of the session that goes on.
    ///   - address: the network address, for rate limiting.
    /// - Throws: `login_failed` if the old password is wrong, `out_of_range` for the length of the new one.
    public func changePassword(
        from old: String, to new: String, as agent: AgentCaller, keeping session: [UInt8], address: String
    ) async throws {
        guard Passwords.length.contains(new.utf8.count) else { throw Passwords.lengthRejection(new) }
        let place = LoginLimiter.Place.address(address)
        try logins.admit(person: agent.id.rawValue, from: place, at: environment.now())
        guard let stored = try await accounts.agent(agent.id) else { throw Rejection.notSignedIn }
        guard try await logins.isPassword(old, of: stored, from: place) else {
            throw Rejection(.loginFailed, "The current password is wrong.")
        }
        let hash = try await logins.hash(new, salt: environment.random(Passwords.saltBytes), from: place)
        let change = PersonChange(
            account: agent.account, person: agent.id, patch: PersonPatch(password: hash),
            audit: entry(.passwordChanged, by: agent.id.rawValue, in: agent.account, agent.id.rawValue),
            keptSession: session)
        guard case .changed = try await accounts.change(change) else { throw Rejection.unavailable }
        tickets.remove(agent: agent.id)
        listener.notify { $0.ended(agent.id, except: [session]) }
    }

    // MARK: Blocking

    /// Blocks the consumer of a conversation, or lifts the block. A blocked consumer's tokens are refused, and the
    /// connections end.
    /// - Throws: `forbidden` without the permission.
    public func block(_ conversation: OpenConversation, _ isBlocked: Bool, as agent: AgentCaller) async throws {
        try agent.require(.blockConsumers)
        let consumer = conversation.identity.consumer
        try await accounts.apply(
            ConsumerBlock(
                consumer: consumer, account: agent.account, isBlocked: isBlocked,
                audit: AuditEntry(
                    account: agent.account, at: environment.now(), by: agent.id.rawValue,
                    what: isBlocked ? .consumerBlocked : .consumerUnblocked, conversation: conversation.id,
                    detail: consumer.rawValue)))
        try await refreshBlocks()
    }

    /// Whether the consumer of a conversation is blocked.
    /// - Throws: `forbidden` without the permission to block.
    public func isBlocked(_ conversation: OpenConversation, as agent: AgentCaller) throws -> Bool {
        try agent.require(.blockConsumers)
        return blocked.contains(conversation.identity.consumer)
    }

    /// Signs the consumer of a conversation out everywhere: tokens that were issued before are refused, and the
    /// connections end. An anonymous consumer starts again; a signed-in one returns with an ID token.
    /// - Throws: `forbidden` without the permission to block.
    public func signOut(_ conversation: OpenConversation, as agent: AgentCaller) async throws {
        try agent.require(.blockConsumers)
        let consumer = conversation.identity.consumer
        try await accounts.apply(
            ConsumerSignOut(
                consumer: consumer, account: agent.account,
                audit: AuditEntry(
                    account: agent.account, at: environment.now(), by: agent.id.rawValue, what: .consumerSignedOut,
                    conversation: conversation.id, detail: consumer.rawValue)))
        try await refreshBlocks()
    }

    // MARK: Changes from elsewhere

    /// Reads what changed since the last call: sessions that a command ended, consumers that another process blocked.
    public func refresh() async throws {
        let last = blocked.lastChange
        let changes = try await accounts.accessChanges(after: last ?? 0)
        guard last == nil || !changes.isEmpty else { return }
        try await refreshBlocks()
        if last != nil {
            let agents = changes.compactMap { if case .agent(let agent) = $0.subject { agent } else { nil } }
            for agent in Set(agents) { try await refresh(agent) }
        }
        blocked.read(through: changes.last?.id ?? 0)
    }

    /// Ends the connections of a brand's people, who come back at once and load everything again: after a conversation
    /// was erased, no screen may keep a copy of it.
    func reconnectEveryone(of account: AccountID) async throws {
        for agent in try await accounts.agents(of: account) {
            listener.notify { $0.ended(agent.id, mayComeBack: true) }
        }
    }

    /// Ends the connections of those to whom a brand gave profiles: they come back at once with what they may do and
    /// see now. Routing learns of it first.
    func reconnectProfiled(of account: AccountID) async throws {
        peopleListener.notify { $0.changedProfiles(of: account) }
        for agent in try await accounts.agents(of: account) where agent.profile != nil {
            listener.notify { $0.ended(agent.id, mayComeBack: true) }
        }
    }

    private func refreshBlocks() async throws {
        for consumer in blocked.replace(with: try await accounts.blockedConsumers()) {
            listener.notify { $0.blocked(consumer) }
        }
        for consumer in blocked.note(try await accounts.tokenGenerations()) {
            listener.notify { $0.signedOut(consumer) }
        }
    }

    /// Leaves tickets alone: `IdentityService.confirm` refuses those of a session that ended, and the person may have
    /// signed in since the change.
    private func refresh(_ agent: AgentID) async throws {
        let sessions = try await accounts.sessions(of: agent, at: environment.now()).map(\.digest)
        listener.notify { $0.ended(agent, except: sessions) }
        if let stored = try await accounts.agent(agent) { peopleListener.notify { $0.changed(stored) } }
    }

    private func entry(_ what: AuditAction, by author: String, in account: AccountID, _ detail: String) -> AuditEntry {
        AuditEntry(account: account, at: environment.now(), by: author, what: what, detail: detail)
    }
}
