import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation

@testable import EarshotStorage

/// The story of two brands in one database: the names of their apps, profiles and groups are the same, and so are the
/// e-mail addresses of their people and the subjects of their consumers. One brand's transcript tells all that it reads
/// and what its changes answer.
struct TwoBrands {
    /// One answer.
    struct Entry: Equatable, CustomStringConvertible {
        let label: String
        let answer: AnyHashable?

        var description: String { "\(label): \(answer.map { "\($0)" } ?? "nil")" }
    }

    /// Sorts before `own`, so that a statement without its condition finds these rows first.
    private static let foreign = BrandStory("aaa", isLarge: true)
    private static let own = BrandStory("brand", isLarge: false)
    private static let empty = BrandStory("empty", isLarge: false)

    /// Tells the story.
    /// - Parameters:
    ///   - isAlone: whether there is no other brand.
    ///   - replacement: a statement that is prepared instead of another.
    /// - Returns: the transcript of one of the brands, and the statements that have a brand as a condition.
    static func transcript(isAlone: Bool, replacing replacement: StatementHook.Replacement? = nil) async throws
        -> (entries: [Entry], statements: Set<String>)
    {
        let database = try TemporaryDatabase(options: SQLiteStore.Options(synchronous: .normal))
        let hook = StatementHook(folder: database.folder, replacing: replacement)
        defer { hook.end() }
        let store = try database.open()
        do {
            let entries = try await tell(isAlone, store)
            try store.close()
            return (entries, hook.statements.filter { $0.contains(AccountCondition.pattern) })
        } catch {
            try? store.close()
            throw error
        }
    }

    private static func tell(_ isAlone: Bool, _ store: SQLiteStore) async throws -> [Entry] {
        var entries: [Entry] = []
        if !isAlone { try await foreign.begin(store) }
        let before = isAlone ? [] : try await foreign.read(store, besides: own)
        try await own.begin(store)
        try await empty.beginWithoutConversations(store)
        entries += try await own.read(store, besides: foreign)
        entries += try await own.change(store, besides: foreign)
        entries += [
            Entry(
                label: "an empty brand is removed",
                answer: try await store.installation.removeEmpty(empty.id, audit: empty.entry(.brandRemoved)))
        ]
        entries += try await empty.read(store, besides: own)
        entries += try await own.read(store, besides: foreign)
        while try await store.contactCentre.index(atMost: 100) > 0 {}
        entries += try await own.read(store, besides: foreign)
        if !isAlone {
            let after = try await foreign.read(store, besides: own)
            // Once indexed, the same is found.
            if after != before { entries.append(Entry(label: "the other brand changed", answer: nil)) }
        }
        return entries
    }
}

/// What one brand does.
struct BrandStory {
    private typealias Entry = TwoBrands.Entry

    let id: AccountID
    /// Whether it has more of everything, so that a limit on the number of rows shows whose rows are counted.
    private let isLarge: Bool
    private let now = Timestamp(milliseconds: 1_763_798_400_000)
    private let shop = AppID(trusted: "shop")
    private let clerk = ProfileID(trusted: "clerk")
    private let team = GroupID(trusted: "team")

    init(_ name: String, isLarge: Bool) { (id, self.isLarge) = (AccountID(trusted: name), isLarge) }

    private func identity(_ number: Int) -> ConversationIdentity { .sample(number, account: id.rawValue) }
    private func agent(_ name: String) -> AgentID { AgentID(trusted: "\(name)-\(id)") }
    private func key(_ number: Int) -> APIKeyID { APIKeyID(trusted: "key-\(number)-\(id)") }
    private var actor: EarshotDomain.Actor { .agent(id: agent("dana"), name: "Dana", role: .agent) }

    func entry(_ what: AuditAction, by author: String = "mona") -> AuditEntry {
        AuditEntry(account: id, at: now, by: author, what: what, conversation: identity(1).id)
    }

    // MARK: Beginning

    func begin(_ store: SQLiteStore) async throws {
        try await beginWithoutConversations(store)
        try await people(store)
        try await talk(StoreProbe(store))
        try await recordings(store)
        try await consumers(store)
        try await keepAndHold(store)
    }

    func beginWithoutConversations(_ store: SQLiteStore) async throws {
        try await store.accounts.save(
            Account(id: id, name: "Brand \(id)", color: "#336699", welcome: "Hello", audioLimitMs: 60_000))
        try await store.accounts.save(
            App(id: shop, account: id, name: "Shop of \(id)", allowedOrigins: ["https://\(id).example"]))
        for (name, role) in [("dana", Role.agent), ("mona", .administrator)]
            + (isLarge ? [("mira", .administrator)] : [])
        {
            try await store.accounts.save(
                Agent(
                    id: agent(name), account: id, email: "\(name)@x.example", name: "\(name) of \(id)", role: role,
                    password: PasswordHash(encoded: "none"), profile: isLarge && name == "mira" ? clerk : nil))
        }
        for number in 1...(isLarge ? 2 : 1) {
            var patch = AudioSettingsPatch()
            patch.maxSeconds = isLarge ? 20 + number : 40
            _ = try await store.accounts.change(
                SettingsChange(
                    account: id, initial: AccountSettings(), patch: SettingsPatch(audio: patch),
                    audit: entry(.settingsChanged)))
            try await centre(.skills, "\"skills \(number) of \(id)\"", store)
        }
        try await centre(.canned, "[\"\(id)\"]", store)
        try await store.contactCentre.save(
            Presence(state: isLarge ? .away : .online, since: now), of: agent("dana"), in: id)
        try await store.contactCentre.save(
            [SavedView(id: "v", name: "View of \(id)", shared: true, filter: [:])], of: agent("dana"), in: id)
    }

    private func centre(_ section: ContactCentreSettings.Section, _ value: String, _ store: SQLiteStore) async throws {
        _ = try await store.contactCentre.change(
            ContactCentreChange(
                account: id, section: section, values: .init(initial: Array("0".utf8), new: Array(value.utf8)),
                at: now, author: .init(id: agent("mona").rawValue, seen: 99)))
    }

    private func people(_ store: SQLiteStore) async throws {
        let ivy = Agent(
            id: agent("ivy"), account: id, email: "ivy@x.example", name: "Ivy", role: .agent,
            password: PasswordHash(encoded: ""))
        let link = PasswordLink(
            digest: Array("link \(id)".utf8), agent: ivy.id, account: id, expires: now.adding(milliseconds: 9))
        _ = try await store.links.invite(ivy, by: link, audit: entry(.personInvited))
        _ = try await store.secondFactors.save(
            SecondFactor(agent: agent("dana"), account: id, sealed: [1], lastStep: 1, since: now),
            recoveryCodes: [[1]], audit: entry(.secondFactorAdded))
        if isLarge {
            _ = try await store.secondFactors.requireSecondFactor(
                true, of: id, audit: entry(.secondFactorRuleChanged))
        }
        let most = isLarge ? 2 : 1
        for number in 1...most {
            let made = APIKey(
                id: key(number), account: id, name: "Key", scopes: [.readHistory], digest: [UInt8(number)], by: "mona",
                made: now, expires: now)
            guard try await store.apiKeys.add(made, atMost: most, audit: entry(.keyMade)) else { throw Refused() }
            let profile = number == 1 ? clerk : ProfileID(trusted: "other")
            let group = number == 1 ? team : GroupID(trusted: "other")
            guard
                try await store.profiles.save(
                    Profile(id: profile, account: id, name: "Clerk of \(id)", permissions: [.searchConversations]),
                    isNew: true, atMost: most, audit: entry(.profileChanged)),
                try await store.profiles.save(
                    PeopleGroup(id: group, account: id, name: "Team of \(id)", skills: [], people: []), isNew: true,
                    atMost: most, audit: entry(.groupChanged))
            else { throw Refused() }
        }
    }

    /// A limit was reached too early.
    private struct Refused: Error {}

    private func talk(_ probe: StoreProbe) async throws {
        for number in 1...(isLarge ? 3 : 2) {
            try await probe.accept(.say("Where is my parcel, \(id)?"), key: "first", in: identity(number))
            _ = try await probe.perform(
                probe.change(
                    .route, with: .init(route: Routed(skill: SkillID(trusted: "orders"), urgent: false)), key: "route",
                    in: identity(number))
            ).get()
            try await probe.accept(.take, key: "take", in: identity(number), by: actor)
            try await probe.accept(.tags(["vip"]), key: "tags", in: identity(number), by: actor)
            try await probe.accept(.note(.init(text: "A fragile parcel")), key: "note", in: identity(number), by: actor)
            if number != 1 { try await probe.accept(.close, key: "close", in: identity(number), by: actor) }
        }
        try await probe.accept(.tags(["late"]), key: "other tags", in: identity(1), by: actor)
    }

    private func recordings(_ store: SQLiteStore) async throws {
        for number in 1...(isLarge ? 2 : 1) {
            _ = try await store.accounts.keep(
                RecordedMedia(
                    content: .sample("\(id)-\(number)"), conversation: identity(1).id,
                    author: identity(1).consumer.rawValue, sha256: [1], container: "webm", account: id, at: now))
        }
    }

    private func consumers(_ store: SQLiteStore) async throws {
        try await store.accounts.save(idleMinutes: isLarge ? 30 : 60, of: id, audit: entry(.settingsChanged))
        let anonymous = consumer(identity(1).consumer.rawValue, subject: nil)
        try await store.accounts.save(anonymous)
        _ = try await store.identities.signIn(
            consumer("signed-in-\(id)", subject: "7"), device: anonymous.id)
        _ = try await store.identities.signIn(
            consumer("elsewhere-\(id)", subject: "7", app: "outlet"), device: nil)
        try await store.identities.save(
            IdentityProvider(issuer: "https://\(id).example", audience: "a", keys: "{}", claims: []), of: id,
            audit: entry(.identityProviderChanged))
    }

    private func consumer(_ name: String, subject: String?, app: String = "shop") -> Consumer {
        Consumer(
            id: ConsumerID(trusted: name), account: id, app: AppID(trusted: app),
            conversation: subject == nil ? identity(1).id : ConversationID(trusted: "c-\(name)"), since: now,
            name: "Lovelace of \(id)", page: nil, language: nil, device: nil,
            subject: subject.map { ProviderSubject(issuer: "https://id.example", subject: $0) },
            verified: subject.map { _ in VerifiedClaims(name: nil, email: nil, phone: nil, others: []) })
    }

    private func keepAndHold(_ store: SQLiteStore) async throws {
        try await store.retention.save(retentionDays: isLarge ? 30 : 60, of: id, audit: entry(.retentionChanged))
        try await store.retention.place(
            LegalHold(conversation: identity(2).id, account: id, by: "mona", reason: "\(id)", at: now),
            audit: entry(.holdPlaced))
        let run = try await store.retention.begin(
            RemovalRun(
                id: 0, account: id, kind: .retention, by: "\(id)", begun: now.adding(milliseconds: isLarge ? 5 : 0)),
            for: nil)
        // The number of a run counts over all brands, so what is signed here has none.
        let shown = RemovalRun(id: 0, account: id, kind: .retention, by: "\(id)", begun: now)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try await store.retention.complete(
            SignedReceipt(
                receipt: RemovalReceipt(run, completed: now, key: "key"),
                payload: Array(try encoder.encode(RemovalReceipt(shown, completed: now, key: "key"))),
                signature: [1]),
            audit: entry(.conversationsPurged))
    }

    // MARK: Reading

    func read(_ store: SQLiteStore, besides other: BrandStory) async throws -> [TwoBrands.Entry] {
        try await readRows(store) + readPeople(store) + readConversations(store, besides: other)
            + readRetention(store)
    }

    private func readRows(_ store: SQLiteStore) async throws -> [Entry] {
        let audit = try await store.accounts.audit(id, AuditQuery(limit: 100)).map(\.entry)
        let checked = try await store.accounts.verifyAudit(of: id, known: nil)
        return [
            Entry(label: "account", answer: try await store.accounts.account(id)),
            Entry(label: "app", answer: try await store.accounts.app(shop, of: id)),
            Entry(label: "apps", answer: try await store.accounts.apps(of: id)),
            Entry(label: "settings", answer: try await store.accounts.settings(of: id)),
            Entry(label: "audit", answer: audit),
            Entry(
                label: "audit of a person",
                answer: try await store.accounts.audit(
                    id, AuditQuery(by: "mona", limit: 100)
                ).map(\.entry)),
            Entry(label: "audit is whole", answer: checked.isIntact && checked.entries == audit.count),
            Entry(label: "centre", answer: try await store.contactCentre.centre(of: id)),
            Entry(
                label: "revisions",
                answer: try await store.contactCentre.revisions(of: id, before: nil, limit: 9)),
            Entry(
                label: "revisions before",
                answer: try await store.contactCentre.revisions(of: id, before: 3, limit: 9)),
            Entry(label: "revision", answer: try await store.contactCentre.revision(2, of: id)),
            Entry(label: "views", answer: try await store.contactCentre.views(of: id)),
            Entry(label: "presences", answer: try await store.contactCentre.presences(of: id)),
            Entry(label: "recorded bytes", answer: try await store.accounts.recordedBytes(of: id)),
        ]
    }

    private func readPeople(_ store: SQLiteStore) async throws -> [Entry] {
        let anonymous = consumer(identity(1).consumer.rawValue, subject: nil)
        let signedIn = consumer("signed-in-\(id)", subject: "7")
        return [
            Entry(label: "people", answer: try await store.accounts.agents(of: id)),
            Entry(label: "person", answer: try await store.accounts.agent(email: "dana@x.example", of: id)),
            Entry(label: "links", answer: try await store.links.passwordLinks(of: id, at: now)),
            Entry(
                label: "second factor",
                answer: try await store.secondFactors.standing(of: agent("mona"), in: id)),
            Entry(label: "second factors", answer: try await store.secondFactors.secondFactors(of: id)),
            Entry(label: "keys", answer: try await store.apiKeys.apiKeys(of: id)),
            Entry(label: "profile", answer: try await store.profiles.profile(clerk, of: id)),
            Entry(label: "profiles", answer: try await store.profiles.profiles(of: id)),
            Entry(label: "groups", answer: try await store.profiles.groups(of: id)),
            Entry(label: "provider", answer: try await store.identities.identityProvider(of: id)?.issuer),
            Entry(label: "related", answer: try await store.identities.related(to: anonymous)),
            Entry(
                label: "consumers of a subject",
                answer: try await store.identities.consumers(
                    of: ProviderSubject(issuer: "https://id.example", subject: "7"), in: id)),
            Entry(label: "minutes of unused sessions", answer: try await store.accounts.idleMinutes(of: id)),
            Entry(label: "same subject", answer: try await store.identities.related(to: signedIn)),
        ]
    }

    private func readConversations(_ store: SQLiteStore, besides other: BrandStory) async throws -> [Entry] {
        let everyone = [1, 2, 3].flatMap { [identity($0).id, other.identity($0).id] }
        var entries: [Entry] = [
            Entry(label: "states", answer: try await store.log.states(of: everyone, in: id)),
            Entry(label: "counts", answer: try await store.contactCentre.counts(of: everyone, in: id)),
        ]
        for after in [nil, 0, 1] as [Int64?] {
            let inbox = try await store.log.inbox(id, after: after)
            entries.append(Entry(label: "inbox after \(String(describing: after))", answer: inbox.rows))
            entries.append(Entry(label: "its position", answer: inbox.position))
        }
        entries.append(
            Entry(label: "changes", answer: try await store.log.changedRows(of: id, after: 0, limit: 9).rows))
        for (label, query) in queries(besides: other) {
            guard case .found(let found) = try await store.contactCentre.search(query, in: id) else {
                throw AdapterFailure("a search was too slow", isRetryable: true)
            }
            entries.append(Entry(label: "search \(label)", answer: found))
        }
        return entries
    }

    private func queries(besides other: BrandStory) -> [(String, SearchQuery)] {
        let filters: [(String, (inout SearchQuery) -> Void)] = [
            ("for nothing", { _ in }), ("words", { $0.words = "parcel" }), ("names", { $0.words = "lovelace" }),
            ("notes", { ($0.words, $0.includesNotes) = ("fragile", true) }), ("tag", { $0.tag = "vip" }),
            ("new tag", { $0.tag = "late" }), ("skill", { $0.skill = SkillID(trusted: "orders") }),
            ("closed", { $0.isClosed = true }), ("agent", { [agent = agent("dana")] in $0.agent = agent }),
            ("foreign agent", { $0.agent = other.agent("dana") }),
            ("foreign consumer", { $0.consumer = other.identity(1).consumer }),
            ("tag and words", { ($0.tag, $0.words) = ("vip", "parcel") }), ("words of a tag", { $0.words = "vip" }),
        ]
        return filters.map { label, set in
            var query = SearchQuery(limit: 9)
            set(&query)
            return (label, query)
        }
    }

    private func readRetention(_ store: SQLiteStore) async throws -> [Entry] {
        let later = now.adding(milliseconds: 1_000_000)
        return [
            Entry(label: "retention", answer: try await store.retention.retentionDays(of: id)),
            Entry(label: "holds", answer: try await store.retention.holds(of: id)),
            Entry(label: "due counts", answer: try await store.retention.dueCounts(of: id, before: later)),
            Entry(
                label: "due", answer: try await store.retention.dueConversations(of: id, before: later, limit: 9)),
            Entry(label: "last run", answer: try await store.retention.lastRun(.retention, of: id)),
            Entry(label: "receipts", answer: try await store.retention.receipts(of: id, limit: 9)),
        ]
    }

    // MARK: Changing

    /// Changes rows of this brand that another has under the same name, and tries to change rows of the other by id.
    func change(_ store: SQLiteStore, besides other: BrandStory) async throws -> [TwoBrands.Entry] {
        let demotion = PersonChange(
            account: id, person: agent("mona"), patch: PersonPatch(role: .agent), audit: entry(.personChanged))
        let strange = PersonChange(
            account: id, person: other.agent("dana"), patch: PersonPatch(name: "x"), audit: entry(.personChanged))
        let profile = Profile(id: clerk, account: id, name: "New name", permissions: [])
        let group = PeopleGroup(id: team, account: id, name: "New name", skills: [], people: [])
        var entries: [Entry] = [
            Entry(label: "the last manager", answer: try await store.accounts.change(demotion)),
            Entry(label: "a person of another brand", answer: try await store.accounts.change(strange)),
            Entry(
                label: "a key of another brand",
                answer: try await store.apiKeys.removeAPIKey(other.key(1), of: id, audit: entry(.keyRevoked))),
            Entry(
                label: "a changed profile",
                answer: try await store.profiles.save(
                    profile, isNew: false, atMost: 9, audit: entry(.profileChanged))),
            Entry(
                label: "a changed group",
                answer: try await store.profiles.save(group, isNew: false, atMost: 9, audit: entry(.groupChanged))),
        ]
        entries += try await read(store, besides: other)
        entries += [
            Entry(
                label: "a removed profile",
                answer: try await store.profiles.removeProfile(clerk, of: id, audit: entry(.profileChanged))),
            Entry(
                label: "a removed group",
                answer: try await store.profiles.removeGroup(team, of: id, audit: entry(.groupChanged))),
            Entry(
                label: "a rule that is not there",
                answer: try await store.secondFactors.requireSecondFactor(
                    false, of: id, audit: entry(.secondFactorRuleChanged))),
            Entry(
                label: "a conversation of another brand",
                answer: try await store.retention.remove(
                    ConversationRemoval(
                        conversation: other.identity(3).id, account: id, run: 1, lastEventBefore: nil))),
            Entry(
                label: "a brand with conversations",
                answer: try await store.installation.removeEmpty(id, audit: entry(.brandRemoved))),
        ]
        // Nobody was last seen before the beginning, and everybody before the end.
        for (before, signedIn) in [
            (now, true), (now.adding(milliseconds: 9), true), (now.adding(milliseconds: 9), false),
        ] {
            entries.append(
                Entry(
                    label: "silent consumers",
                    answer: try await store.retention.removeSilentConsumers(
                        of: id, signedIn: signedIn, before: before, limit: 9)))
        }
        try await store.retention.liftHold(other.identity(2).id, audit: entry(.holdLifted))
        try await store.identities.save(nil, of: id, audit: entry(.identityProviderChanged))
        try await store.installation.remove(shop, of: id, audit: entry(.appRemoved))
        return entries
    }
}
