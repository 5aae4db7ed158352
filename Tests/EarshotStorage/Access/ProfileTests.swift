import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotStorage

@Suite struct `Profiles and groups in the database` {
    private static let brand = AccountID(trusted: "brand")
    private static let other = AccountID(trusted: "other")

    private static func profile(_ id: String, of account: AccountID = brand, name: String = "Temps") -> Profile {
        Profile(
            id: ProfileID(trusted: id), account: account, name: name,
            permissions: [.answerConversations, .searchConversations])
    }

    private static func group(_ id: String, of account: AccountID = brand) -> PeopleGroup {
        PeopleGroup(
            id: GroupID(trusted: id), account: account, name: "Nörth", skills: [SkillID(trusted: "orders")],
            people: [AgentID(trusted: "dana"), AgentID(trusted: "erik")])
    }

    private static func entry(_ what: AuditAction = .profileChanged) -> AuditEntry {
        AuditEntry(account: brand, at: Timestamp(milliseconds: 1), by: "mira", what: what)
    }

    private static func with(_ body: (SQLiteStore) async throws -> Void) async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        try await body(store)
        try store.close()
    }

    private static func save(_ profile: Profile, isNew: Bool = true, atMost limit: Int = 9, in store: SQLiteStore)
        async throws -> Bool
    {
        try await store.profiles.save(profile, isNew: isNew, atMost: limit, audit: entry())
    }

    @Test func `come back as they were, for their brand only`() async throws {
        try await Self.with { store in
            for profile in [Self.profile("b"), Self.profile("a"), Self.profile("c", of: Self.other)] {
                let isSaved = try await Self.save(profile, in: store)
                #expect(isSaved)
            }
            #expect(try await store.profiles.profiles(of: Self.brand) == [Self.profile("a"), Self.profile("b")])
            #expect(try await store.profiles.profile(ProfileID(trusted: "c"), of: Self.brand) == nil)
            let isSaved = try await store.profiles.save(
                Self.group("g"), isNew: true, atMost: 1, audit: Self.entry(.groupChanged))
            #expect(isSaved)
            #expect(try await store.profiles.groups(of: Self.brand) == [Self.group("g")])
            #expect(try await store.profiles.groups(of: Self.other).isEmpty)
        }
    }

    @Test func `are replaced where they exist, and are not more than the limit`() async throws {
        try await Self.with { store in
            var saved: [Bool] = []
            for (profile, isNew) in [
                (Self.profile("a"), true), (Self.profile("b"), true), (Self.profile("c"), true),
                (Self.profile("b", name: "Night"), false), (Self.profile("d"), false),
                (Self.profile("e", of: Self.other), true),
            ] {
                saved.append(try await Self.save(profile, isNew: isNew, atMost: 2, in: store))
            }
            #expect(saved == [true, true, false, true, false, true])
            #expect(try await store.profiles.profiles(of: Self.brand).map(\.name) == ["Temps", "Night"])
            #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 4)
        }
    }

    @Test func `are removed by their own brand, a profile only where nobody has it`() async throws {
        try await Self.with { store in
            _ = try await Self.save(Self.profile("a"), in: store)
            let id = ProfileID(trusted: "a")
            var dana = Agent(
                id: AgentID(trusted: "dana"), account: Self.brand, email: "dana@brand.example", name: "Dana",
                role: .agent, password: .none, profile: id)
            try await store.accounts.save(
                Account(id: Self.brand, name: "B", color: "#aa3355", welcome: "", audioLimitMs: 1_000))
            try await store.accounts.save(dana)
            #expect(try await store.accounts.agent(dana.id)?.profile == id)
            var outcomes: [ProfileRemoval] = []
            for brand in [Self.other, Self.brand] {
                outcomes.append(try await store.profiles.removeProfile(id, of: brand, audit: Self.entry()))
            }
            dana.profile = nil
            try await store.accounts.save(dana)
            for _ in 0..<2 {
                outcomes.append(try await store.profiles.removeProfile(id, of: Self.brand, audit: Self.entry()))
            }
            #expect(outcomes == [.notFound, .inUse, .removed, .notFound])
            _ = try await store.profiles.save(
                Self.group("g"), isNew: true, atMost: 1, audit: Self.entry(.groupChanged))
            var removed: [Bool] = []
            for brand in [Self.other, Self.brand, Self.brand] {
                removed.append(
                    try await store.profiles.removeGroup(
                        GroupID(trusted: "g"), of: brand, audit: Self.entry(.groupChanged)))
            }
            #expect(removed == [false, true, false])
        }
    }

    /// The search decides in SQL what the live feed decides in memory: both say the same of the same conversation.
    @Test func `decide alike in a search and in memory`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        let probe = StoreProbe(store)
        let identity = ConversationIdentity.sample()
        try await probe.accept(.say("Where is my parcel?"), key: "k", in: .sample())
        let state = try #require(try await store.log.view(identity.id, after: nil, limit: 1)?.state)
        let inbox = try await store.log.inbox(identity.account, after: nil)
        let row = try #require(inbox.rows.first)
        for (queues, groups, isSeen) in [
            (["general"], [], true), (["orders"], [], false), ([], [], false),
            ([], [Self.group("g", skills: ["general"])], true), ([], [Self.group("g", skills: ["orders"])], false),
        ] as [([String], [PeopleGroup], Bool)] {
            let scope = Self.scope(queues, groups)
            var query = SearchQuery(limit: 10)
            query.scope = scope
            guard case .found(let found) = try await store.contactCentre.search(query, in: identity.account) else {
                return #expect(Bool(false))
            }
            #expect(found.count == (isSeen ? 1 : 0), "\(queues) \(groups.map(\.skills))")
            query.words = "parcel"
            guard case .found(let said) = try await store.contactCentre.search(query, in: identity.account) else {
                return #expect(Bool(false))
            }
            #expect(said.count == (isSeen ? 1 : 0), "\(queues) with words")
            #expect(scope.sees(ScopeFacts(state)) == isSeen)
            #expect(scope.sees(ScopeFacts(row, people: inbox.people[row.conversation] ?? .init())) == isSeen)
        }
        try store.close()
    }

    /// M2: tagging, declining and mentioning oneself are no way to keep a conversation in sight.
    @Test func `decide alike about people who were called or only did something quietly`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        let probe = StoreProbe(store)
        let dana = Actor.agent(id: AgentID(trusted: "dana"), name: "Dana", role: .agent)
        let lea = Actor.agent(id: AgentID(trusted: "lea"), name: "Lea", role: .agent)
        let mention = { (by: Actor) -> (Command, Actor) in
            (.note(.init(text: "Look", mentions: [AgentID(trusted: "dana")])), by)
        }
        let context = Context(
            now: probe.clock.now, centre: ContactCentreSettings(), colleagues: [AgentID(trusted: "dana"): "Dana"])
        let stories: [([(Command, Actor)], Bool)] = [
            ([(.tags(["x"]), dana)], false), ([mention(dana)], false), ([mention(lea)], true),
            ([mention(lea), (.noticed, dana)], true), ([(.note(.init(text: "Mine")), dana)], false),
        ]
        for (index, (steps, isSeen)) in stories.enumerated() {
            let identity = ConversationIdentity(
                id: ConversationID(trusted: "quiet-\(index)"), account: AccountID(trusted: "quiet-\(index)"),
                app: AppID(trusted: "shop"), consumer: ConsumerID(trusted: "c-\(index)"), channel: .web)
            try await probe.accept(.say("Where is my parcel?"), key: "a", in: identity)
            for (step, (command, actor)) in ([(Command.take, lea)] + steps).enumerated() {
                let answer = await probe.perform(
                    probe.change(command, key: "k\(step)", in: identity, by: actor, context: context))
                guard case .success = answer else { return #expect(Bool(false), "\(command): \(answer)") }
            }
            let inbox = try await store.log.inbox(identity.account, after: nil)
            let row = try #require(inbox.rows.first)
            let state = try #require(try await store.log.view(identity.id, after: nil, limit: 1)?.state)
            var query = SearchQuery(limit: 10)
            let scope = Self.scope([], [])
            query.scope = scope
            guard case .found(let found) = try await store.contactCentre.search(query, in: identity.account) else {
                return #expect(Bool(false), "the search was too slow")
            }
            #expect(found.count == (isSeen ? 1 : 0), "\(index)")
            #expect(scope.sees(ScopeFacts(state)) == isSeen, "\(index)")
            #expect(
                scope.sees(ScopeFacts(row, people: inbox.people[row.conversation] ?? .init())) == isSeen, "\(index)")
        }
        try store.close()
    }

    private static func group(_ id: String, skills: [String]) -> PeopleGroup {
        PeopleGroup(
            id: GroupID(trusted: id), account: brand, name: "G", skills: Set(skills.map { SkillID(trusted: $0) }),
            people: [AgentID(trusted: "dana")])
    }

    private static func scope(_ queues: [String], _ groups: [PeopleGroup]) -> ConversationScope {
        var settings = ContactCentreSettings()
        settings.skills = ["general", "orders"].map {
            Skill(id: SkillID(trusted: $0), name: $0, isDefault: $0 == "general")
        }
        let dana = AgentID(trusted: "dana")
        settings.people = [Seat(agent: dana, skills: queues.map { SkillID(trusted: $0) })]
        return .part(.init(of: dana, groups: groups, in: settings, hasHistory: false))
    }
}
