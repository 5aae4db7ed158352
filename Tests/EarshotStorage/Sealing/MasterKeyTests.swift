import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EarshotStorage

@Suite struct `The master key` {
    private static let first = MasterKey(Array(repeating: 1, count: MasterKey.keyBytes))
    private static let second = MasterKey(Array(repeating: 2, count: MasterKey.keyBytes))

    @Test func `that is missing keeps the database closed, and its id is named`() async throws {
        let database = try TemporaryDatabase()
        try await fill(database, conversations: 2)
        do {
            _ = try SQLiteStore(path: database.path, keys: MasterKeys(Self.second))
            Issue.record("it opened")
        } catch {
            #expect(error.what.contains(Self.first.id) && !error.isRetryable)
        }
        #expect(try await rows(database, "SELECT id FROM master_key") == [Self.first.id], "nothing was changed")
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.first))
        try await expectReadable(store, conversations: 2)
        try store.close()
    }

    @Test func `is asked for with nothing needed only while the database is new`() throws {
        let database = try TemporaryDatabase()
        let source = NotingSource(keys: MasterKeys(Self.first))
        try SQLiteStore(path: database.path, keys: source).close()
        try SQLiteStore(path: database.path, keys: source).close()
        #expect(source.asked == [[], [Self.first.id]])
    }

    @Test(arguments: [1, 3, 1_203]) func `is replaced, and the old one opens nothing`(conversations: Int) async throws {
        let database = try TemporaryDatabase()
        try await fill(database, conversations: min(3, conversations))
        try await copyKeys(database, upTo: conversations)
        let old = try await wrapped(database)
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.second, earlier: [Self.first]))
        try await StoreProbe(store).accept(.say("during"), key: "during", in: .sample(1))
        #expect(try await store.keyRotation.run() == conversations)
        #expect(try await store.keyRotation.run() == 0, "a second run has nothing to do")
        let content = try FileManager.default.contentsOfDirectory(atPath: database.folder + "/data").map {
            FileManager.default.contents(atPath: database.folder + "/data/" + $0) ?? Data()
        }
        #expect(!old.contains { key in content.contains { $0.range(of: key) != nil } }, "no old bytes on the disk")
        try store.close()
        #expect(throws: AdapterFailure.self) { try SQLiteStore(path: database.path, keys: MasterKeys(Self.first)) }
        let again = try SQLiteStore(path: database.path, keys: MasterKeys(Self.second))
        try await expectReadable(again, conversations: min(3, conversations))
        try again.close()
    }

    @Test func `stays where a key cannot be unwrapped`() async throws {
        let database = try TemporaryDatabase()
        try await fill(database, conversations: 2)
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            try db.execute(
                sql: "UPDATE conversation_key SET wrapped = zeroblob(60) WHERE conversation = ?",
                arguments: [ConversationIdentity.sample(2).id.rawValue])
        }
        try queue.close()
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.second, earlier: [Self.first]))
        await #expect(throws: AdapterFailure.self) { try await store.keyRotation.run() }
        try store.close()
        let ids = try await rows(database, "SELECT id FROM master_key ORDER BY id")
        #expect(ids == [Self.first.id, Self.second.id].sorted())
    }

    private final class NotingSource: MasterKeySource {
        private let keys: MasterKeys
        private let noted = Mutex<[Set<String>]>([])
        var asked: [Set<String>] { noted.withLock { $0 } }
        init(keys: MasterKeys) { self.keys = keys }
        func masterKeys(needed: Set<String>) -> MasterKeys {
            noted.withLock { $0.append(needed) }
            return keys
        }
    }

    private func fill(_ database: TemporaryDatabase, conversations: Int) async throws {
        let store = try SQLiteStore(path: database.path, keys: MasterKeys(Self.first))
        for number in 1...conversations {
            try await StoreProbe(store).accept(.say("Hello \(number)"), key: "1", in: .sample(number))
        }
        try store.close()
    }

    private func expectReadable(_ store: SQLiteStore, conversations: Int) async throws {
        for number in 1...conversations {
            let view = try await store.log.view(ConversationIdentity.sample(number).id, after: nil, limit: 9)
            let texts = view?.events.map { String(decoding: $0.encoded, as: UTF8.self) } ?? []
            #expect(texts.contains { $0.contains("Hello \(number)") })
        }
    }

    /// Adds wrapped keys of conversations that nothing was written in.
    private func copyKeys(_ database: TemporaryDatabase, upTo count: Int) async throws {
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            let keys = ContentKeys()
            try keys.unlock(MasterKeys(Self.first), needed: [])
            for number in 0..<max(0, count - 3) {
                let (key, wrapped) = try keys.make(for: "copy-\(number)")
                try db.execute(
                    sql: "INSERT INTO conversation_key VALUES (?, 'brand', ?, ?)",
                    arguments: [key.conversation, wrapped.master, wrapped.bytes])
            }
        }
        try queue.close()
    }

    private func wrapped(_ database: TemporaryDatabase) async throws -> [Data] {
        let queue = try DatabaseQueue(path: database.path)
        defer { try? queue.close() }
        return try await queue.read { try Data.fetchAll($0, sql: "SELECT wrapped FROM conversation_key LIMIT 30") }
    }

    private func rows(_ database: TemporaryDatabase, _ sql: String) async throws -> [String] {
        let queue = try DatabaseQueue(path: database.path)
        defer { try? queue.close() }
        return try await queue.read { try String.fetchAll($0, sql: sql) }
    }
}
