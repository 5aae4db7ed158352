import EarshotCore
import EarshotModel
import GRDB

extension Schema {
    /// Brings the database to this version's schema, each step in a transaction of its own, and gives it its epoch when
    /// it is new.
    ///
    /// Costs one pragma where nothing is to be done. A database of a later version is refused, never guessed at.
    /// - Parameters:
    ///   - path: the file of the database. Before an older one is changed, it is copied to a file next to it.
    ///   - isAllowed: whether an older database may be changed; otherwise it is refused.
    ///   - steps: every version's step. Tests give others.
    static func migrate(
        _ db: Database, of path: String, steps: [String] = steps, isAllowed: Bool, makeEpoch: () -> String
    ) throws {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= steps.count else {
            throw AdapterFailure(
                "it is of a later version of Earshot (schema \(version), this one knows \(steps.count))",
                isRetryable: false)
        }
        guard version < steps.count else { return }
        guard isAllowed else {
            throw AdapterFailure(
                "it is of an earlier version of Earshot (schema \(version), this one needs \(steps.count)). "
                    + "Start the server of this version first", isRetryable: false)
        }
        if version > 0 { try SchemaBackup(of: path).make(from: db, version: version) }
        for number in version..<steps.count {
            try db.inTransaction(.immediate) {
                try db.execute(sql: steps[number])
                if number == auditHashesStep { try AuditLog.addHashes(in: db) }
                if number == 0 {
                    try db.execute(sql: "INSERT INTO setting VALUES ('epoch', ?)", arguments: [makeEpoch()])
                }
                try db.execute(sql: "PRAGMA user_version = \(number + 1)")
                return .commit
            }
        }
    }

    static func epoch(_ db: Database) throws -> String {
        guard let epoch = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'epoch'") else {
            throw AdapterFailure("the database has no epoch", isRetryable: false)
        }
        return epoch
    }

    /// A new name for the life of a database, from the operating system's random bytes.
    static func makeEpoch() -> String {
        Base64URL.encode(SystemRandom.bytes(IdentifierRules.randomBytes))
    }
}
