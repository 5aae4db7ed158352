import EarshotCore
import EarshotDomain
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

/// Databases of released versions, in Tests/Fixtures/databases: each is opened by this version. A file there is never
/// changed; a release that changes the schema adds one.
@Suite struct `A database of an earlier version` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/databases")

    /// A database may have been at any version in between. The steps of versions 6 to 13 are applied to the rows of
    /// version 5; rows that those versions wrote themselves are in no file.
    @Test(arguments: [("schema-1", 1), ("schema-5", 5)] + (6...Schema.steps.count).map { ("schema-5", $0) })
    func `opens, and every row of it can be read`(name: String, version: Int) async throws {
        let database = try TemporaryDatabase()
        try copy(name, to: database)
        try upgrade(database, to: version)
        let store = try database.open()
        let account = AccountID(trusted: "demo")
        #expect(try await store.accounts.account(account)?.name.isEmpty == false)
        #expect(try await store.accounts.settings(of: account)?.version == 2)
        #expect(try await store.accounts.agents(of: account).count == 7)
        #expect(try await store.contactCentre.presences(of: account).count == 7)
        #expect(try await store.contactCentre.centre(of: account).count == 9)
        #expect(try await store.contactCentre.revisions(of: account, before: nil, limit: 100).count == 9)
        #expect(try await store.accounts.audit(account, AuditQuery(limit: 100)).count == 10)
        let audit = try await store.accounts.verifyAudit(of: account, known: nil)
        #expect(audit.isIntact && audit.entries == 10)
        #expect(try await store.accounts.audit(account, AuditQuery(actions: [.centreChanged], limit: 100)).count == 9)
        #expect(try await store.contactCentre.etaAccuracy(of: account) != nil)
        #expect(try await store.contactCentre.views(of: account).values.joined().map(\.name) == ["Mine"])
        #expect(try await store.accounts.session(Array(0..<32), at: Timestamp(milliseconds: 0)) != nil)
        let rows = try await store.log.inbox(account, after: nil).rows
        #expect(rows.count == 7)
        for row in rows { try await expectReadable(row.conversation, in: store) }
        #expect(store.health.condition.damaged.isEmpty)
        try store.close()
    }

    @Test func `makes administrators of managers, who could do everything before`() async throws {
        let database = try TemporaryDatabase()
        try copy("schema-5", to: database)
        let store = try database.open()
        let roles = try await store.accounts.agents(of: AccountID(trusted: "demo")).map(\.role)
        #expect(roles.filter { $0 == .administrator }.count == 1 && roles.filter { $0 == .agent }.count == 6)
        try store.close()
    }

    /// Brings a database to the schema of a version, as the server of that version did.
    private func upgrade(_ database: TemporaryDatabase, to version: Int) throws {
        let queue = try DatabaseQueue(path: database.path)
        try queue.inDatabase { db in
            let steps = Array(Schema.steps.prefix(version))
            try Schema.migrate(db, of: database.path, steps: steps, isAllowed: true) { "epoch" }
            #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == version)
        }
        try queue.close()
    }

    @Test func `opens although an entry of its audit log cannot be read, and a check names that entry`() async throws {
        let database = try TemporaryDatabase()
        try copy("schema-5", to: database)
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            try db.execute(sql: "DROP TRIGGER audit_unchanged; UPDATE audit SET body = x'7b' WHERE pk = 3")
            try db.execute(sql: "CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN SELECT 1; END")
        }
        try queue.close()
        let store = try database.open()
        let found = try await store.accounts.verifyAudit(of: AccountID(trusted: "demo"), known: nil)
        #expect(found.firstBroken == 3 && found.entries == 10)
        try store.close()
    }

    /// What a message writes is counted in pages, so a new database has small ones.
    @Test(arguments: [(nil, 2_048), ("schema-1", 4_096)])
    func `keeps the size of its pages`(name: String?, bytes: Int) throws {
        let database = try TemporaryDatabase()
        if let name { try copy(name, to: database) }
        let opened = try OpenDatabase.open(
            path: database.path, options: SQLiteStore.Options(), reserve: DiskReserve(database: database.path)
        ) { "epoch" }
        #expect(try opened.pool.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } == bytes)
        try opened.close()
    }

    @Test(arguments: ["schema-1", "schema-5"]) func `may lack what was added later, and may have what is not known`(
        name: String
    )
        throws
    {
        let database = try TemporaryDatabase()
        try copy(name, to: database)
        let queue = try DatabaseQueue(path: database.path)
        for stored in StoredJSON.all {
            let bodies = try queue.read { try Data.fetchAll($0, sql: stored.sql) }
            #expect(!bodies.isEmpty, "\(stored.name)")
            for body in bodies {
                try stored.decode(body)
                let object = try #require(JSONSerialization.jsonObject(with: body) as? [String: Any])
                let more = object.merging(["added in a later version": ["x": 1]]) { $1 }
                try stored.decode(JSONSerialization.data(withJSONObject: more))
                let demanded = try object.keys.filter { key in
                    let less = try JSONSerialization.data(withJSONObject: object.filter { $0.key != key })
                    return (try? stored.decode(less)) == nil
                }
                #expect(Set(demanded).isSubset(of: stored.required), "\(stored.name)")
            }
        }
        try queue.close()
    }

    @Test func `is copied before its schema is changed, and only the last copy is kept`() throws {
        let database = try TemporaryDatabase()
        try database.open().close()
        for extra in 1...2 {
            let queue = try DatabaseQueue(path: database.path)
            try queue.inDatabase { db in
                let steps = Schema.steps + (1...extra).map { "CREATE TABLE later\($0) (x)" }
                try Schema.migrate(db, of: database.path, steps: steps, isAllowed: true) { "epoch" }
            }
            try queue.close()
            let copy = database.path + ".before-\(Schema.steps.count + extra)"
            #expect(try copies(of: database) == [(copy as NSString).lastPathComponent])
            let kept = try DatabaseQueue(path: copy)
            let version = try kept.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            #expect(version == Schema.steps.count + extra - 1, "as it was")
            try kept.close()
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `is left as it is where no copy can be made`() throws {
        let database = try TemporaryDatabase()
        try database.open().close()
        let inTheWay = database.path + ".before-\(Schema.steps.count + 1)"
        try FileManager.default.createDirectory(atPath: inTheWay + "/x", withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: database.path)
        try queue.inDatabase { db in
            let steps = Schema.steps + ["CREATE TABLE later (x)"]
            #expect(throws: AdapterFailure.self) {
                try Schema.migrate(db, of: database.path, steps: steps, isAllowed: true) { "epoch" }
            }
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version")
            #expect(version == Schema.steps.count)
        }
        try queue.close()
    }

    @Test func `is not changed by a command while a server runs`() throws {
        let database = try TemporaryDatabase()
        try database.open().close()
        let queue = try DatabaseQueue(path: database.path)
        try queue.inDatabase { db in
            #expect(throws: AdapterFailure.self) {
                try Schema.migrate(
                    db, of: database.path, steps: Schema.steps + ["CREATE TABLE later (x)"], isAllowed: false
                ) { "epoch" }
            }
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version")
            #expect(version == Schema.steps.count)
        }
        try queue.close()
        #expect(try copies(of: database).isEmpty)
    }

    private func copy(_ name: String, to database: TemporaryDatabase) throws {
        try FileManager.default.createDirectory(atPath: database.folder + "/data", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Self.folder.appending(path: name + ".sqlite").path, toPath: database.path)
    }

    private func copies(of database: TemporaryDatabase) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: database.folder + "/data").filter { $0.contains("before") }
    }

    private func expectReadable(_ conversation: ConversationID, in store: SQLiteStore) async throws {
        let view = try #require(try await store.log.view(conversation, after: nil, limit: 1_000))
        #expect(view.events.map(\.sequence) == Array(1...view.state.sequence))
        let events = try view.events.map { try JSONDecoder().decode(Event.self, from: Data($0.encoded)) }
        #expect(!events.contains { $0.kind == .unknown })
        #expect(try await store.accounts.consumer(view.state.identity.consumer)?.conversation == conversation)
        for case .audio(let audio) in events.map(\.kind) {
            #expect(try await store.accounts.recording(audio.media, in: conversation)?.sent != nil)
        }
    }
}

/// A kind of value that is stored as JSON.
private struct StoredJSON {
    let name: String
    /// Gives every stored value of this kind.
    let sql: String
    /// What every version wrote: a value without it is damaged.
    let required: Set<String>
    let decode: (Data) throws -> Void

    private init<Value: Decodable>(_ type: Value.Type, _ sql: String, _ required: Set<String>) {
        (name, self.sql, self.required) = ("\(type)", sql, required)
        decode = { _ = try JSONDecoder().decode(type, from: $0) }
    }

    static var all: [StoredJSON] {
        [
            StoredJSON(Account.self, "SELECT body FROM account", ["id", "name", "color", "welcome", "audioLimitMs"]),
            StoredJSON(App.self, "SELECT body FROM app", ["id", "account", "name", "allowedOrigins"]),
            StoredJSON(
                Agent.self, "SELECT body FROM agent",
                ["id", "account", "email", "name", "role", "password", "isDisabled"]),
            StoredJSON(
                Consumer.self, "SELECT body FROM consumer", ["id", "account", "app", "conversation", "since", "name"]),
            StoredJSON(Session.self, "SELECT body FROM session", ["digest", "agent", "expires"]),
            StoredJSON(Presence.self, "SELECT body FROM presence", ["state", "since"]),
            StoredJSON(AccountSettings.self, "SELECT body FROM settings", ["audio", "v"]),
            StoredJSON(
                EtaAccuracy.self, "SELECT value FROM setting WHERE name LIKE 'etaAccuracy.%'",
                ["counts", "day", "through"]),
            StoredJSON(
                RecordedMedia.self, "SELECT body FROM recording",
                ["author", "container", "content", "conversation", "hasWaited", "isPrivate", "scan", "sha256"]),
            StoredJSON(AuditEntry.self, "SELECT body FROM audit", ["account", "at", "by", "what"]),
            StoredJSON(
                RoutingState.self, "SELECT routing FROM conversation WHERE routing IS NOT NULL",
                [
                    "attributes", "closedQuietly", "here", "isAnswered", "isUrgent", "mentioned", "refused", "said",
                    "tags", "transfers", "wasResumedByBrand",
                ]),
            StoredJSON(Event.self, "SELECT body FROM event", ["n", "at", "by"]),
        ]
    }
}
