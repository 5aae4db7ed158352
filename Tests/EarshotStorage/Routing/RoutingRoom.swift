import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import Synchronization

/// A brand with a real log, its routing service, and a clock that a test moves.
final class RoutingRoom: Sendable {
    static let account = Account.sample.id
    static let (dana, omar, mira) = (
        AgentID(trusted: "agent-dana"), AgentID(trusted: "agent-omar"), AgentID(trusted: "agent-mira")
    )

    let database: TemporaryDatabase
    let store: SQLiteStore
    let clock: ManualClock
    let service: RoutingService
    private let keys = Mutex(0)

    /// - Parameter database: one that another room left behind, after a crash.
    init(
        _ centre: ContactCentreSettings, database: TemporaryDatabase? = nil, clock: ManualClock = ManualClock(),
        online: [AgentID] = []
    ) async throws {
        self.clock = clock
        self.database = try database ?? TemporaryDatabase()
        store = try self.database.open()
        service = RoutingService(
            store: store.log, source: store.contactCentre,
            people: .init(accounts: store.accounts, profiles: store.profiles), centres: Source(centre: centre),
            environment: clock.environment(seed: 1))
        store.log.connect(service)
        if database == nil { try await people(online) }
        try await service.begin()
        for agent in try await store.accounts.agents(of: Self.account) where !agent.isDisabled {
            service.connected(agent.id, of: Self.account)
        }
        try await service.turn()
    }

    struct Source: ContactCentreSource {
        let centre: ContactCentreSettings
        func centre(of account: AccountID) async throws -> ContactCentreSettings { centre }
    }

    private func people(_ online: [AgentID]) async throws {
        try await store.accounts.save(Account.sample)
        try await store.accounts.save(App.sample)
        for (id, name, role) in [
            (Self.dana, "Dana", Role.agent), (Self.omar, "Omar", .agent), (Self.mira, "Mira", .manager),
        ] {
            try await store.accounts.save(
                Agent(
                    id: id, account: Self.account, email: "\(name)@brand.example", name: name, role: role,
                    password: PasswordHash(encoded: "scrypt$none")))
            let state: Presence.State = online.contains(id) ? .online : .away
            try await store.contactCentre.save(Presence(state: state, since: clock.now), of: id, in: Self.account)
        }
    }

    /// A consumer of their own writes, and routing follows.
    @discardableResult
    func consumer(_ number: Int, page: String? = nil, language: String? = nil, zone: String? = nil) async throws
        -> ConversationIdentity
    {
        let identity = try await arrive(number, page: page, language: language, zone: zone)
        try await service.turn()
        return identity
    }

    /// A consumer of their own writes. Routing has not followed yet.
    func arrive(_ number: Int, page: String? = nil, language: String? = nil, zone: String? = nil) async throws
        -> ConversationIdentity
    {
        try await store.accounts.save(visitor(number, page: page, language: language, zone: zone))
        let identity = ConversationIdentity(
            id: ConversationID(trusted: "conversation-\(number)"), account: Self.account, app: App.sample.id,
            consumer: ConsumerID(trusted: "consumer-\(number)"), channel: .web)
        _ = try await ask(.say("Hello?"), in: identity, by: .consumer).get()
        return identity
    }

    func visitor(_ number: Int, page: String? = nil, language: String? = nil, zone: String? = nil) -> Consumer {
        Consumer(
            id: ConsumerID(trusted: "consumer-\(number)"), account: Self.account, app: App.sample.id,
            conversation: ConversationID(trusted: "conversation-\(number)"), since: clock.now,
            name: "Visitor \(number)", page: page, language: language, device: nil, zone: zone)
    }

    static func agent(_ id: AgentID) -> Actor {
        .agent(id: id, name: id == dana ? "Dana" : id == omar ? "Omar" : "Mira", role: id == mira ? .manager : .agent)
    }

    /// Asks, as the conversation service does, and lets routing follow.
    @discardableResult
    func perform(_ command: Command, in identity: ConversationIdentity, by actor: Actor) async throws -> Accepted {
        let accepted = try await ask(command, in: identity, by: actor).get()
        try await service.turn()
        return accepted
    }

    func ask(_ command: Command, in identity: ConversationIdentity, by actor: Actor) async throws -> Result<
        Accepted, ChangeFailure
    > {
        var author = identity.consumer.rawValue
        var caller = Caller.consumer(
            .init(
                id: identity.consumer, account: Self.account, app: identity.app, conversation: identity.id,
                tokenIssued: clock.now))
        if case .agent(let id, let name, let role, _) = actor {
            author = id.rawValue
            caller = .agent(.init(id: id, account: Self.account, name: name, role: role))
        }
        let key = keys.withLock { number -> IdempotencyKey in
            number += 1
            return IdempotencyKey(trusted: "key-\(number)-\(clock.now.milliseconds)")
        }
        let context = try await service.context(for: caller, at: clock.now)
        let change = Change(
            actor == .consumer ? .existingOrNew(identity) : .existing(identity.id),
            .init(author: author, key: key, digest: Array(repeating: 1, count: 16), at: clock.now),
            decide: { state throws(Rejection) in try state.decide(command, by: actor, in: context) })
        return await withCheckedContinuation { continuation in
            store.log.change(change) { continuation.resume(returning: $0) }
        }
    }

    /// So much time goes by.
    func wait(seconds: Int64 = 0, ms: Int64 = 0) async throws {
        clock.advance(milliseconds: seconds * 1000 + ms)
        try await service.turn()
    }

    func state(_ identity: ConversationIdentity) async throws -> ConversationState {
        guard let view = try await store.log.view(identity.id, after: nil, limit: 1) else {
            throw AdapterFailure("no conversation", isRetryable: false)
        }
        return view.state
    }

    func contactCentreEvents(_ identity: ConversationIdentity) async throws -> [Event.Kind] {
        guard let view = try await store.log.view(identity.id, after: 0, limit: 1000) else { return [] }
        return try view.events.map { try $0.decoded().kind }.filter(\.isContactCentre)
    }

    func choose(_ state: Presence.State, _ id: AgentID) async throws {
        try await service.choose(
            state, reason: nil,
            as: .init(id: id, account: Self.account, name: "", role: id == Self.mira ? .manager : .agent))
        try await service.turn()
    }

    /// Somebody is switched off, or on, or becomes something else, as the identity service does it.
    func change(_ id: AgentID, _ patch: PersonPatch) async throws {
        let audit = AuditEntry(account: Self.account, at: clock.now, by: "test", what: .personChanged)
        guard
            case .changed(_, let agent) = try await store.accounts.change(
                PersonChange(account: Self.account, person: id, patch: patch, audit: audit))
        else {
            throw AdapterFailure("nobody changed", isRetryable: false)
        }
        service.changed(agent)
        if agent.isDisabled { service.disconnected(id, of: Self.account) }
        try await service.turn()
    }

    /// The server is killed: nothing of this room but its database stays.
    func killed() async throws -> (TemporaryDatabase, ManualClock) {
        try store.close()
        return (database, clock)
    }
}

extension ContactCentreSettings {
    /// One skill, set up by its brand.
    static func oneSkill(
        _ accept: AcceptMode = .offer, autoCloseSeconds: Int? = nil, automatic: [AutomaticMessage] = [],
        rules: [RoutingRule] = []
    ) -> ContactCentreSettings {
        var skill = Skill.general
        (skill.accept, skill.autoCloseSeconds) = (accept, autoCloseSeconds)
        return ContactCentreSettings(
            version: 2, skills: [skill, Skill(id: SkillID(trusted: "orders"), name: "Orders")], rules: rules,
            automatic: automatic)
    }
}
