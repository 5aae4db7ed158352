import Crypto
import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// The entries of the audit log, each with the SHA-256 of the hash before it and of its body. The chain of an
/// account begins after 32 bytes of zero.
enum AuditLog {
    private static let beginning = Data(count: SHA256.byteCount)

    /// Makes the database refuse to change or remove an entry.
    static let protection = """
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit entries cannot be changed'); END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'audit entries cannot be deleted'); END;
        """

    /// Writes an entry in the transaction of what it records. What may be written once only, and was, is left as it
    /// is.
    static func insert(_ entry: AuditEntry, in db: Database) throws {
        let body = try JSONEncoder().encode(entry)
        let newest = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT hash FROM audit WHERE account = ? ORDER BY pk DESC LIMIT 1"),
            arguments: [entry.account.rawValue])
        try db.cachedStatement(
            sql: """
                INSERT INTO audit (account, once, body, at, by, what, conversation, hash) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (account, once) WHERE once IS NOT NULL DO NOTHING
                """
        ).execute(arguments: [
            entry.account.rawValue, entry.once, body, entry.at.milliseconds, entry.by, entry.what.rawValue,
            entry.conversation?.rawValue, hash(of: body, after: newest ?? beginning),
        ])
    }

    /// Gives every entry that an earlier version wrote its hash and the columns for queries. One that cannot be read
    /// stays, and `verify` names it.
    static func addHashes(in db: Database) throws {
        var newest: [String: Data] = [:]
        let entries = try Row.fetchCursor(db, sql: "SELECT pk, account, body FROM audit ORDER BY pk")
        let update = try db.makeStatement(sql: "UPDATE audit SET at = ?, by = ?, what = ?, hash = ? WHERE pk = ?")
        while let row = try entries.next() {
            let (pk, account, body): (Int64, String, Data) = (row[0], row[1], row[2])
            let entry = try? JSONDecoder().decode(AuditEntry.self, from: body)
            let hash = hash(of: body, after: newest[account, default: beginning])
            try update.execute(arguments: [
                entry?.at.milliseconds ?? 0, entry?.by ?? "", entry?.what.rawValue ?? "", hash, pk,
            ])
            newest[account] = hash
        }
        try db.execute(sql: protection)
    }

    /// Checks every entry of an account against its hash, and what queries read against the entry.
    static func verify(_ account: AccountID, known: [UInt8]?, in db: Database) throws -> AuditVerification {
        var (entries, newest, holdsKnown) = (0, beginning, known == nil)
        var firstBroken: Int64?
        let rows = try Row.fetchCursor(
            db, sql: "SELECT pk, body, at, by, what, hash, conversation FROM audit WHERE account = ? ORDER BY pk",
            arguments: [account.rawValue])
        while let row = try rows.next() {
            let (body, stored): (Data, Data) = (row[1], row[5])
            let isIntact = stored == hash(of: body, after: newest) && matches(row, body, account)
            if !isIntact, firstBroken == nil { firstBroken = row[0] }
            if let known, firstBroken == nil, stored.elementsEqual(known) { holdsKnown = true }
            (entries, newest) = (entries + 1, stored)
        }
        return AuditVerification(
            entries: entries, head: entries == 0 ? [] : Array(newest), firstBroken: firstBroken, holdsKnown: holdsKnown)
    }

    private static func matches(_ row: Row, _ body: Data, _ account: AccountID) -> Bool {
        guard let entry = try? JSONDecoder().decode(AuditEntry.self, from: body) else { return false }
        let (at, by, what, conversation): (Int64, String, String, String?) = (row[2], row[3], row[4], row[6])
        return entry.account == account && entry.at.milliseconds == at && entry.by == by && entry.what.rawValue == what
            && entry.conversation?.rawValue == conversation
    }

    private static func hash(of body: Data, after previous: Data) -> Data {
        var hash = SHA256()
        hash.update(data: previous)
        hash.update(data: body)
        return Data(hash.finalize())
    }
}
