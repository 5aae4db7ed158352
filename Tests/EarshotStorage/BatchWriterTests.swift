import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `The writer's memory` {
    /// Forgetting must never show: positions and numbers go on from what is on disk.
    @Test(arguments: [(1, 1), (2, 2), (100, 1), (100, 100)])
    func `may be small`(conversations: Int, feeds: Int) throws {
        let database = try TemporaryDatabase()
        let opened = try OpenDatabase.open(
            path: database.path, options: SQLiteStore.Options(), reserve: DiskReserve(database: database.path)
        ) { "epoch" }
        let accounts = ["one", "two", "three", "four"]
        var positions: [AccountID: [Int64]] = [:]
        try opened.pool.writeWithoutTransaction { db in
            let writer = try BatchWriter(db, limits: BatchWriter.Limits(conversations: conversations, feeds: feeds))
            for round in 0..<6 {
                for (index, account) in accounts.enumerated() where round % 2 == 0 || index < 2 {
                    let committed = try writer.commit(
                        [job(account, number: round % 3, key: "\(round)")], marks: .ofTouched([:]), in: db)
                    for notification in committed.notifications {
                        positions[notification.account, default: []].append(notification.position)
                    }
                }
            }
        }
        for account in accounts {
            let found = positions[AccountID(trusted: account)] ?? []
            #expect(found == Array(1...Int64(found.count)), "\(account)'s feed")
        }
        try opened.close()
    }

    private func job(_ account: String, number: Int, key: String) -> WriteJob {
        let identity = ConversationIdentity.sample(number, account: account)
        let change = Change(
            .existingOrNew(identity),
            .init(
                author: "author", key: IdempotencyKey(trusted: key), digest: [1], at: Timestamp(milliseconds: 1)),
            decide: { state throws(Rejection) in
                try state.decide(.say("Hello"), by: .consumer, in: Context(now: Timestamp(milliseconds: 1)))
            })
        return .change(change, answer: { _ in })
    }
}
