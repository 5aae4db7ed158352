import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EarshotStorage

@Suite("A copy of the database for a backup")
struct DatabaseCopyTests {
    /// Fills a database with more pages than are copied in one step.
    private func filled() async throws -> (TemporaryDatabase, SQLiteStore) {
        let place = try TemporaryDatabase()
        let store = try place.open()
        let background = String(repeating: "x", count: 50_000)
        for number in 0..<200 {
            try await store.accounts.save(
                Account(
                    id: AccountID(trusted: "brand-\(number)"), name: background, color: "#000000", welcome: "",
                    audioLimitMs: 15_000))
        }
        return (place, store)
    }

    @Test("It holds what was there when it began, although another process writes after every step")
    func isOneMoment() async throws {
        let (place, store) = try await filled()
        defer { try? store.close() }
        let other = try DatabaseQueue(path: place.path)
        let steps = Mutex(0)
        let copy = try DatabaseCopy.make(of: place.path, at: place.folder + "/copy.sqlite") { _ in
            let number = steps.withLock { steps in
                steps += 1
                return steps
            }
            // More steps than the database has mean that the copy began again.
            guard number < 50 else { return }
            try? other.write {
                try $0.execute(sql: "INSERT INTO account VALUES (?, x'7b7d')", arguments: ["later-\(number)"])
            }
        }
        #expect(steps.withLock { $0 } > 2, "the copy must take several steps to show anything")
        #expect(steps.withLock { $0 } < 50, "the copy began again")
        #expect(try copy.check().brands == 200)
        let live = try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM account") }
        #expect(try #require(live) > 200, "the other process could write meanwhile")
    }

    @Test("It has no word of the search index, and is searched again once a server serves it")
    func hasNoWords() async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        let identity = ConversationIdentity.sample()
        try await store.accounts.save(
            Consumer(
                id: identity.consumer, account: identity.account, app: identity.app, conversation: identity.id,
                since: Timestamp(milliseconds: 1), name: "Quetzalcoatl", page: nil, language: nil, device: nil))
        try await StoreProbe(store).accept(.say("xylographic"), key: "1", in: identity)
        while try await store.contactCentre.index(atMost: 500) > 0 {}
        let path = place.folder + "/copy.sqlite"
        try DatabaseCopy.make(of: place.path, at: path) { _ in }.beginNewLife()
        func contains(_ word: String, _ paths: String...) -> Bool {
            paths.contains { (FileManager.default.contents(atPath: $0) ?? Data()).range(of: Data(word.utf8)) != nil }
        }
        // The index stores a word without what it has in common with the one before.
        for part in ["ographic", "zalcoatl"] {
            #expect(contains(part, place.path, place.path + "-wal"), "the search can find it")
            #expect(!contains(part, path))
        }
        try store.close()
        let restored = try SQLiteStore(path: path, keys: .forTests)
        while try await restored.contactCentre.index(atMost: 500) > 0 {}
        for word in ["xylographic", "quetzalcoatl"] {
            var query = SearchQuery(limit: 9)
            query.words = word
            let outcome = try await restored.contactCentre.search(query, in: identity.account)
            guard case .found(let results) = outcome else { throw AdapterFailure("too slow", isRetryable: true) }
            #expect(results.map(\.row.conversation) == [identity.id])
        }
        try restored.close()
    }

    @Test("A damaged copy is found")
    func findsDamage() async throws {
        let (place, store) = try await filled()
        defer { try? store.close() }
        let path = place.folder + "/copy.sqlite"
        let copy = try DatabaseCopy.make(of: place.path, at: path) { _ in }
        _ = try copy.check()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xaa, count: 8 * 4096))
        try file.close()
        #expect(throws: AdapterFailure.self) { try copy.check() }
    }

    @Test("A restored copy has a new epoch and no sessions")
    func beginsNewLife() async throws {
        let (place, store) = try await filled()
        defer { try? store.close() }
        let agent = Agent(
            id: AgentID(trusted: "someone"), account: AccountID(trusted: "brand-1"), email: "a@b.example", name: "A",
            role: .agent, password: PasswordHash(encoded: ""))
        try await store.accounts.save(agent)
        let session = Session(
            digest: [1, 2, 3], agent: agent.id, expires: Timestamp(milliseconds: Int64(1) << 40))
        try await store.accounts.save(session)
        let path = place.folder + "/copy.sqlite"
        let copy = try DatabaseCopy.make(of: place.path, at: path) { _ in }
        try copy.beginNewLife()
        #expect(try copy.check().epoch != store.log.epoch)
        let restored = try SQLiteStore(path: path, keys: .forTests)
        defer { try? restored.close() }
        let old = try await store.accounts.session([1, 2, 3], at: Timestamp(milliseconds: 0))
        let new = try await restored.accounts.session([1, 2, 3], at: Timestamp(milliseconds: 0))
        #expect(old != nil && new == nil)
    }
}
