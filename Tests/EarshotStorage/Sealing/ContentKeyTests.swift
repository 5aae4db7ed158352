import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `What people wrote` {
    @Test func `is in no file of the database in the clear`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        try await Self.write(everywhere: StoreProbe(store), store)
        #expect(try Self.found(in: database) == [])
        try store.close()
        #expect(try Self.found(in: database) == [])
        let opened = try database.open()
        let view = try await opened.log.view(ConversationIdentity.sample().id, after: nil, limit: 50)
        #expect(view?.events.contains { String(decoding: $0.encoded, as: UTF8.self).contains("canary-text") } == true)
        let people = view?.state.people.map(\.name) ?? []
        #expect(people.contains("canary-agent"))
        #expect(view?.state.routing.attributes.values.contains("canary-attribute") == true)
        let inbox = try await opened.log.inbox(AccountID(trusted: "brand"), after: nil)
        #expect(inbox.rows.map(\.who) == ["canary-name"])
        #expect(try await opened.accounts.consumer(ConversationIdentity.sample().consumer)?.page == "canary-page")
        try opened.close()
    }

    @Test func `cannot be read where the keys are gone`() async throws {
        let database = try TemporaryDatabase()
        var store = try database.open()
        try await Self.write(everywhere: StoreProbe(store), store)
        try store.close()
        try await change(database, "DELETE FROM conversation_key")
        store = try database.open()
        await #expect(throws: AdapterFailure.self) {
            try await store.log.view(ConversationIdentity.sample().id, after: nil, limit: 50)
        }
        await #expect(throws: AdapterFailure.self) {
            try await store.accounts.consumer(ConversationIdentity.sample().consumer)
        }
        #expect(!store.health.condition.damaged.isEmpty)
        try store.close()
    }

    @Test(arguments: [
        "UPDATE event SET body = (SELECT body FROM event WHERE conversation = 1 AND sequence = 2) WHERE sequence = 4",
        "UPDATE event SET body = (SELECT body FROM event WHERE conversation = 2 AND sequence = 4) WHERE sequence = 4",
        "UPDATE event SET body = substr(body, 1, length(body) - 1) WHERE sequence = 4",
    ]) func `does not open in another place, or changed`(sql: String) async throws {
        let database = try TemporaryDatabase()
        var store = try database.open()
        for number in 1...2 {
            for key in 1...4 {
                try await StoreProbe(store).accept(.say("canary-\(key)"), key: "\(key)", in: .sample(number))
            }
        }
        try store.close()
        try await change(database, sql + " AND conversation = 1")
        store = try database.open()
        let view = try await store.log.view(ConversationIdentity.sample(1).id, after: nil, limit: 50)
        let event = try #require(view?.events.first { $0.sequence == 4 })
        #expect(!String(decoding: event.encoded, as: UTF8.self).contains("canary"))
        #expect(store.health.condition.damaged.map(\.table) == ["event"])
        try store.close()
    }

    @Test func `keeps a key that was wrapped for another conversation closed`() async throws {
        let database = try TemporaryDatabase()
        var store = try database.open()
        for number in 1...2 { try await StoreProbe(store).accept(.say("Hello"), key: "1", in: .sample(number)) }
        try store.close()
        try await change(
            database,
            "UPDATE conversation_key SET wrapped = (SELECT wrapped FROM conversation_key ORDER BY conversation LIMIT 1)"
        )
        store = try database.open()
        await #expect(throws: AdapterFailure.self) {
            try await store.log.view(ConversationIdentity.sample(2).id, after: nil, limit: 50)
        }
        try store.close()
    }

    @Test func `of an earlier version is read, and encrypted when it is written again`() async throws {
        let database = try TemporaryDatabase()
        var store = try database.open()
        try await StoreProbe(store).accept(.say("Hello"), key: "1", in: .sample())
        try store.close()
        let plain = #"{"n":2,"at":1,"by":1,"text":"from earlier"}"#
        try await change(
            database,
            "UPDATE event SET body = CAST('\(plain)' AS BLOB), kind = NULL WHERE sequence = 2;"
                + "UPDATE conversation SET last_text = 'from earlier'")
        store = try database.open()
        let view = try await store.log.view(ConversationIdentity.sample().id, after: nil, limit: 50)
        #expect(view?.events.contains { $0.encoded == Array(plain.utf8) } == true)
        #expect(view?.state.last?.text == "from earlier")
        try await StoreProbe(store).accept(.say("later"), key: "2", in: .sample())
        try store.close()
        let types = try await change(database, "SELECT typeof(last_text) FROM conversation")
        #expect(types == ["blob"])
    }

    @discardableResult
    private func change(_ database: TemporaryDatabase, _ sql: String) async throws -> [String] {
        let queue = try DatabaseQueue(path: database.path)
        defer { try? queue.close() }
        return try await queue.write { db in
            guard sql.hasPrefix("SELECT") else {
                try db.execute(sql: sql)
                return []
            }
            return try String.fetchAll(db, sql: sql)
        }
    }

    /// A canary into every field that a person types or is called by.
    private static func write(everywhere probe: StoreProbe, _ store: SQLiteStore) async throws {
        let identity = ConversationIdentity.sample()
        try await store.accounts.save(
            Consumer(
                id: identity.consumer, account: identity.account, app: identity.app, conversation: identity.id,
                since: Timestamp(milliseconds: 1), name: "canary-name", page: "canary-page",
                language: "canary-language",
                device: "canary-device", zone: "canary-zone"))
        let agent = Actor.agent(id: AgentID(trusted: "dana"), name: "canary-agent", role: .manager)
        try await probe.accept(.say("canary-text"), key: "1", in: identity)
        try await probe.accept(.takeOver, key: "2", in: identity, by: agent)
        try await probe.accept(.note(.init(text: "canary-note", mentions: [])), key: "3", in: identity, by: agent)
        try await probe.accept(
            .attribute(.init(name: "order", value: "canary-attribute")), key: "4", in: identity, by: agent)
        try await probe.accept(.say("canary-preview"), key: "5", in: identity)
    }

    /// The files under the folder that have the canary in them.
    private static func found(in database: TemporaryDatabase) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: database.folder)?.compactMap { $0 as? String } ?? []
        #expect(files.contains { $0.hasSuffix("earshot.sqlite") })
        return files.filter { name in
            let content = FileManager.default.contents(atPath: database.folder + "/" + name) ?? Data()
            return content.range(of: Data("canary".utf8)) != nil
        }
    }
}
