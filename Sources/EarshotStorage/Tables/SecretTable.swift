import EarshotCore
import Foundation
import GRDB

/// The secrets of this installation, in the table `setting`.
struct SecretTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func secret(_ name: String, make: @Sendable () -> [UInt8]) async throws(AdapterFailure) -> [UInt8] {
        if let known = try await storedSecret(name) { return known }
        let made = Data(make())
        try await rows.write { db in
            try db.execute(
                sql: "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                arguments: ["secret." + name, made])
        }
        guard let stored = try await storedSecret(name) else {
            throw AdapterFailure("a secret was not kept", isRetryable: false)
        }
        return stored
    }

    private func storedSecret(_ name: String) async throws(AdapterFailure) -> [UInt8]? {
        try await rows.read { db in
            try Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: ["secret." + name]).map {
                Array($0)
            }
        }
    }
}
