import Dispatch
import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `A search` {
    private let account = ConversationIdentity.sample().account

    @Test func `that takes too long is ended, and says so`() async throws {
        var options = SQLiteStore.Options()
        options.searchTimeLimit = .zero
        let database = try TemporaryDatabase(options: options)
        let store = try await filled(database)
        #expect(try await store.contactCentre.search(words, in: account) == .tooSlow)
        try store.close()
        let patient = try SQLiteStore(path: database.path, keys: .forTests)
        #expect(try await found(patient) == 1, "with the usual time it is found")
        try patient.close()
    }

    @Test func `is interrupted while it runs`() throws {
        let queue = try DatabaseQueue()
        let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        try queue.read { db in
            var code: ResultCode?
            do {
                _ = try QueryDeadline(after: .milliseconds(1)).run(on: db) { try Int.fetchOne(db, sql: endless) }
            } catch let error as DatabaseError { code = error.resultCode }
            #expect(code == .SQLITE_INTERRUPT)
            #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1, "the connection can be used again")
        }
    }

    @Test func `that blocks delays no other read`() async throws {
        let database = try TemporaryDatabase()
        defer { withExtendedLifetime(database) {} }
        let store = try await filled(database)
        let held = Hold()
        for _ in 0..<Limits.searches { held.block(store.database.searches) }
        await held.untilBlocked(Limits.searches)
        let waiting = Task { try await found(store) }
        let conversation = ConversationIdentity.sample().id
        #expect(try await store.log.view(conversation, after: nil, limit: 1) != nil)
        #expect(try await store.log.inbox(account, after: nil).rows.count == 1)
        #expect(try await store.accounts.session([1], at: Timestamp(milliseconds: 0)) == nil)
        held.release()
        #expect(try await waiting.value == 1)
        try store.close()
    }

    @Test func `does not wait for other reads that block`() async throws {
        var options = SQLiteStore.Options()
        options.readers = 1
        let database = try TemporaryDatabase(options: options)
        defer { withExtendedLifetime(database) {} }
        let store = try await filled(database)
        let held = Hold()
        held.block(store.database.pool)
        await held.untilBlocked(1)
        #expect(try await found(store) == 1)
        held.release()
        try store.close()
    }

    @Test func `finds what was sent without waiting for a write`() async throws {
        let database = try TemporaryDatabase()
        let store = try await filled(database)
        let indexed = "SELECT count(*) FROM setting WHERE name = 'search_cursor'"
        #expect(try await store.database.pool.read { try Int.fetchOne($0, sql: indexed) } == 0, "nothing is indexed")
        #expect(try await found(store) == 1)
        #expect(try await store.database.pool.read { try Int.fetchOne($0, sql: indexed) } == 0, "still nothing")
        #expect(try await store.contactCentre.index(atMost: 100) == 2)
        #expect(try await store.database.pool.read { try Int.fetchOne($0, sql: indexed) } == 1, "now it is")
        withExtendedLifetime(database) {}
        try store.close()
    }

    @Test func `reads one feed's part of the index, whatever the keys`() {
        let (first, second) = (SearchRowNumber.all(of: 7), SearchRowNumber.all(of: 8))
        #expect(first.upperBound + 1 == second.lowerBound)
        #expect(first.contains(SearchRowNumber.number(feed: 7, key: 0)))
        #expect(first.contains(SearchRowNumber.number(feed: 7, key: 1 << 40 - 1)))
        #expect(!second.contains(SearchRowNumber.number(feed: 7, key: 1 << 40 - 1)))
    }

    private var words: SearchQuery {
        var query = SearchQuery(limit: 10)
        query.words = "parcel"
        return query
    }

    private func found(_ store: SQLiteStore) async throws -> Int? {
        guard case .found(let results) = try await store.contactCentre.search(words, in: account) else { return nil }
        return results.count
    }

    private func filled(_ database: TemporaryDatabase) async throws -> SQLiteStore {
        let probe = StoreProbe(try database.open())
        try await probe.accept(.say("Where is my parcel?"), key: "k", in: .sample())
        return probe.storage as! SQLiteStore
    }
}

/// Keeps connections busy until it is told to release them.
private final class Hold: Sendable {
    private let blocked = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)

    func block(_ pool: DatabasePool) {
        pool.asyncRead { [blocked, gate] connection in
            blocked.signal()
            guard case .success = connection else {
                Issue.record("there is no connection to block")
                return
            }
            gate.wait()
            gate.signal()
        }
    }

    func untilBlocked(_ count: Int) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [blocked] in
                for _ in 0..<count { blocked.wait() }
                continuation.resume()
            }
        }
    }

    func release() { gate.signal() }
}
