import GRDB
import GRDBSQLite

/// A moment after which SQLite interrupts a query, in monotonic nanoseconds.
struct QueryDeadline {
    /// Instructions of SQLite's virtual machine between two looks at the clock.
    private static let instructions: CInt = 1_000

    private let nanoseconds: UInt64

    init(after duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds = monotonicNanoseconds() + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// Runs `body`, whose queries fail with `SQLITE_INTERRUPT` after the deadline.
    func run<T>(on db: Database, _ body: () throws -> T) throws -> T {
        guard monotonicNanoseconds() < nanoseconds else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
        var deadline = nanoseconds
        return try withUnsafeMutablePointer(to: &deadline) { pointer in
            let isPassed: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { deadline in
                monotonicNanoseconds() >= deadline?.load(as: UInt64.self) ?? 0 ? 1 : 0
            }
            sqlite3_progress_handler(db.sqliteConnection, Self.instructions, isPassed, pointer)
            defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
            return try body()
        }
    }
}
