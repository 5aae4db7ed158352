import EarshotCore
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotStorage

@Suite struct `API keys in the database` {
    private static let brand = AccountID(trusted: "brand")
    private static let other = AccountID(trusted: "other")

    private static func key(_ id: String, of account: AccountID = brand, made: Int64 = 1) -> APIKey {
        APIKey(
            id: APIKeyID(trusted: id), account: account, name: "Wärehouse", scopes: [.readHistory, .readRecordings],
            digest: [UInt8](repeating: 7, count: 32), by: "mira", made: Timestamp(milliseconds: made),
            expires: Timestamp(milliseconds: 9_000))
    }

    private static func entry(_ what: AuditAction) -> AuditEntry {
        AuditEntry(account: brand, at: Timestamp(milliseconds: 1), by: "mira", what: what)
    }

    private static func with(_ body: (SQLiteStore) async throws -> Void) async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        try await body(store)
        try store.close()
    }

    private static func add(_ key: APIKey, atMost limit: Int = 9, to store: SQLiteStore) async throws -> Bool {
        try await store.apiKeys.add(key, atMost: limit, audit: entry(.keyMade))
    }

    private static func expectAdded(_ key: APIKey, atMost limit: Int = 9, to store: SQLiteStore) async throws {
        let isAdded = try await add(key, atMost: limit, to: store)
        #expect(isAdded)
    }

    @Test func `come back as they were, the newest first, for their brand only`() async throws {
        try await Self.with { store in
            for key in [Self.key("a", made: 1), Self.key("b", made: 2), Self.key("c", of: Self.other)] {
                try await Self.expectAdded(key, to: store)
            }
            #expect(
                try await store.apiKeys.apiKeys(of: Self.brand) == [Self.key("b", made: 2), Self.key("a", made: 1)])
            #expect(try await store.apiKeys.apiKey(APIKeyID(trusted: "c")) == Self.key("c", of: Self.other))
            #expect(try await store.apiKeys.apiKey(APIKeyID(trusted: "d")) == nil)
        }
    }

    @Test func `are not more than the limit, also when two are added at once`() async throws {
        try await Self.with { store in
            try await Self.expectAdded(Self.key("a"), atMost: 2, to: store)
            async let first = Self.add(Self.key("b"), atMost: 2, to: store)
            async let second = Self.add(Self.key("c"), atMost: 2, to: store)
            let added = try await [first, second]
            #expect(added.count { $0 } == 1)
            try await Self.expectAdded(Self.key("d", of: Self.other), atMost: 2, to: store)
            #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 3)
        }
    }

    @Test func `are revoked by their own brand, once`() async throws {
        try await Self.with { store in
            _ = try await Self.add(Self.key("a"), to: store)
            let id = APIKeyID(trusted: "a")
            for (brand, isRevoked) in [(Self.other, false), (Self.brand, true), (Self.brand, false)] {
                let removed = try await store.apiKeys.removeAPIKey(id, of: brand, audit: Self.entry(.keyRevoked))
                #expect(removed == isRevoked)
            }
            let entries = try await store.accounts.audit(Self.brand, AuditQuery(limit: 9))
            #expect(entries.map(\.entry.what) == [.keyRevoked, .keyMade])
        }
    }

    @Test func `are noted as used unless that was noted a short time before`() async throws {
        try await Self.with { store in
            _ = try await Self.add(Self.key("a"), to: store)
            let id = APIKeyID(trusted: "a")
            for (now, noted) in [(Int64(100), Int64(100)), (149, 100), (150, 150)] {
                try await store.apiKeys.noteUse(
                    of: id, at: Timestamp(milliseconds: now), unlessAfter: Timestamp(milliseconds: now - 50))
                #expect(try await store.apiKeys.apiKey(id)?.used == Timestamp(milliseconds: noted))
            }
        }
    }
}
