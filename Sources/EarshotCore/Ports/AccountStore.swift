public import EarshotModel

/// Accounts (brands) and their apps.
public protocol AccountStore: Sendable {
    /// Finds an account by its id.
    func account(_ id: AccountID) async throws(AdapterFailure) -> Account?

    /// Reads the first accounts, ordered by id.
    func accounts(atMost limit: Int) async throws(AdapterFailure) -> [Account]

    /// Finds an app of an account by its id.
    func app(_ id: AppID, of account: AccountID) async throws(AdapterFailure) -> App?

    /// Reads the origins that apps allow, of all accounts. The origins of a damaged app are left out.
    func allowedOrigins() async throws(AdapterFailure) -> Set<String>

    /// Reads all apps of an account, ordered by id.
    func apps(of account: AccountID) async throws(AdapterFailure) -> [App]

    /// Inserts an account, or replaces the one with the same id.
    func save(_ account: Account) async throws(AdapterFailure)

    /// Replaces an account that exists and the file of its logo (`nil`: it has none), both or neither.
    func save(_ account: Account, logo: [UInt8]?) async throws(AdapterFailure)

    /// Reads the file of an account's logo.
    func logo(of account: AccountID) async throws(AdapterFailure) -> [UInt8]?

    /// Inserts an app, or replaces the one with the same account and id.
    func save(_ app: App) async throws(AdapterFailure)

    /// Reads which accounts are suspended.
    func suspended() async throws(AdapterFailure) -> Set<AccountID>

    /// Suspends an account or lifts its suspension. The audit entry is written only if that changes anything.
    func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure)
}

/// The people who work for brands.
public protocol AgentStore: Sendable {
    /// Finds an agent of an account by e-mail address, in lower case.
    func agent(email: String, of account: AccountID) async throws(AdapterFailure) -> Agent?

    /// Finds an agent by id.
    func agent(_ id: AgentID) async throws(AdapterFailure) -> Agent?

    /// Reads everyone who works for an account, ordered by id.
    func agents(of account: AccountID) async throws(AdapterFailure) -> [Agent]

    /// Inserts an agent, or replaces the one with the same id.
    func save(_ agent: Agent) async throws(AdapterFailure)

    /// Changes one agent, ends their sessions if the change requires it, and writes the audit entry, all in one
    /// transaction.
    func change(_ change: PersonChange) async throws(AdapterFailure) -> PersonChange.Outcome
}

/// The sign-ins of agents.
public protocol SessionStore: Sendable {
    /// Finds the session with this digest, if it has not expired.
    func session(_ digest: [UInt8], at now: Timestamp) async throws(AdapterFailure) -> Session?

    /// Inserts a session, or replaces the one with the same digest.
    func save(_ session: Session) async throws(AdapterFailure)

    /// Reads the sessions of an agent that have not expired, the newest first.
    func sessions(of agent: AgentID, at now: Timestamp) async throws(AdapterFailure) -> [Session]

    /// Removes the session with this digest.
    func remove(session digest: [UInt8]) async throws(AdapterFailure)

    /// Removes sessions that expired by `now`, the oldest first, at most `limit`.
    /// - Returns: how many were removed.
    func removeSessions(expiredBy now: Timestamp, limit: Int) async throws(AdapterFailure) -> Int

    /// Notes that a session is used, unless a use between `earlier` and `now` is noted already. Does nothing for a
    /// session that ended.
    func noteUse(of session: [UInt8], at now: Timestamp, unlessAfter earlier: Timestamp) async throws(AdapterFailure)

    /// After how many minutes without use the sessions of an account's people end; `nil` if it never chose.
    func idleMinutes(of account: AccountID) async throws(AdapterFailure) -> Int?

    /// Sets those minutes. The audit entry is written only if that changes anything.
    func save(idleMinutes: Int, of account: AccountID, audit: AuditEntry) async throws(AdapterFailure)
}

/// The consumers of brands.
public protocol ConsumerStore: Sendable {
    /// Finds a consumer by id.
    func consumer(_ id: ConsumerID) async throws(AdapterFailure) -> Consumer?

    /// Inserts a consumer, or replaces the one with the same id.
    func save(_ consumer: Consumer) async throws(AdapterFailure)
}
