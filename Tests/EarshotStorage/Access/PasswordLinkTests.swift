import EarshotCore
import EarshotModel
import EarshotTestKit
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `Links for passwords in the database` {
    private static let brand = AccountID(trusted: "brand")
    private static let dana = AgentID(trusted: "dana")

    private static func agent(_ id: String, email: String = "dana@brand.example") -> Agent {
        Agent(
            id: AgentID(trusted: id), account: brand, email: email, name: id, role: .agent, password: .none)
    }

    private static func link(_ byte: UInt8, of agent: AgentID = dana, expires: Int64 = 1_000) -> PasswordLink {
        PasswordLink(
            digest: [UInt8](repeating: byte, count: 32), agent: agent, account: brand,
            expires: Timestamp(milliseconds: expires))
    }

    private static func entry(_ what: AuditAction) -> AuditEntry {
        AuditEntry(account: brand, at: Timestamp(milliseconds: 1), by: "mira", what: what)
    }

    private static func with(_ body: (TemporaryDatabase, SQLiteStore) async throws -> Void) async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        try await store.accounts.save(
            Account(id: brand, name: "Brand", color: "#000000", welcome: "", audioLimitMs: 15_000))
        try await body(place, store)
        try store.close()
    }

    private static func use(_ link: PasswordLink, in store: SQLiteStore) async throws -> PersonChange.Outcome {
        try await store.accounts.change(
            PersonChange(
                account: brand, person: link.agent, patch: PersonPatch(password: PasswordHash(encoded: "new")),
                audit: entry(.passwordChanged), usedLink: link))
    }

    @Test func `store a new person and the link together, or nothing where the address is taken`() async throws {
        try await Self.with { _, store in
            let now = Timestamp(milliseconds: 0)
            let entry = Self.entry(.personInvited)
            let isFirstInvited = try await store.links.invite(Self.agent("dana"), by: Self.link(1), audit: entry)
            let second = Self.link(2, of: AgentID(trusted: "omar"))
            let isSecondInvited = try await store.links.invite(Self.agent("omar"), by: second, audit: entry)
            #expect(isFirstInvited && !isSecondInvited)
            #expect(try await store.accounts.agents(of: Self.brand).map(\.id) == [Self.dana])
            #expect(try await store.links.passwordLinks(of: Self.brand, at: now) == [Self.link(1)])
            #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 1)
        }
    }

    @Test func `are found by their digest until they end, and a new one replaces the old`() async throws {
        try await Self.with { _, store in
            try await store.accounts.save(Self.agent("dana"))
            try await store.links.save(Self.link(1), audit: Self.entry(.linkMade))
            for (at, isFound) in [(Int64(999), true), (1_000, false)] {
                let found = try await store.links.passwordLink(Self.link(1).digest, at: Timestamp(milliseconds: at))
                #expect((found != nil) == isFound)
            }
            try await store.links.save(Self.link(2), audit: Self.entry(.linkMade))
            let now = Timestamp(milliseconds: 0)
            #expect(try await store.links.passwordLink(Self.link(1).digest, at: now) == nil)
            #expect(try await store.links.passwordLink(Self.link(2).digest, at: now) == Self.link(2))
        }
    }

    @Test func `are used up by one of two changes at once`() async throws {
        try await Self.with { _, store in
            try await store.accounts.save(Self.agent("dana"))
            try await store.links.save(Self.link(1), audit: Self.entry(.linkMade))
            async let first = Self.use(Self.link(1), in: store)
            async let second = Self.use(Self.link(1), in: store)
            let outcomes = try await [first, second]
            #expect(outcomes.count { $0 == .notFound } == 1)
            #expect(try await store.accounts.agent(Self.dana)?.password.encoded == "new")
            #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 2)
        }
    }

    @Test func `end with a new password, and with the permission to sign in`() async throws {
        for patch in [PersonPatch(password: PasswordHash(encoded: "x")), PersonPatch(isDisabled: true), .removal] {
            try await Self.with { _, store in
                try await store.accounts.save(Self.agent("dana"))
                try await store.links.save(Self.link(1), audit: Self.entry(.linkMade))
                _ = try await store.accounts.change(
                    PersonChange(
                        account: Self.brand, person: Self.dana, patch: patch, audit: Self.entry(.personChanged)))
                #expect(
                    try await store.links.passwordLinks(of: Self.brand, at: Timestamp(milliseconds: 0)).isEmpty)
                #expect(try await Self.use(Self.link(1), in: store) == .notFound)
            }
        }
    }

    @Test func `are revoked with an entry of the audit log, once`() async throws {
        try await Self.with { _, store in
            try await store.accounts.save(Self.agent("dana"))
            try await store.links.save(Self.link(1), audit: Self.entry(.linkMade))
            for _ in 1...2 {
                try await store.links.removePasswordLink(of: Self.dana, audit: Self.entry(.linkRevoked))
            }
            let entries = try await store.accounts.audit(Self.brand, AuditQuery(limit: 9))
            #expect(entries.map(\.entry.what) == [.linkRevoked, .linkMade])
        }
    }
}
