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
        let opened = try open(database)
        let accounts = ["one", "two", "three", "four"]
        var positions: [AccountID: [Int64]] = [:]
        try opened.pool.writeWithoutTransaction { db in
            let writer = try BatchWriter(
                db, opened.contentKeys, limits: BatchWriter.Limits(conversations: conversations, feeds: feeds))
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

    /// The index of keys is written behind the commits: a key is known before that, afterwards, and in between.
    @Test(arguments: [1, 2, 3, 5, 100])
    func `of keys that are not in the index yet is complete`(together: Int) throws {
        let database = try TemporaryDatabase()
        var first: [Int: Int] = [:]
        for _ in 1...3 {
            let opened = try open(database)
            try opened.pool.writeWithoutTransaction { db in
                let writer = try BatchWriter(db, opened.contentKeys, limits: BatchWriter.Limits(recentKeys: together))
                for round in 0..<7 {
                    // Twice in one batch, and in every batch and start after that.
                    let keys = (0...round).flatMap { [$0, $0] }
                    let committed = try writer.commit(
                        keys.map { said("\($0)") }, marks: .ofTouched([:]), in: db)
                    for (key, sequence) in zip(keys, committed.outcomes.map(\.sequence)) {
                        #expect(sequence != nil && sequence == first[key, default: sequence ?? 0])
                        first[key] = first[key] ?? sequence
                    }
                }
            }
            let keys = try opened.pool.read { try Int.fetchOne($0, sql: "SELECT count(key) FROM event") }
            #expect(keys == 7)
            let indexed = try opened.pool.read { try Int.fetchOne($0, sql: "SELECT count(key_hash) FROM event") }
            #expect(indexed == 7 / together * together)
            try opened.close()
        }
        #expect(Set(first.values).count == 7)
    }

    /// A batch that failed leaves no key behind, whether or not it was the one to write the index.
    @Test(arguments: [2, 3, 100])
    func `of keys is that of the disk after a failed batch`(together: Int) throws {
        let database = try TemporaryDatabase()
        let opened = try open(database)
        try opened.pool.writeWithoutTransaction { db in
            let writer = try BatchWriter(db, opened.contentKeys, limits: BatchWriter.Limits(recentKeys: together))
            func commit(_ jobs: WriteJob...) throws -> [Int?] {
                try writer.commit(jobs, marks: .ofTouched([:]), in: db).outcomes.map(\.sequence)
            }
            let a = try commit(said("a"))
            let failing = WriteJob.rows(.init(run: { _ in throw AdapterFailure("no", isRetryable: false) }) { _ in })
            #expect(throws: AdapterFailure.self) { try commit(said("b"), said("c"), failing) }
            let c = try commit(said("c"))
            #expect(c == a.map { $0.map { $0 + 1 } })
            let again = try commit(said("a"), said("b"), said("c"), said("b"))
            #expect(again == a + c.map { $0.map { $0 + 1 } } + c + c.map { $0.map { $0 + 1 } })
            #expect(try Int.fetchOne(db, sql: "SELECT count(key) FROM event") == 3)
        }
        try opened.close()
    }

    private func open(_ database: TemporaryDatabase) throws -> OpenDatabase {
        let opened = try OpenDatabase.open(
            path: database.path, options: SQLiteStore.Options(), reserve: DiskReserve(database: database.path)
        ) { "epoch" }
        try opened.unlock(.forTests, path: database.path)
        return opened
    }

    /// Something said in the one conversation of an account.
    private func said(_ key: String) -> WriteJob { job("one", number: 1, key: key) }

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

extension BatchWriter.Outcome {
    /// The number that the event got.
    fileprivate var sequence: Int? {
        guard case .change(.success(let accepted)) = self else { return nil }
        return accepted.sequence
    }
}
