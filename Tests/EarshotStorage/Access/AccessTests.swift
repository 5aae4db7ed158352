import EarshotCore
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

@Suite("Who is shut out, in the database")
struct AccessTests {
    private static let brand = AccountID(trusted: "brand")

    private static func entry(_ what: AuditAction) -> AuditEntry {
        AuditEntry(account: brand, at: Timestamp(milliseconds: 1), by: "someone", what: what)
    }

    private static func agent(_ name: String) -> Agent {
        Agent(
            id: AgentID(trusted: name), account: brand, email: "\(name)@brand.example", name: name,
            role: .administrator,
            password: PasswordHash(encoded: "old"))
    }

    private static func session(_ byte: UInt8, of agent: String) -> Session {
        Session(
            digest: [byte], agent: AgentID(trusted: agent),
            expires: Timestamp(milliseconds: 1000 + Int64(byte)))
    }

    private static func with(_ body: (TemporaryDatabase, SQLiteStore) async throws -> Void) async throws {
        let place = try TemporaryDatabase()
        let store = try place.open()
        try await store.accounts.save(
            Account(id: brand, name: "Brand", color: "#000000", welcome: "", audioLimitMs: 15_000))
        for name in ["dana", "omar"] { try await store.accounts.save(agent(name)) }
        try await body(place, store)
        try store.close()
    }

    @Test("A new password ends all sessions of the person but the one that is kept, and other servers learn of it")
    func endsSessions() async throws {
        try await Self.with { _, store in
            for byte: UInt8 in 1...3 { try await store.accounts.save(Self.session(byte, of: "dana")) }
            try await store.accounts.save(Self.session(9, of: "omar"))
            let dana = AgentID(trusted: "dana")
            _ = try await store.accounts.change(
                PersonChange(
                    account: Self.brand, person: dana, patch: PersonPatch(password: PasswordHash(encoded: "new")),
                    audit: Self.entry(.passwordChanged), keptSession: [2]))
            let now = Timestamp(milliseconds: 0)
            #expect(try await store.accounts.sessions(of: dana, at: now).map(\.digest) == [[2]])
            #expect(try await store.accounts.session([9], at: now) != nil)
            #expect(try await store.accounts.accessChanges(after: 0).map(\.subject) == [.agent(dana)])
            try await store.accounts.remove(session: [2])
            let changes = try await store.accounts.accessChanges(after: 1)
            #expect(changes.map(\.subject) == [.agent(dana)])
        }
    }

    @Test("A person who was removed has no address and no password, and the address is free")
    func removesPerson() async throws {
        try await Self.with { _, store in
            let dana = AgentID(trusted: "dana")
            _ = try await store.accounts.change(
                PersonChange(account: Self.brand, person: dana, patch: .removal, audit: Self.entry(.personRemoved)))
            #expect(try await store.accounts.agent(email: "dana@brand.example", of: Self.brand) == nil)
            let stored = try #require(try await store.accounts.agent(dana))
            #expect(stored.name == "dana" && stored.isDisabled && stored.password.encoded.isEmpty)
            #expect(!Passwords.verify("", against: stored.password))
            var again = Agent(
                id: AgentID(trusted: "dana-2"), account: Self.brand, email: "dana@brand.example", name: "dana",
                role: .agent, password: PasswordHash(encoded: "x"))
            again.isDisabled = false
            try await store.accounts.save(again)
            let last = try await store.accounts.change(
                PersonChange(
                    account: Self.brand, person: AgentID(trusted: "omar"), patch: .removal,
                    audit: Self.entry(.personRemoved)))
            #expect(last == .lastAdministrator)
        }
    }

    @Test("A block is noted once, and so is its end")
    func blocks() async throws {
        try await Self.with { _, store in
            let consumer = ConsumerID(trusted: "consumer")
            for isBlocked in [true, true, false, false, true] {
                try await store.accounts.apply(
                    ConsumerBlock(
                        consumer: consumer, account: Self.brand, isBlocked: isBlocked,
                        audit: Self.entry(isBlocked ? .consumerBlocked : .consumerUnblocked)))
                #expect(try await store.accounts.blockedConsumers() == (isBlocked ? [consumer] : []))
            }
            #expect(try await store.accounts.accessChanges(after: 0).count == 3)
            #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 3)
        }
    }

    @Test("How often a consumer was signed out everywhere is counted, and survives a restart")
    func signsOut() async throws {
        let place = try TemporaryDatabase()
        var store = try place.open()
        let (first, second) = (ConsumerID(trusted: "first"), ConsumerID(trusted: "second"))
        for consumer in [first, second, first] {
            try await store.accounts.apply(
                ConsumerSignOut(consumer: consumer, account: Self.brand, audit: Self.entry(.consumerSignedOut)))
        }
        try store.close()
        store = try place.open()
        #expect(try await store.accounts.tokenGenerations() == [first: 2, second: 1])
        #expect(
            try await store.accounts.accessChanges(after: 0).map(\.subject)
                == [.consumer(first), .consumer(second), .consumer(first)])
        #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 3)
        try store.close()
    }

    @Test("The use of a session is noted where none is noted between the two times, and survives a restart")
    func notesUse() async throws {
        let place = try TemporaryDatabase()
        var store = try place.open()
        try await store.accounts.save(
            Account(id: Self.brand, name: "Brand", color: "#000000", welcome: "", audioLimitMs: 15_000))
        try await store.accounts.save(Self.agent("dana"))
        try await store.accounts.save(Self.session(1, of: "dana"))
        func used(after now: Int64, unlessAfter earlier: Int64) async throws -> Int64? {
            try await store.accounts.noteUse(
                of: [1], at: Timestamp(milliseconds: now), unlessAfter: Timestamp(milliseconds: earlier))
            return try await store.accounts.session([1], at: Timestamp(milliseconds: 0))?.used?.milliseconds
        }
        #expect(try await used(after: 100, unlessAfter: 50) == 100)
        #expect(try await used(after: 149, unlessAfter: 99) == 100, "noted a moment ago")
        #expect(try await used(after: 150, unlessAfter: 100) == 150)
        #expect(try await used(after: 120, unlessAfter: 70) == 120, "the clock was ahead")
        try await store.accounts.noteUse(
            of: [2], at: Timestamp(milliseconds: 1), unlessAfter: Timestamp(milliseconds: 0))
        try store.close()
        store = try place.open()
        #expect(try await store.accounts.session([1], at: Timestamp(milliseconds: 0))?.used?.milliseconds == 120)
        #expect(try await store.accounts.session([2], at: Timestamp(milliseconds: 0)) == nil, "it had ended")
        try store.close()
    }

    @Test("A brand's minutes are absent until it chooses, and a choice that changes nothing is not noted")
    func storesIdleMinutes() async throws {
        try await Self.with { _, store in
            #expect(try await store.accounts.idleMinutes(of: Self.brand) == nil)
            for minutes in [15, 15, 60] {
                try await store.accounts.save(
                    idleMinutes: minutes, of: Self.brand, audit: Self.entry(.sessionRuleChanged))
                #expect(try await store.accounts.idleMinutes(of: Self.brand) == minutes)
            }
            #expect(try await store.accounts.audit(Self.brand, AuditQuery(limit: 9)).count == 2)
        }
    }

    @Test("A brand that a consumer came to is not removed; an empty one goes with everything of it")
    func removesEmptyBrand() async throws {
        try await Self.with { _, store in
            try await store.accounts.save(
                App(id: AppID(trusted: "app"), account: Self.brand, name: "App", allowedOrigins: []))
            let consumer = Consumer(
                id: ConsumerID(trusted: "consumer"), account: Self.brand, app: AppID(trusted: "app"),
                conversation: ConversationID(trusted: "conversation"), since: Timestamp(milliseconds: 1), name: "V",
                page: nil, language: nil, device: nil)
            let other = AccountID(trusted: "other")
            try await store.accounts.save(
                Account(id: other, name: "Other", color: "#000000", welcome: "", audioLimitMs: 15_000))
            try await store.accounts.save(consumer)
            #expect(try await store.installation.removeEmpty(Self.brand, audit: Self.entry(.brandRemoved)) == false)
            #expect(try await store.accounts.apps(of: Self.brand).count == 1)
            #expect(try await store.installation.removeEmpty(other, audit: Self.entry(.brandRemoved)))
            #expect(try await store.installation.accounts().map(\.id) == [Self.brand])
        }
    }

    @Test("The bytes of a secret are gone from the file once it was removed")
    func overwritesSecret() async throws {
        let place = try TemporaryDatabase()
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        var store = try place.open()
        try store.close()
        try await DatabaseQueue(path: place.path).write {
            try $0.execute(sql: "INSERT INTO setting VALUES ('secret.consumer-tokens', ?)", arguments: [Data(secret)])
        }
        store = try place.open()
        #expect(try await store.secrets.secret("consumer-tokens") == secret)
        try await store.secrets.remove("consumer-tokens")
        #expect(try await store.secrets.secret("consumer-tokens") == nil)
        try store.close()
        // Opening it once more writes the log into the file.
        try place.open().close()
        let file = try Data(contentsOf: URL(fileURLWithPath: place.path))
        #expect(file.range(of: Data(secret)) == nil)
    }
}
