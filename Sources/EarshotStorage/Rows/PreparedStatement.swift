import GRDB
import GRDBSQLite

/// A statement prepared once and used for ever, bound and stepped through SQLite's own interface: GRDB's arguments cost
/// an array and a box for every value, which at 20,000 messages a second is a fifth of what storing one may cost. The
/// connection, transactions and errors stay GRDB's.
struct PreparedStatement {
    private let statement: Statement
    private var handle: OpaquePointer { statement.sqliteStatement }

    init(_ sql: String, in db: Database) throws {
        statement = try db.makeStatement(sql: sql)
    }

    /// Prepared when this connection first asks for it.
    init(cached sql: String, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
    }

    /// Runs a statement that gives no row.
    func run(bind: (Binder) -> Void = { _ in }) throws {
        defer { reset() }
        bind(Binder(handle: handle))
        try check(sqlite3_step(handle), isOneOf: SQLITE_DONE)
    }

    /// Runs an insertion. - Returns: the new row's number.
    func insert(bind: (Binder) -> Void) throws -> Int64 {
        try run(bind: bind)
        return sqlite3_last_insert_rowid(sqlite3_db_handle(handle))
    }

    /// Runs a query; the first row, if there is one.
    func first<T>(bind: (Binder) -> Void, read: (RowReader) throws -> T) throws -> T? {
        defer { reset() }
        bind(Binder(handle: handle))
        let code = sqlite3_step(handle)
        try check(code, isOneOf: SQLITE_ROW, SQLITE_DONE)
        return code == SQLITE_ROW ? try read(RowReader(handle: handle)) : nil
    }

    /// Runs a query; every row in order.
    func all<T>(bind: (Binder) -> Void, read: (RowReader) throws -> T) throws -> [T] {
        defer { reset() }
        bind(Binder(handle: handle))
        var rows: [T] = []
        while true {
            let code = sqlite3_step(handle)
            try check(code, isOneOf: SQLITE_ROW, SQLITE_DONE)
            guard code == SQLITE_ROW else { return rows }
            rows.append(try read(RowReader(handle: handle)))
        }
    }

    /// The same for a statement that is put together: `arguments` are bound by GRDB.
    func all<T>(_ arguments: StatementArguments, read: (RowReader) throws -> T) throws -> [T] {
        try statement.setArguments(arguments)
        var rows: [T] = []
        defer { reset() }
        while true {
            let code = sqlite3_step(handle)
            try check(code, isOneOf: SQLITE_ROW, SQLITE_DONE)
            guard code == SQLITE_ROW else { return rows }
            rows.append(try read(RowReader(handle: handle)))
        }
    }

    private func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func check(_ code: CInt, isOneOf expected: CInt...) throws {
        guard !expected.contains(code) else { return }
        let connection = sqlite3_db_handle(handle)
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
}

/// Binds values by their place, from 1.
struct Binder {
    fileprivate let handle: OpaquePointer

    /// SQLite copies what it is given before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func integer(_ value: Int64?, at index: Int) {
        guard let value else { return null(at: index) }
        sqlite3_bind_int64(handle, CInt(index), value)
    }

    func integer(_ value: Int?, at index: Int) { integer(value.map(Int64.init), at: index) }

    func text(_ value: String?, at index: Int) {
        guard var value else { return null(at: index) }
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // A pointer to no bytes may be null, which would bind NULL.
                guard let start = characters.baseAddress else {
                    _ = sqlite3_bind_text(handle, CInt(index), "", 0, Self.copied)
                    return
                }
                sqlite3_bind_text(handle, CInt(index), start, CInt(characters.count), Self.copied)
            }
        }
    }

    func blob(_ value: [UInt8]?, at index: Int) {
        guard let value else { return null(at: index) }
        guard !value.isEmpty else {
            _ = sqlite3_bind_zeroblob(handle, CInt(index), 0)
            return
        }
        value.withUnsafeBytes {
            _ = sqlite3_bind_blob(handle, CInt(index), $0.baseAddress, CInt($0.count), Self.copied)
        }
    }

    private func null(at index: Int) { sqlite3_bind_null(handle, CInt(index)) }
}

/// Reads the columns of one row by their place, from 0. Valid inside the closure that it is given to.
struct RowReader {
    fileprivate let handle: OpaquePointer

    func integer(_ index: Int) -> Int64 { sqlite3_column_int64(handle, CInt(index)) }
    func int(_ index: Int) -> Int { Int(integer(index)) }

    func optionalInteger(_ index: Int) -> Int64? {
        sqlite3_column_type(handle, CInt(index)) == SQLITE_NULL ? nil : integer(index)
    }

    func optionalInt(_ index: Int) -> Int? { optionalInteger(index).map(Int.init) }

    func optionalText(_ index: Int) -> String? {
        guard let start = sqlite3_column_text(handle, CInt(index)) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, CInt(index)))),
            as: UTF8.self)
    }

    func text(_ index: Int) -> String { optionalText(index) ?? "" }

    func blob(_ index: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, CInt(index)) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, CInt(index)))))
    }
}
