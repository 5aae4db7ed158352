import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

/// One row cannot be read: what needs it fails with a code of its own, and nothing else does.
@Suite struct `A damaged row` {
    private static let damage: [(column: String, value: String)] = [
        ("people", "x'5b7b'"), ("unanswered", "x'ff'"), ("watermarks", "x'01'"), ("unplayed", "x'ff'"),
        ("timestamps", "x'ff'"), ("routing", "'{'"), ("status", "'nonsense'"), ("sequence", "-1"),
        ("sequence", "9223372036854775807"),
    ]

    @Test(arguments: damage.map { "\($0.column) = \($0.value)" })
    func `of a conversation closes that conversation and no other`(assignment: String) async throws {
        let database = try TemporaryDatabase()
        try await talk(in: database)
        try spoil(database, "UPDATE conversation SET \(assignment) WHERE id = '\(ConversationIdentity.sample().id)'")
        let store = try database.open()
        let probe = StoreProbe(store)
        let sound = ConversationIdentity.sample(2)
        let unfinished = try await store.contactCentre.unfinishedConversations(closedSince: Timestamp(milliseconds: 0))
        let open = try await store.contactCentre.unfinished(unfinished).map(\.state.identity.id)
        #expect(open == [sound.id], "the start")
        let inbox = try await store.log.inbox(AccountID(trusted: "brand"), after: nil).rows.map(\.conversation)
        #expect(inbox == [sound.id], "the inbox")
        await #expect(throws: AdapterFailure.self) { try await probe.view(.sample()) }
        let answers = await probe.together([
            probe.change(.say("One"), key: "a", in: sound), probe.change(.say("Two"), key: "b", in: .sample()),
            probe.change(.say("Three"), key: "c", in: sound),
        ])
        #expect(try answers[0].get().sequence == 4)
        #expect(kind(of: answers[1]) == .damaged)
        #expect(try answers[2].get().sequence == 5)
        #expect(store.health.condition.damaged.map(\.id) == [ConversationIdentity.sample().id.rawValue])
        #expect(store.health.condition.failure == nil)
        try store.close()
    }

    @Test func `does not take the watermarks of other conversations with it`() async throws {
        let database = try TemporaryDatabase()
        try await talk(in: database)
        try spoil(
            database, "UPDATE conversation SET people = x'5b' WHERE id = '\(ConversationIdentity.sample().id)'")
        let store = try database.open()
        let probe = StoreProbe(store)
        for identity in [ConversationIdentity.sample(), .sample(2)] {
            store.log.raise(
                WatermarkUpdate(conversation: identity.id, delivered: 2, read: 2) { _ in .consumer })
        }
        try await probe.accept(.say("More"), key: "more", in: .sample(3))
        try store.close()
        let again = StoreProbe(try database.open())
        #expect(try await again.view(.sample(2)).marks.all.contains { $0.by == .consumer && $0.read == 2 })
        try (again.storage as! SQLiteStore).close()
    }

    @Test(arguments: [
        "UPDATE event SET body = x'7b226e223a' WHERE sequence = 2", "UPDATE event SET body = x'' WHERE sequence = 2",
        // Invalid UTF-8 in a text.
        """
        UPDATE event SET body = CAST(CAST('{"n":2,"at":1,"by":1,"text":"' AS BLOB) || x'ff227d' AS BLOB)
        WHERE sequence = 2
        """,
        "UPDATE event SET body = CAST('{\"n\":7,\"at\":1,\"by\":1}' AS BLOB) WHERE sequence = 2",
        "DELETE FROM event WHERE sequence = 2", "DELETE FROM event WHERE sequence > 1",
    ])
    func `of an event is replaced by an event that clients do not show`(sql: String) async throws {
        let database = try TemporaryDatabase()
        try await talk(in: database)
        try spoil(database, sql)
        let store = try database.open()
        let view = try await StoreProbe(store).view(.sample())
        #expect(view.events.map(\.sequence) == [1, 2, 3], "none is missing")
        for event in view.events {
            let decoded = try JSONDecoder().decode(Event.self, from: Data(event.encoded))
            #expect(decoded.sequence == event.sequence)
        }
        let page = try await store.log.page(ConversationIdentity.sample().id, before: .max, limit: 10)
        #expect(page == view.events)
        let id = "\(ConversationIdentity.sample().id)/2"
        #expect(store.health.condition.damaged.contains { $0.table == "event" && $0.id == id })
        try store.close()
    }

    @Test func `of an agent hides that agent, and the brand's routing loads without it`() async throws {
        let database = try TemporaryDatabase()
        var store = try database.open()
        try await store.accounts.save(Account.sample)
        for name in ["dana", "mira"] {
            try await store.accounts.save(
                Agent(
                    id: AgentID(trusted: name), account: Account.sample.id, email: "\(name)@brand.example",
                    name: name, role: .agent, password: PasswordHash(encoded: "scrypt$none")))
        }
        try store.close()
        try spoil(database, "UPDATE agent SET body = x'7b7d' WHERE id = 'dana'")
        store = try database.open()
        #expect(try await store.accounts.agents(of: Account.sample.id).map(\.id.rawValue) == ["mira"])
        let failure = await #expect(throws: AdapterFailure.self) {
            try await store.accounts.agent(AgentID(trusted: "dana"))
        }
        #expect(failure?.kind == .damaged)
        #expect(store.health.condition.damaged.map(\.description) == ["the row dana of the table agent cannot be read"])
        try store.close()
    }

    @Test func `of a section of the settings leaves the others in force`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        try await store.accounts.save(Account.sample)
        try spoil(
            database,
            """
            INSERT INTO contact_centre VALUES ('brand', 'skills', 2, x'5b');
            INSERT INTO contact_centre VALUES ('brand', 'hours', 3, CAST('[]' AS BLOB));
            """)
        #expect(try await store.contactCentre.centre(of: Account.sample.id).keys.map(\.rawValue) == ["hours"])
        try store.close()
    }

    /// Two conversations with three events each.
    private func talk(in database: TemporaryDatabase) async throws {
        let probe = StoreProbe(try database.open())
        for identity in [ConversationIdentity.sample(), .sample(2)] {
            for text in ["Hello", "Anyone?"] { try await probe.accept(.say(text), key: text, in: identity) }
        }
        try (probe.storage as! SQLiteStore).close()
    }

    private func spoil(_ database: TemporaryDatabase, _ sql: String) throws {
        let other = try DatabaseQueue(path: database.path)
        try other.inDatabase { try $0.execute(sql: sql) }
        try other.close()
    }

    private func kind(of answer: StoreProbe.Answer) -> AdapterFailure.Kind? {
        if case .failure(.failed(let failure)) = answer { failure.kind } else { nil }
    }
}
