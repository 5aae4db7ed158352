import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotStorage
import EarshotTestKit
import GRDB
import Synchronization
import Testing

/// Failures that SQLite itself makes, inside real transactions.
@Suite struct `When storing fails` {
    @Test func `one change of a batch that cannot be written leaves its neighbours alone`() async throws {
        let database = try TemporaryDatabase()
        let probe = StoreProbe(try database.open())
        try await probe.accept(.say("Hello"), key: "0", in: .sample())
        try sabotage(
            database,
            """
            CREATE TRIGGER poison BEFORE INSERT ON event WHEN NEW.key LIKE '% 2' OR NEW.key LIKE '% 4'
            BEGIN SELECT RAISE(ABORT, 'poison'); END
            """
        )
        let answers = await probe.together([
            probe.change(.say("One"), key: "1", in: .sample()), probe.change(.say("poison"), key: "2", in: .sample()),
            probe.change(.say("Two"), key: "3", in: .sample()), probe.change(.say("poison"), key: "4", in: .sample(2)),
        ])
        #expect(try answers[0].get().sequence == 3)
        #expect(isFailure(answers[1]))
        #expect(try answers[2].get().sequence == 4)
        #expect(isFailure(answers[3]))
        #expect(
            try await probe.store.view(ConversationIdentity.sample(2).id, after: nil, limit: 5) == nil,
            "half a conversation")
        try await expectWhole(probe, last: 4)
        try sabotage(database, "DROP TRIGGER poison")
        #expect(
            try await probe.accept(.say("poison"), key: "2", in: .sample()).isRepeat == false, "a failed key is free")
        try (probe.storage as! SQLiteStore).close()
    }

    @Test func `a commit that fails is acknowledged to nobody, and the next one goes on from what is on disk`()
        async throws
    {
        let database = try TemporaryDatabase()
        let probe = StoreProbe(try database.open())
        try await probe.accept(.say("Hello"), key: "0", in: .sample())
        // A deferred constraint is checked by COMMIT itself.
        try sabotage(
            database,
            """
            CREATE TABLE late (feed INTEGER REFERENCES feed (pk) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER fails_at_commit AFTER INSERT ON event BEGIN INSERT INTO late VALUES (-1); END
            """)
        let before = probe.listener.notifications.count
        let answers = await probe.together((1...3).map { probe.change(.say("\($0)"), key: "\($0)", in: .sample()) })
        #expect(answers.allSatisfy(isFailure))
        #expect(probe.listener.notifications.count == before, "nobody hears of what did not happen")
        #expect(probe.store.tail(ConversationIdentity.sample().id, after: 2)?.events.isEmpty == true)
        try await expectWhole(probe, last: 2)
        try sabotage(database, "DROP TRIGGER fails_at_commit")
        #expect(try await probe.accept(.say("1"), key: "1", in: .sample()).sequence == 3)
        try await expectWhole(probe, last: 3)
        try (probe.storage as! SQLiteStore).close()
    }

    @Test func `a full disk refuses changes, loses none, and is left behind when there is room again`() async throws {
        let database = try TemporaryDatabase(options: SQLiteStore.Options(maximumPages: 60))
        let probe = StoreProbe(try database.open())
        var accepted = 0
        var failed = 0
        for number in 1...400 where failed < 5 {
            let answer = await probe.perform(
                probe.change(.say(String(repeating: "x", count: 1_000)), key: "\(number)", in: .sample()))
            if isFailure(answer) { failed += 1 } else { accepted = try answer.get().sequence }
        }
        #expect(failed == 5, "the disk was never full")
        #expect((probe.storage as! SQLiteStore).health.condition.failure == nil, "a full disk passes")
        try await expectWhole(probe, last: accepted)
        try (probe.storage as! SQLiteStore).close()
        let roomy = StoreProbe(try SQLiteStore(path: database.path, keys: .forTests))
        try await expectWhole(roomy, last: accepted)
        #expect(try await roomy.accept(.say("Room"), key: "room", in: .sample()).sequence == accepted + 1)
        try (roomy.storage as! SQLiteStore).close()
    }

    @Test func `a full disk is told to the listener before anyone is refused`() async throws {
        let database = try TemporaryDatabase(options: SQLiteStore.Options(maximumPages: 60))
        let store = try database.open()
        let probe = StoreProbe(store)
        let told = Mutex<[Bool]>([])
        store.health.connect { told.withLock { $0.append(store.health.condition.isFull) } }
        var toldAtRefusal: [Bool]?
        for number in 1...400 where toldAtRefusal == nil {
            let change = probe.change(.say(String(repeating: "x", count: 1_000)), key: "\(number)", in: .sample())
            toldAtRefusal = await withCheckedContinuation { continuation in
                store.log.change(change) { answer in
                    continuation.resume(returning: isFailure(answer) ? told.withLock { $0 } : nil)
                }
            }
        }
        #expect(toldAtRefusal?.last == true, "\(String(describing: toldAtRefusal))")
        try store.close()
    }

    @Test func `a closed store fails changes instead of keeping them waiting`() async throws {
        let store = try TemporaryDatabase().open()
        let probe = StoreProbe(store)
        try store.close()
        #expect(isFailure(await probe.perform(probe.change(.say("Hello"), key: "1", in: .sample()))))
    }

    /// Log, state and inbox agree, and end here.
    private func expectWhole(_ probe: StoreProbe, last: Int) async throws {
        let view = try await probe.view(.sample(), limit: 1_000)
        #expect(view.state.sequence == last)
        #expect(view.events.map(\.sequence) == Array(1...last))
        #expect(try await probe.store.page(ConversationIdentity.sample().id, before: .max, limit: 1_000) == view.events)
        #expect(try await probe.store.inbox(AccountID(trusted: "brand"), after: nil).rows.map(\.sequence) == [last])
    }

    private func isFailure(_ answer: StoreProbe.Answer) -> Bool {
        if case .failure(.failed) = answer { true } else { false }
    }

    private func sabotage(_ database: TemporaryDatabase, _ sql: String) throws {
        let other = try DatabaseQueue(path: database.path)
        try other.inDatabase { try $0.execute(sql: sql) }
        try other.close()
    }
}
