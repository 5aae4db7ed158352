import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// Reads rows from the database, and has the one writer write them. Every table type works with it.
struct RowAccess: Sendable {
    private let database: OpenDatabase
    private let writer: Writer

    init(_ database: OpenDatabase, _ writer: Writer) {
        self.database = database
        self.writer = writer
    }

    /// Runs a query on a consistent snapshot of the database.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(AdapterFailure) -> T {
        let (metrics, asked) = (writer.metrics, monotonicNanoseconds())
        metrics.reads.add(1)
        defer { metrics.reads.add(-1) }
        do {
            return try await database.pool.read { db in
                metrics.readWait.observe(nanoseconds: Int(monotonicNanoseconds() - asked))
                return try body(db)
            }
        } catch {
            throw .of(error)
        }
    }

    /// Has the writer run `body` in its next transaction. Returns once the transaction is on disk.
    func write(_ body: @escaping @Sendable (Database) throws -> Void) async throws(AdapterFailure) {
        let failure = await withCheckedContinuation { continuation in
            writer.add(.rows(WriteJob.RowJob(run: body) { continuation.resume(returning: $0) }))
        }
        if let failure { throw failure }
    }

    /// Reads one value that is stored as JSON.
    func value<T: Decodable & Sendable>(_ sql: String, _ arguments: StatementArguments) async throws(AdapterFailure)
        -> T?
    {
        try await read { db in
            let body = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
            return try body.map { try JSONDecoder().decode(T.self, from: $0) }
        }
    }

    /// Reads values that are stored as JSON, one per row.
    func values<T: Decodable & Sendable>(_ sql: String, _ arguments: StatementArguments) async throws(AdapterFailure)
        -> [T]
    {
        try await read { db in
            try Data.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map {
                try JSONDecoder().decode(T.self, from: $0)
            }
        }
    }

    /// Reads values that are stored as JSON, one per agent of an account. The query has the account as its argument
    /// and the columns agent and body.
    func byAgent<T: Decodable & Sendable>(_ sql: String, _ account: AccountID) async throws(AdapterFailure)
        -> [AgentID: T]
    {
        try await read { db in
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue])
            return try Dictionary(rows.map { (AgentID(trusted: $0[0]), try JSONDecoder().decode(T.self, from: $0[1])) })
            { first, _ in first }
        }
    }

    /// Saves a value as JSON. The statement's last argument is the JSON, after the given columns.
    func save(_ value: some Encodable, _ sql: String, _ columns: StatementArguments) async throws(AdapterFailure) {
        let body: Data
        do { body = try JSONEncoder().encode(value) } catch { throw .of(error) }
        let arguments = columns + [body]
        try await write { db in try db.cachedStatement(sql: sql).execute(arguments: arguments) }
    }
}
