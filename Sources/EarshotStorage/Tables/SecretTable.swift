public import EarshotCore
import Foundation
import GRDB

/// The secrets that earlier versions kept in the table `setting`. They are in files of the data folder now, so that a
/// copy of the database is no key.
public struct SecretTable: Sendable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    /// Removes a secret. SQLite leaves the bytes of a deleted row in the file; with `secure_delete` it overwrites them.
    public func remove(_ name: String) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: ["secret." + name])
        }
    }

    /// Returns a secret that an earlier version stored.
    public func secret(_ name: String) async throws(AdapterFailure) -> [UInt8]? {
        try await rows.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: ["secret." + name]).map {
                Array($0)
            }
        }
    }
}
