public import EarshotCore
import Foundation
import GRDB
import Synchronization

/// Encrypts the keys of conversations with a new master key. What people wrote stays as it is.
public struct KeyRotation: Sendable {
    /// How many keys are encrypted in one transaction.
    private static let together = 500

    private let rows: RowAccess
    private let writer: Writer

    init(_ rows: RowAccess, _ writer: Writer) {
        (self.rows, self.writer) = (rows, writer)
    }

    /// Wraps every key with the current master key. A rotation that was interrupted is completed by the next.
    /// - Returns: how many keys were wrapped.
    /// - Throws: where a key cannot be unwrapped, or where the old bytes could not be taken off the disk. The old
    ///   master key must be kept then.
    public func run() async throws(AdapterFailure) -> Int {
        var total = 0
        for table in Self.tables {
            var after: String? = ""
            while let last = after {
                let done = try await step(table, after: last)
                total += done.count
                after = done.last
            }
        }
        try await forgetEarlierMasters()
        guard try await emptyLog() else {
            throw AdapterFailure("another process reads the database; try again once it has ended", isRetryable: true)
        }
        return total
    }

    /// A table with wrapped keys, and its column with the id of what they encrypt.
    private struct Table: Sendable {
        let name: String
        let id: String
    }

    private static let tables = [
        Table(name: "conversation_key", id: "conversation"), Table(name: "removed_conversation", id: "id"),
        Table(name: "identity_provider", id: "account"),
    ]

    /// What one transaction did, and the last conversation that it looked at; `nil` at the end.
    private struct Step: Sendable {
        var count = 0
        var last: String?
    }

    private func step(_ table: Table, after: String) async throws(AdapterFailure) -> Step {
        let result = Mutex(Step())
        let keys = rows.contentKeys.keys
        try await rows.write { db in
            let found = try Row.fetchAll(
                db,
                sql: """
                    SELECT \(table.id), master_key, wrapped FROM \(table.name)
                    WHERE \(table.id) > ? AND wrapped IS NOT NULL ORDER BY \(table.id) LIMIT \(Self.together)
                    """, arguments: [after])
            var step = Step(last: found.last?[0])
            for row in found where row[1] as String != keys.current.id {
                let id: String = row[0]
                guard let key = keys.key(WrappedKey(master: row[1], bytes: row[2]), of: id) else {
                    throw DamagedRow(table: table.name, id: id)
                }
                let wrapped = try WrappedKey(key, by: keys.current)
                try db.execute(
                    sql: "UPDATE \(table.name) SET master_key = ?, wrapped = ? WHERE \(table.id) = ?",
                    arguments: [wrapped.master, wrapped.bytes, id])
                step.count += 1
            }
            result.withLock { [step] in $0 = step }
        }
        return result.withLock { $0 }
    }

    /// From now on the database opens without them. The constraint of the tables refuses it where a key remains.
    private func forgetEarlierMasters() async throws(AdapterFailure) {
        let current = rows.contentKeys.keys.current.id
        try await rows.write { db in
            try db.execute(sql: "DELETE FROM master_key WHERE id != ?", arguments: [current])
        }
    }

    private func emptyLog() async throws(AdapterFailure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            writer.emptyLog { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
