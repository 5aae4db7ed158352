import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `At start routing reads` {
    @Test func `open conversations and those closed today, however many were closed before`() async throws {
        let database = try TemporaryDatabase()
        let probe = StoreProbe(try database.open())
        try await probe.accept(.say("Hello"), key: "k", in: .sample())
        try (probe.storage as! SQLiteStore).close()
        try database.addCopies(10_000, closed: true)
        try database.addCopies(1_200, closed: false)
        let store = try database.open()
        let today = probe.clock.now.adding(milliseconds: 1)
        let unfinished = try await store.contactCentre.unfinishedConversations(closedSince: today)
        #expect(unfinished.count == 1_201)
        let page = Array(unfinished.suffix(500))
        #expect(try await store.contactCentre.unfinished(page).map(\.state.identity.id) == page)
        let all = try await store.contactCentre.unfinishedConversations(closedSince: probe.clock.now)
        #expect(all.count == 11_201, "the closed ones are there")
        try store.close()
    }

    @Test func `two indexes, never the table from end to end`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        let plan = try await store.database.pool.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + ContactCentreTables.unfinishedQuery, arguments: [0])
                .map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("conversation_inbox (feed=? AND closed=?)") }, "\(plan)")
        #expect(plan.contains { $0.contains("conversation_closed (feed=? AND since>?)") }, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN c") }, "\(plan)")
        try store.close()
    }
}
