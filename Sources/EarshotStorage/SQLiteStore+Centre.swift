public import EarshotCore
public import EarshotModel
import Foundation
import GRDB
import Synchronization

/// How the contact centre is run.
extension SQLiteStore {
    public func centre(of account: AccountID) async throws(AdapterFailure) -> [ContactCentreSettings.Section:
        StoredSection]
    {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: "SELECT section, version, body FROM centre WHERE account = ?"),
                arguments: [account.rawValue])
            var sections: [ContactCentreSettings.Section: StoredSection] = [:]
            for row in rows {
                guard let section = ContactCentreSettings.Section(rawValue: row[0]) else { continue }
                sections[section] = StoredSection(version: row[1], body: Array(row[2] as Data))
            }
            return sections
        }
    }

    public func change(_ change: ContactCentreChange) async throws(AdapterFailure) -> Int? {
        let result = Mutex<Int?>(nil)
        try await write { db in
            let version = try Self.write(change, in: db)
            result.withLock { $0 = version }
        }
        return result.withLock { $0 }
    }

    private static func write(_ change: ContactCentreChange, in db: Database) throws -> Int? {
        let (account, section) = (change.account.rawValue, change.section.rawValue)
        let stored = try Row.fetchOne(
            db, sql: "SELECT version, body FROM centre WHERE account = ? AND section = ?",
            arguments: [account, section])
        let last: Int = stored?[0] ?? 0
        guard last <= change.seen else { return nil }
        let newest = try Int.fetchOne(
            db, sql: "SELECT max(version) FROM centre_revision WHERE account = ?", arguments: [account])
        let version = (newest ?? 1) + 1
        let (before, after) = (stored.map { $0[1] as Data } ?? Data(change.initial), Data(change.value))
        try db.execute(
            sql: "INSERT OR REPLACE INTO centre VALUES (?, ?, ?, ?)", arguments: [account, section, version, after])
        try db.execute(
            sql: "INSERT INTO centre_revision VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [account, version, change.at.milliseconds, change.by, section, change.undoes, before, after])
        let detail = change.undoes.map { "\(section) v=\(version) undoes=\($0)" } ?? "\(section) v=\(version)"
        try insert(
            AuditEntry(account: change.account, at: change.at, by: change.by, what: .centreChanged, detail: detail),
            in: db)
        return version
    }

    public func revisions(of account: AccountID, before: Int?, limit: Int) async throws(AdapterFailure)
        -> [ContactCentreRevision]
    {
        let arguments: StatementArguments = [account.rawValue, before ?? .max, max(0, limit)]
        return try await read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: Self.revisionQuery + "version < ? ORDER BY version DESC LIMIT ?"),
                arguments: arguments
            )
            .compactMap(Self.revision)
        }
    }

    public func revision(_ version: Int, of account: AccountID) async throws(AdapterFailure) -> ContactCentreRevision? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: Self.revisionQuery + "version = ?"), arguments: [account.rawValue, version]
            ).flatMap(Self.revision)
        }
    }

    private static let revisionQuery =
        "SELECT version, at, by, section, undoes, before, after FROM centre_revision WHERE account = ? AND "

    private static func revision(_ row: Row) -> ContactCentreRevision? {
        guard let section = ContactCentreSettings.Section(rawValue: row[3]) else { return nil }
        return ContactCentreRevision(
            version: row[0], at: Timestamp(milliseconds: row[1]), by: row[2], section: section, undoes: row[4],
            before: Array(row[5] as Data),
            after: Array(row[6] as Data))
    }
}

/// The brand's people, and what they keep.
extension SQLiteStore {
    public func agents(of account: AccountID) async throws(AdapterFailure) -> [Agent] {
        try await read { db in
            try Data.fetchAll(
                db.cachedStatement(sql: "SELECT body FROM agent WHERE account = ? ORDER BY id"),
                arguments: [account.rawValue]
            )
            .map { try JSONDecoder().decode(Agent.self, from: $0) }
        }
    }

    public func accounts() async throws(AdapterFailure) -> [AccountID] {
        try await read { db in
            try String.fetchAll(db, sql: "SELECT id FROM account ORDER BY id").map(AccountID.init(trusted:))
        }
    }

    public func presences(of account: AccountID) async throws(AdapterFailure) -> [AgentID: Presence] {
        try await byAgent("SELECT agent, body FROM presence WHERE account = ?", account)
    }

    public func save(_ presence: Presence, of agent: AgentID, in account: AccountID) async throws(AdapterFailure) {
        try await save(
            presence, "INSERT OR REPLACE INTO presence VALUES (?, ?, ?)", [agent.rawValue, account.rawValue])
    }

    public func etaAccuracy(of account: AccountID) async throws(AdapterFailure) -> EtaAccuracy? {
        try await body("SELECT value FROM setting WHERE name = ?", [Self.etaAccuracyMark + account.rawValue])
    }

    public func save(_ etaAccuracy: EtaAccuracy, of account: AccountID) async throws(AdapterFailure) {
        try await save(
            etaAccuracy, "INSERT OR REPLACE INTO setting VALUES (?, ?)", [Self.etaAccuracyMark + account.rawValue])
    }

    private static let etaAccuracyMark = "etaAccuracy."

    public func views(of account: AccountID) async throws(AdapterFailure) -> [AgentID: [SavedView]] {
        try await byAgent("SELECT agent, body FROM saved_view WHERE account = ?", account)
    }

    public func save(_ views: [SavedView], of agent: AgentID, in account: AccountID) async throws(AdapterFailure) {
        try await save(views, "INSERT OR REPLACE INTO saved_view VALUES (?, ?, ?)", [agent.rawValue, account.rawValue])
    }

    private func byAgent<T: Decodable & Sendable>(_ sql: String, _ account: AccountID) async throws(AdapterFailure)
        -> [AgentID: T]
    {
        try await read { db in
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue])
            return try Dictionary(rows.map { (AgentID(trusted: $0[0]), try JSONDecoder().decode(T.self, from: $0[1])) })
            { first, _ in first }
        }
    }
}
