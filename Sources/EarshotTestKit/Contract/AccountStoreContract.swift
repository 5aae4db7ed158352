import EarshotCore
import EarshotModel

/// What every adapter of `AccountStore` promises. Run each check with a database of its own.
public enum AccountStoreContract<Subject: StoreUnderTest> {
    /// A check of this suite.
    public typealias Check = ContractCheck<Subject>

    /// All checks of the suite.
    public static var checks: [Check] {
        rowChecks + [logoCheck] + sessionChecks + recordingChecks + settingsChecks + auditChecks
            + auditQueryChecks + personChangeChecks
            + suspensionChecks
    }

    static func check(_ promise: String, _ body: @escaping @Sendable (any AccountData) async throws -> Void) -> Check {
        Check(promise) { subject in
            let store = try await subject.open()
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(store.accounts)) } catch { outcome = .failure(error) }
            try await subject.close(store)
            try outcome.get()
        }
    }

    private static func fails(_ body: () async throws -> Void) async -> Bool {
        do { try await body() } catch { return true }
        return false
    }

    private static var logoCheck: Check {
        check("A logo is that of its account, until it is replaced or removed") { store in
            var account = Account.sample
            let other = AccountID(trusted: "other")
            try await store.save(account)
            for (version, file) in [("one", [1, 2, 3]), ("two", [4]), (nil, nil)] as [(String?, [UInt8]?)] {
                account.logo = version
                try await store.save(account, logo: file)
                try same(try await store.account(account.id), account, "the account")
                try same(try await store.logo(of: account.id), file, "the file")
                try hold(try await store.logo(of: other) == nil, "no file of another account")
            }
        }
    }

    private static var rowChecks: [Check] {
        [
            check("What was saved is found by its ids, and by nobody else's") { store in
                try await store.save(Account.sample)
                try await store.save(Agent.sample)
                try await store.save(App.sample)
                try await store.save(Consumer.sample)
                try same(try await store.account(Account.sample.id), .sample, "the account")
                try same(try await store.agent(Agent.sample.id), .sample, "the agent")
                try same(
                    try await store.agent(email: Agent.sample.email, of: Account.sample.id), .sample,
                    "the agent by address")
                try same(try await store.app(App.sample.id, of: Account.sample.id), .sample, "the app")
                try same(try await store.consumer(Consumer.sample.id), .sample, "the consumer")
                try hold(
                    try await store.app(App.sample.id, of: AccountID(trusted: "other")) == nil,
                    "no app of another account")
                try hold(
                    try await store.agent(email: Agent.sample.email, of: AccountID(trusted: "other")) == nil,
                    "no agent of another account")
                try hold(try await store.account(AccountID(trusted: "other")) == nil, "no other account")
            },
            check("Saving again replaces, and keeps what hangs on it") { store in
                try await store.save(Account.sample)
                try await store.save(Agent.sample)
                var account = Account.sample
                account.name = "Another name"
                var agent = Agent.sample
                agent.email = "new@brand.example"
                try await store.save(account)
                try await store.save(agent)
                try same(try await store.account(account.id), account, "the account")
                try same(
                    try await store.agent(email: agent.email, of: account.id), agent, "the agent by the new address")
                try hold(
                    try await store.agent(email: Agent.sample.email, of: account.id) == nil, "nobody at the old address"
                )
            },
            check("One address is one agent of an account") { store in
                try await store.save(Account.sample)
                try await store.save(Agent.sample)
                let twin = Agent(
                    id: AgentID(trusted: "twin"), account: Agent.sample.account, email: Agent.sample.email,
                    name: "Twin", role: .agent,
                    password: Agent.sample.password)
                try hold(await fails { try await store.save(twin) }, "a second agent with one address is refused")
                try hold(try await store.agent(twin.id) == nil, "the twin was not stored")
                try same(try await store.agent(Agent.sample.id), .sample, "the first agent")
            },
            check("A recording belongs to its conversation") { store in
                try same(try await store.keep(.sample), .sample, "what is kept")
                let media = RecordedMedia.sample.content.media
                try same(
                    try await store.recording(media, in: RecordedMedia.sample.conversation), .sample, "the recording")
                try hold(
                    try await store.recording(media, in: ConversationID(trusted: "other")) == nil,
                    "none in another conversation")
            },
        ]
    }

    private static var sessionChecks: [Check] {
        [
            check("A session lives until it expires or is removed") { store in
                try await store.save(Account.sample)
                try await store.save(Agent.sample)
                let expires = Timestamp(milliseconds: 1_000)
                let session = Session(digest: [0, 1, 254, 255], agent: Agent.sample.id, expires: expires)
                try await store.save(session)
                try same(
                    try await store.session(session.digest, at: expires.adding(milliseconds: -1)), session,
                    "just before")
                try hold(try await store.session(session.digest, at: expires) == nil, "none when it expires")
                try hold(
                    try await store.session([0, 1, 254], at: Timestamp(milliseconds: 0)) == nil,
                    "none by another digest")
                try await store.remove(session: session.digest)
                try hold(
                    try await store.session(session.digest, at: Timestamp(milliseconds: 0)) == nil, "none once removed")
            },
            check("Expired sessions are removed a few at a time, and no others") { store in
                try await store.save(Account.sample)
                try await store.save(Agent.sample)
                for number in 1...7 as ClosedRange<UInt8> {
                    try await store.save(
                        Session(
                            digest: [number], agent: Agent.sample.id,
                            expires: Timestamp(milliseconds: Int64(number) * 1_000)))
                }
                let now = Timestamp(milliseconds: 5_000)
                for removed in [2, 2, 1, 0] {
                    try same(try await store.removeSessions(expiredBy: now, limit: 2), removed, "removed at once")
                }
                for number in 1...7 as ClosedRange<UInt8> {
                    let kept = try await store.session([number], at: Timestamp(milliseconds: 0)) != nil
                    try same(kept, number > 5, "the session of second \(number)")
                }
            },
        ]
    }
}
