import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `Keys outside conversations` {
    private static let first = MasterKey(Array(repeating: 1, count: MasterKey.keyBytes))
    private static let second = MasterKey(Array(repeating: 2, count: MasterKey.keyBytes))
    private static let brand = AccountID(trusted: "brand")

    @Test func `open with their master key and under their name only`() throws {
        let content: [UInt8] = [1, 2]
        let sealed = try SealedText(content, named: "sealing-key", by: MasterKeys(Self.first))
        let read = try #require(SealedText(sealed.line))
        #expect(read.master == Self.first.id && SealedText.isOne(sealed.line))
        #expect(read.open(named: "sealing-key", with: MasterKeys(Self.second, earlier: [Self.first])) == content)
        #expect(read.open(named: "signing-key", with: MasterKeys(Self.first)) == nil)
        #expect(read.open(named: "sealing-key", with: MasterKeys(Self.second)) == nil)
        #expect(SealedText(Array("[{\"id\":\"1\"}]".utf8)) == nil)
        for position in sealed.line.indices.dropLast() {
            var damaged = sealed.line
            damaged[position] ^= 1
            let opened = SealedText(damaged)?.open(named: "sealing-key", with: MasterKeys(Self.first))
            #expect(opened == nil, "changed at \(position)")
        }
    }

    /// A database whose brand has an identity provider, as this version stores it.
    private func database() async throws -> TemporaryDatabase {
        let database = try TemporaryDatabase()
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.first))
        try await store.identities.save(provider, of: Self.brand, audit: entry)
        try store.close()
        return database
    }

    private let provider = IdentityProvider(
        issuer: "https://id.brand.example", audience: "earshot", keys: "{}", claims: [], verifiesContacts: true)
    private let entry = AuditEntry(
        account: brand, at: Timestamp(milliseconds: 1), by: "mona", what: .identityProviderChanged)

    private func body(_ database: TemporaryDatabase) throws -> Data {
        let queue = try DatabaseQueue(path: database.path)
        defer { try? queue.close() }
        return try queue.read { try Data.fetchOne($0, sql: "SELECT body FROM identity_provider") } ?? Data()
    }

    @Test func `of an identity provider are encrypted, and again by the next master key`() async throws {
        let database = try await database()
        #expect(try body(database).range(of: Data("issuer".utf8)) == nil)
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.second, earlier: [Self.first]))
        #expect(try await store.keyRotation.run() == 1)
        try store.close()
        let again = try SQLiteStore(path: database.path, keys: MasterKeys(Self.second))
        #expect(try await again.identities.identityProvider(of: Self.brand) == provider)
        try again.close()
    }

    @Test func `of an identity provider of an earlier version are encrypted at the start`() async throws {
        let database = try await database()
        let plain = try JSONEncoder().encode(provider)
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            try db.execute(
                sql: "UPDATE identity_provider SET body = ?, master_key = NULL, wrapped = NULL", arguments: [plain])
        }
        try queue.close()
        #expect(try body(database) == plain)
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.first))
        #expect(try await store.identities.identityProvider(of: Self.brand) == provider)
        try store.close()
        #expect(try body(database).range(of: Data("issuer".utf8)) == nil)
        let content = FileManager.default.contents(atPath: database.path) ?? Data()
        #expect(content.range(of: plain) == nil, "nothing of it is left in the file")
    }
}
