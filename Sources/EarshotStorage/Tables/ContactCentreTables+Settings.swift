import EarshotCore
import EarshotModel
import Foundation
import GRDB
import Synchronization

/// The tables `contact_centre` and `contact_centre_revision`.
extension ContactCentreTables: ContactCentreStore {
    func centre(of account: AccountID) async throws(AdapterFailure) -> [ContactCentreSettings.Section:
        StoredSection]
    {
        try await rows.read { [damaged = rows.damaged] db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: "SELECT section, version, body FROM contact_centre WHERE account = ?"),
                arguments: [account.rawValue])
            var sections: [ContactCentreSettings.Section: StoredSection] = [:]
            for row in rows {
                guard let section = ContactCentreSettings.Section(rawValue: row[0]) else { continue }
                let body: Data = row[2]
                guard JSONSerialization.isReadable(body) else {
                    // The section's defaults are in force until a manager saves it again.
                    damaged.note(DamagedRow(table: "contact_centre", id: "\(account)/\(section.rawValue)"))
                    continue
                }
                sections[section] = StoredSection(version: row[1], body: Array(body))
            }
            return sections
        }
    }

    func change(_ change: ContactCentreChange) async throws(AdapterFailure) -> Int? {
        let result = Mutex<Int?>(nil)
        try await rows.write { db in
            let version = try Self.write(change, in: db)
            result.withLock { $0 = version }
        }
        return result.withLock { $0 }
    }

    private static func write(_ change: ContactCentreChange, in db: Database) throws -> Int? {
        let (account, section) = (change.account.rawValue, change.section.rawValue)
        let stored = try Row.fetchOne(
            db, sql: "SELECT version, body FROM contact_centre WHERE account = ? AND section = ?",
            arguments: [account, section])
        let last: Int = stored?[0] ?? 0
        guard last <= change.author.seen else { return nil }
        let newest = try Int.fetchOne(
            db, sql: "SELECT max(version) FROM contact_centre_revision WHERE account = ?", arguments: [account])
        let version = (newest ?? 1) + 1
        let (before, after) = (stored.map { $0[1] as Data } ?? Data(change.values.initial), Data(change.values.new))
        try db.execute(
            sql: "INSERT OR REPLACE INTO contact_centre VALUES (?, ?, ?, ?)",
            arguments: [account, section, version, after])
        try db.execute(
            sql: "INSERT INTO contact_centre_revision VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                account, version, change.at.milliseconds, change.author.id, section, change.author.undoes, before,
                after,
            ])
        let detail = change.author.undoes.map { "\(section) v=\(version) undoes=\($0)" } ?? "\(section) v=\(version)"
        try AuditLog.insert(
            AuditEntry(
                account: change.account, at: change.at, by: change.author.id, what: .centreChanged, detail: detail),
            in: db)
        return version
    }

    func revisions(of account: AccountID, before: Int?, limit: Int) async throws(AdapterFailure)
        -> [ContactCentreRevision]
    {
        let arguments: StatementArguments = [account.rawValue, before ?? .max, max(0, limit)]
        return try await rows.read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: Self.revisionQuery + "version < ? ORDER BY version DESC LIMIT ?"),
                arguments: arguments
            )
            .compactMap(Self.revision)
        }
    }

    func revision(_ version: Int, of account: AccountID) async throws(AdapterFailure) -> ContactCentreRevision? {
        try await rows.read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: Self.revisionQuery + "version = ?"), arguments: [account.rawValue, version]
            ).flatMap(Self.revision)
        }
    }

    private static let revisionQuery =
        "SELECT version, at, by, section, undoes, before, after FROM contact_centre_revision WHERE account = ? AND "

    private static func revision(_ row: Row) -> ContactCentreRevision? {
        guard let section = ContactCentreSettings.Section(rawValue: row[3]) else { return nil }
        return ContactCentreRevision(
            version: row[0], at: Timestamp(milliseconds: row[1]), by: row[2], section: section, undoes: row[4],
            before: Array(row[5] as Data),
            after: Array(row[6] as Data))
    }
}

extension JSONSerialization {
    /// Whether these bytes are JSON.
    fileprivate static func isReadable(_ body: Data) -> Bool {
        (try? jsonObject(with: body, options: .fragmentsAllowed)) != nil
    }
}
