import EarshotCore
import Foundation
import GRDB

/// The secrets that earlier versions kept in the table `setting`.
struct SecretTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    /// SQLite leaves the bytes of a deleted row in the file; with `secure_delete` it overwrites them.
    func remove(_ name: String) async throws(AdapterFailure) {
        try await rows.write { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: ["secret." + name])
        }
    }

    func secret(_ name: String) async throws(AdapterFailure) -> [UInt8]? {
        try await rows.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: ["secret." + name]).map {
                Array($0)
            }
        }
    }
}
