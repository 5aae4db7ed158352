public import EarshotModel

/// Ends sessions that nobody uses. A session ends after the time that its brand allows without a request and without a
/// live socket. The last use is stored to two minutes, so that a request is rarely a write.
public struct IdleSessionService: Sendable {
    /// The shortest time between two notes of a session's use.
    public static let precisionMs: Int64 = 2 * 60 * 1000
    /// The minutes of a brand that never chose: as long as a session lasts.
    public static let usualMinutes = Limits.sessionIdleMinutes.upperBound

    private let sessions: any AgentStore & SessionStore
    private let environment: SystemEnvironment

    init(sessions: any AgentStore & SessionStore, environment: SystemEnvironment) {
        self.sessions = sessions
        self.environment = environment
    }

    // MARK: The rule

    /// After how many minutes without use a session of the brand's people ends.
    /// - Throws: `forbidden` without the permission.
    public func minutes(as manager: AgentCaller) async throws -> Int {
        try manager.require(.changePeople)
        return try await minutes(of: manager.account)
    }

    /// Sets those minutes. They are in force for every session at its next request.
    /// - Throws: `forbidden` without the permission, `setting_out_of_range`.
    public func set(minutes: Int, as manager: AgentCaller) async throws {
        try manager.require(.changePeople)
        try Self.check(minutes: minutes)
        try await sessions.save(
            idleMinutes: minutes, of: manager.account,
            audit: Self.entry(minutes, of: manager.account, by: manager.id.rawValue, at: environment.now()))
    }

    /// Checks the minutes that someone wishes to set.
    /// - Throws: `setting_out_of_range`.
    public static func check(minutes: Int) throws(Rejection) {
        let range = Limits.sessionIdleMinutes
        guard range.contains(minutes) else {
            throw Rejection(
                .settingOutOfRange,
                "Sign-ins can end after \(range.lowerBound) to \(range.upperBound) minutes without use.",
                limit: minutes < range.lowerBound ? range.lowerBound : range.upperBound)
        }
    }

    /// The audit entry of a change.
    public static func entry(_ minutes: Int, of account: AccountID, by author: String, at now: Timestamp) -> AuditEntry
    {
        AuditEntry(account: account, at: now, by: author, what: .sessionRuleChanged, detail: "idleMinutes=\(minutes)")
    }

    // MARK: Sessions

    /// Those sessions of a brand's people that are in use.
    func inUse(_ sessions: [Session], of account: AccountID) async throws -> [Session] {
        let (minutes, now) = (try await minutes(of: account), environment.now())
        return sessions.filter { !$0.isIdle(after: minutes, at: now) }
    }

    /// Checks that a session is in use.
    /// - Throws: `not_signed_in` if it was idle for too long.
    func check(_ session: Session, of account: AccountID) async throws {
        guard try await !inUse([session], of: account).isEmpty else { throw Rejection.notSignedIn }
    }

    /// Notes that a session is used now, unless that was noted a moment ago. A session works also while nothing can be
    /// written.
    func noteUse(of session: Session) async {
        let now = environment.now()
        let earlier = now.adding(milliseconds: -Self.precisionMs)
        guard session.lastUse <= earlier || session.lastUse > now else { return }
        try? await sessions.noteUse(of: session.digest, at: now, unlessAfter: earlier)
    }

    /// When the use of a session by a socket has to be noted: now, or `nil` where that was done a moment ago.
    /// - Parameter last: when it was noted last.
    public func timeToNote(after last: Timestamp?) -> Timestamp? {
        let now = environment.now()
        guard let last, last <= now, now < last.adding(milliseconds: Self.precisionMs) else { return now }
        return nil
    }

    /// Notes that a live socket uses a session.
    /// - Throws: `not_signed_in` if the session ended or was idle for too long before.
    public func use(_ session: [UInt8]) async throws {
        guard let session = try await sessions.session(session, at: environment.now()),
            let agent = try await sessions.agent(session.agent)
        else { throw Rejection.notSignedIn }
        try await check(session, of: agent.account)
        await noteUse(of: session)
    }

    private func minutes(of account: AccountID) async throws -> Int {
        try await sessions.idleMinutes(of: account) ?? Self.usualMinutes
    }
}

extension Session {
    /// When the session was used last, to a few minutes.
    public var lastUse: Timestamp {
        used ?? since ?? expires.adding(milliseconds: -IdentityService.sessionLifetimeMs)
    }

    /// Whether the session has not expired, and does not expire later than any session can: one that was made while the
    /// clock was wrong must not live longer.
    func isValid(at now: Timestamp) -> Bool {
        expires > now
            && expires
                <= now.adding(milliseconds: IdentityService.sessionLifetimeMs + ConsumerTokens.clockSkewMs)
    }

    /// Whether the session was not used for so many minutes.
    func isIdle(after minutes: Int, at now: Timestamp) -> Bool {
        now >= lastUse.adding(milliseconds: Int64(minutes) * 60_000)
    }
}
