import EarshotCore
import EarshotModel
import EarshotTestKit
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `People who sign in, in the database` {
    private static let brand = AccountID(trusted: "brand")
    private static let issuer = "https://id.brand.example"

    private static func consumer(
        _ id: String, subject: String? = nil, app: String = "shop", name: String = "Visitor",
        of account: AccountID = brand,
        issuer: String = issuer, claimed: String? = nil, since: Int64 = 1
    ) -> Consumer {
        Consumer(
            id: ConsumerID(trusted: id), account: account, app: AppID(trusted: app),
            conversation: ConversationID(trusted: "c-" + id), since: Timestamp(milliseconds: since), name: name,
            page: "https://shop.example/\(id)", language: nil, device: nil,
            subject: subject.map { ProviderSubject(issuer: issuer, subject: $0) },
            verified: subject.map { _ in VerifiedClaims(name: claimed, email: nil, phone: nil, others: []) })
    }

    private static func with(_ body: (TemporaryDatabase, SQLiteStore) async throws -> Void) async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        try await body(place, store)
        try store.close()
    }

    @Test func `are one consumer in each app, however often and on however many devices they sign in`() async throws {
        try await Self.with { _, store in
            try await withThrowingTaskGroup(of: ConsumerID.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await store.identities.signIn(Self.consumer("a\(number)", subject: "7"), device: nil).id
                    }
                }
                let ids = try await group.reduce(into: Set<ConsumerID>()) { $0.insert($1) }
                #expect(ids.count == 1)
            }
            let other = try await store.identities.signIn(Self.consumer("b", subject: "8"), device: nil)
            let elsewhere = try await store.identities.signIn(Self.consumer("c", subject: "7", app: "app"), device: nil)
            let rival = AccountID(trusted: "rival")
            let foreign = try await store.identities.signIn(Self.consumer("d", subject: "7", of: rival), device: nil)
            let impostor = try await store.identities.signIn(
                Self.consumer("e", subject: "7", issuer: "https://id.brand.example/"), device: nil)
            #expect([other, elsewhere, foreign, impostor].map(\.id.rawValue) == ["b", "c", "d", "e"])
        }
    }

    @Test func `are two people if only the spelling of their subject differs`() async throws {
        try await Self.with { _, store in
            let composed = try await store.identities.signIn(Self.consumer("a", subject: "\u{e9}"), device: nil)
            let decomposed = try await store.identities.signIn(Self.consumer("b", subject: "e\u{301}"), device: nil)
            #expect(composed.id.rawValue == "a" && decomposed.id.rawValue == "b")
        }
    }

    @Test func `keep their conversation and get what the newest token says`() async throws {
        try await Self.with { _, store in
            let first = Self.consumer("a", subject: "7", name: "Ada", claimed: "Ada")
            #expect(try await store.identities.signIn(first, device: nil) == first)
            let again = try await store.identities.signIn(
                Self.consumer("b", subject: "7", name: "Ada L", claimed: "Ada L"), device: nil)
            #expect(again.id == first.id && again.conversation == first.conversation && again.name == "Ada L")
            #expect(again.verified?.name == "Ada L" && again.page == "https://shop.example/b")
            let nameless = try await store.identities.signIn(Self.consumer("c", subject: "7"), device: nil)
            #expect(nameless.name == "Ada L" && nameless.verified?.name == nil)
            #expect(try await store.accounts.consumer(first.id) == nameless)
            #expect(try await store.accounts.consumer(ConsumerID(trusted: "b")) == nil)
        }
    }

    @Test func `belong together with the anonymous consumer of their device and with themselves in another app`()
        async throws
    {
        try await Self.with { _, store in
            let anonymous = Self.consumer("x", since: 1)
            try await store.accounts.save(anonymous)
            let ada = try await store.identities.signIn(
                Self.consumer("a", subject: "7", since: 2), device: anonymous.id)
            let inApp = try await store.identities.signIn(
                Self.consumer("b", subject: "7", app: "app", since: 3), device: ConsumerID(trusted: "gone"))
            let bob = try await store.identities.signIn(
                Self.consumer("c", subject: "8", since: 4), device: anonymous.id)
            #expect(try await store.identities.related(to: ada).map(\.id) == [anonymous.id, inApp.id])
            #expect(try await store.identities.related(to: inApp).map(\.id) == [ada.id])
            #expect(try await store.identities.related(to: anonymous).map(\.id) == [ada.id, bob.id])
            let foreign = Self.consumer("y", of: AccountID(trusted: "rival"))
            #expect(try await store.identities.related(to: foreign).isEmpty)
        }
    }

    @Test func `leave no row when they are removed`() async throws {
        try await Self.with { place, store in
            try await store.accounts.save(Self.consumer("x"))
            let ada = try await store.identities.signIn(
                Self.consumer("a", subject: "7"), device: ConsumerID(trusted: "x"))
            let queue = try DatabaseQueue(path: place.path)
            try await queue.write { db in
                try db.execute(sql: "DELETE FROM consumer WHERE id = ?", arguments: [ada.id.rawValue])
                for table in ["consumer_identity", "shared_device"] {
                    #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0)
                }
            }
        }
    }

    @Test func `sign in with the provider that was saved last, until it is removed`() async throws {
        try await Self.with { _, store in
            let (identities, brand) = (store.identities, Self.brand)
            let entry = AuditEntry(
                account: brand, at: Timestamp(milliseconds: 1), by: "mona", what: .identityProviderChanged)
            func provider(_ audience: String) -> IdentityProvider {
                IdentityProvider(
                    issuer: Self.issuer, audience: audience, keys: "{}",
                    claims: [.init(claim: "tier", label: "Tier")])
            }
            try await identities.save(provider("one"), of: brand, audit: entry)
            try await identities.save(provider("two"), of: brand, audit: entry)
            #expect(try await identities.identityProvider(of: brand) == provider("two"))
            #expect(try await identities.identityProvider(of: AccountID(trusted: "rival")) == nil)
            try await identities.save(nil, of: brand, audit: entry)
            #expect(try await identities.identityProvider(of: brand) == nil)
            #expect(try await store.accounts.audit(brand, AuditQuery(limit: 9)).count == 3)
        }
    }
}
