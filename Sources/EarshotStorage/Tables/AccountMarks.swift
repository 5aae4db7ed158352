import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// What the table `setting` keeps of accounts: the marks of suspended ones, and the files of logos.
struct AccountMarks: Sendable {
    private static let suspension = "suspended."

    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func suspended() async throws(AdapterFailure) -> Set<AccountID> {
        // From the mark's prefix to the character after its dot.
        let sql = "SELECT name FROM setting WHERE name >= 'suspended.' AND name < 'suspended/'"
        return try await rows.read { db in
            let names = try String.fetchAll(db.cachedStatement(sql: sql))
            return Set(names.map { AccountID(trusted: String($0.dropFirst(Self.suspension.count))) })
        }
    }

    func suspend(_ account: AccountID, _ isSuspended: Bool, audit: AuditEntry) async throws(AdapterFailure) {
        try await rows.write { db in
            let name = Self.suspension + account.rawValue
            try db.execute(
                sql: isSuspended
                    ? "INSERT OR IGNORE INTO setting VALUES (?, x'')" : "DELETE FROM setting WHERE name = ?",
                arguments: [name])
            // A command that changes nothing is not recorded.
            if db.changesCount > 0 { try AuditLog.insert(audit, in: db) }
        }
    }

    /// Replaces an account that exists and the file of its logo, both or neither.
    func save(_ account: Account, logo: [UInt8]?) async throws(AdapterFailure) {
        let body: Data
        do { body = try JSONEncoder().encode(account) } catch { throw .of(error) }
        let name = Self.logo(of: account.id)
        try await rows.write { db in
            try db.execute(sql: "UPDATE account SET body = ? WHERE id = ?", arguments: [body, account.id.rawValue])
            if let logo {
                try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, Data(logo)])
            } else {
                try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
            }
        }
    }

    func logo(of account: AccountID) async throws(AdapterFailure) -> [UInt8]? {
        let name = Self.logo(of: account)
        return try await rows.read { db in
            try Data.fetchOne(db.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [name])
                .map(Array.init)
        }
    }

    private static func logo(of account: AccountID) -> String { "logo." + account.rawValue }
}
