import EarshotCore
import EarshotModel
import Foundation
import GRDB

/// Reads rows from the database, and has the one writer write them. Every table type works with it.
struct RowAccess: Sendable {
    private let database: OpenDatabase
    private let writer: Writer
    private let pending: PendingReads
    /// The rows that could not be read.
    let damaged: DamagedRows
    /// The keys of conversations.
    var contentKeys: ContentKeyTable { ContentKeyTable(keys: database.contentKeys) }

    init(_ database: OpenDatabase, _ writer: Writer, pending: PendingReads, damaged: DamagedRows) {
        self.damaged = damaged
        self.database = database
        self.writer = writer
        self.pending = pending
    }

    /// Runs a query on a consistent snapshot of the database. Fails at the deadline if the disk hangs; the query then
    /// ends whenever the disk lets it.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(AdapterFailure) -> T {
        let (metrics, asked) = (writer.metrics, monotonicNanoseconds())
        metrics.reads.add(1)
        defer { metrics.reads.add(-1) }
        let result: Result<T, AdapterFailure> = await withCheckedContinuation { continuation in
            let number = pending.begin(at: asked) { continuation.resume(returning: .failure($0)) }
            guard let number else { return continuation.resume(returning: .failure(.overloaded)) }
            database.pool.asyncRead { [pending, damaged] db in
                metrics.readWait.observe(nanoseconds: Int(monotonicNanoseconds() - asked))
                let result =
                    pending.isWaiting(number)
                    ? Result { try body(db.get()) }.mapError { damaged.failure($0) } : .failure(.late)
                if pending.end(number) { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }

    /// Has the writer run `body` in its next transaction. Returns once the transaction is on disk.
    func write(_ body: @escaping @Sendable (Database) throws -> Void) async throws(AdapterFailure) {
        let failure = await withCheckedContinuation { continuation in
            writer.add(.rows(WriteJob.RowJob(run: body) { continuation.resume(returning: $0) }))
        }
        if let failure { throw failure }
    }

    /// Reads one value that is stored as JSON. - Throws: a failure of the kind `damaged` where it cannot be read.
    /// - Parameters:
    ///   - table: where it is stored, for the note of a damaged row.
    ///   - id: the row's key, or that of its account where the key tells a person's name or address.
    func value<T: Decodable & Sendable>(in table: String, id: String, _ sql: String, _ arguments: StatementArguments)
        async throws(AdapterFailure) -> T?
    {
        try await read { db in
            let body = try Data.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
            return try body.map { try Self.decode($0, of: table, id: id) }
        }
    }

    /// Reads values that are stored as JSON, one per row: the column body, after the row's id. Damaged rows are
    /// skipped.
    func values<T: Decodable & Sendable>(in table: String, _ sql: String, _ arguments: StatementArguments)
        async throws(AdapterFailure) -> [T]
    {
        try await read { [damaged] db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).compactMap { row in
                try damaged.skip { try Self.decode(row[1], of: table, id: row[0]) }
            }
        }
    }

    /// Reads values that are stored as JSON, one per agent of an account. The query has the account as its argument
    /// and the columns agent and body. Damaged rows are skipped.
    func byAgent<T: Decodable & Sendable>(in table: String, _ sql: String, _ account: AccountID)
        async throws(AdapterFailure) -> [AgentID: T]
    {
        try await read { [damaged] db in
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue])
            let values: [(AgentID, T)] = try rows.compactMap { row in
                try damaged.skip { (AgentID(trusted: row[0]), try Self.decode(row[1], of: table, id: row[0])) }
            }
            return Dictionary(values) { first, _ in first }
        }
    }

    /// - Throws: `DamagedRow`.
    static func decode<T: Decodable>(_ body: Data, of table: String, id: String) throws -> T {
        do { return try JSONDecoder().decode(T.self, from: body) } catch { throw DamagedRow(table: table, id: id) }
    }

    /// Saves a value as JSON. The statement's last argument is the JSON, after the given columns.
    func save(_ value: some Encodable, _ sql: String, _ columns: StatementArguments) async throws(AdapterFailure) {
        let body: Data
        do { body = try JSONEncoder().encode(value) } catch { throw .of(error) }
        let arguments = columns + [body]
        try await write { db in try db.cachedStatement(sql: sql).execute(arguments: arguments) }
    }
}
