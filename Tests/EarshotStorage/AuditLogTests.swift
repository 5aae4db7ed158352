import EarshotCore
import EarshotModel
import EarshotTestKit
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

/// Someone who can write to the database file, past the triggers.
@Suite struct `An audit log that was changed behind the server's back` {
    private static let brand = AccountID(trusted: "brand")

    private static func entry(_ number: Int, by: String = "dana") -> AuditEntry {
        AuditEntry(
            account: brand, at: Timestamp(milliseconds: Int64(number)), by: by, what: .signedIn, detail: "\(number)")
    }

    /// The first broken entry of a log of five after `change`, and whether the newest hash of before is still there.
    private func check(after change: (Database) throws -> Void) async throws -> (broken: Int64?, holdsHead: Bool) {
        let database = try TemporaryDatabase()
        var store = try database.open()
        for number in 1...5 { try await store.accounts.record(Self.entry(number)) }
        let before = try await store.accounts.verifyAudit(of: Self.brand, known: nil)
        #expect(before.isIntact && before.entries == 5)
        try store.close()
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            try db.execute(sql: "DROP TRIGGER audit_unchanged; DROP TRIGGER audit_kept")
        }
        try queue.inDatabase(change)
        try queue.close()
        store = try database.open()
        let after = try await store.accounts.verifyAudit(of: Self.brand, known: before.head)
        try store.close()
        return (after.firstBroken, after.holdsKnown)
    }

    @Test(arguments: [
        "UPDATE audit SET body = replace(CAST(body AS TEXT), 'dana', 'mira') WHERE pk = 2",
        "UPDATE audit SET by = 'mira' WHERE pk = 2", "UPDATE audit SET at = 9 WHERE pk = 2",
        "UPDATE audit SET what = 'history.read' WHERE pk = 2",
        "UPDATE audit SET conversation = 'c' WHERE pk = 2", "UPDATE audit SET body = 'x' WHERE pk = 2",
        "UPDATE audit SET hash = zeroblob(32) WHERE pk = 2", "UPDATE audit SET hash = x'' WHERE pk = 2",
        "UPDATE audit SET body = (SELECT body FROM audit WHERE pk = 1) WHERE pk = 2",
    ]) func `is not intact from the changed entry on`(change: String) async throws {
        #expect(try await check { try $0.execute(sql: change) }.broken == 2)
    }

    @Test func `is not intact after the place of a removed entry`() async throws {
        #expect(try await check { try $0.execute(sql: "DELETE FROM audit WHERE pk = 1") }.broken == 2)
        #expect(try await check { try $0.execute(sql: "DELETE FROM audit WHERE pk IN (2, 3)") }.broken == 4)
    }

    @Test func `lacks a known hash if its newest entries were removed`() async throws {
        let found = try await check { try $0.execute(sql: "DELETE FROM audit WHERE pk >= 4") }
        #expect(found.broken == nil && !found.holdsHead)
    }

    @Test func `lacks a known hash if all of it was written again`() async throws {
        let found = try await check { db in
            try db.execute(sql: "DELETE FROM audit")
            for number in 1...5 { try AuditLog.insert(Self.entry(number, by: "mira"), in: db) }
        }
        #expect(found.broken == nil && !found.holdsHead)
    }

    @Test func `cannot be changed through the database's own statements`() async throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        try await store.accounts.record(Self.entry(1))
        try store.close()
        let queue = try DatabaseQueue(path: database.path)
        for change in ["UPDATE audit SET by = 'mira'", "DELETE FROM audit"] {
            #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: change) } }
        }
        try queue.close()
    }
}
