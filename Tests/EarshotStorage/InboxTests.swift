import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotStorage

@Suite struct `The inbox of a brand with many conversations` {
    @Test(arguments: [nil, 0, 1, 10_000, -1] as [Int64?])
    func `is a bounded answer after every position`(position: Int64?) async throws {
        let database = try TemporaryDatabase()
        let probe = StoreProbe(try database.open())
        try await probe.accept(.say("Hello"), key: "k", in: .sample())
        try (probe.storage as! SQLiteStore).close()
        try database.addCopies(10_000, closed: false)
        try database.addCopies(10_000, closed: true)
        let store = try database.open()
        let inbox = try await store.log.inbox(ConversationIdentity.sample().account, after: position)
        #expect(inbox.rows.count == Limits.changedRows)
        #expect(inbox.rows.last?.position == inbox.position && inbox.position > 20_000)
        #expect(!inbox.continuesPosition)
        var writer = WireWriter()
        writer.rows(inbox.rows, position: inbox.position)
        #expect(writer.bytes.count < 512 * 1024)
        let rest = try await store.log.inbox(
            ConversationIdentity.sample().account, after: inbox.position - Int64(Limits.changedRows))
        #expect(rest.continuesPosition && rest.rows.count == Limits.changedRows)
        try store.close()
    }
}
