import EarshotCore
import GRDB
import GRDBSQLite
import Glibc

extension AdapterFailure {
    /// Describes an SQLite error by its code only, because its message may quote a consumer's text.
    init(_ error: DatabaseError) {
        let code = error.resultCode.primaryResultCode
        self.init(
            "SQLite: \(code)", isRetryable: code != .SQLITE_CONSTRAINT && code != .SQLITE_MISMATCH,
            kind: FailureGrade(error) == .ofAFullDisk ? .full : .unavailable)
    }

    static func of(_ error: any Error) -> AdapterFailure {
        switch error {
        case let failure as AdapterFailure: failure
        case let error as DatabaseError: AdapterFailure(error)
        case let row as DamagedRow: AdapterFailure("\(row)", isRetryable: false, kind: .damaged)
        case is DecodingError: AdapterFailure("a row cannot be read", isRetryable: false, kind: .damaged)
        default: AdapterFailure("storage failed", isRetryable: true)
        }
    }

    /// Says why a database cannot be opened, for the operator.
    static func opening(_ path: String, _ error: any Error) -> AdapterFailure {
        guard let error = error as? DatabaseError else {
            let failure = AdapterFailure.of(error)
            return AdapterFailure(
                "the database \(path) cannot be opened: \(failure.what)", isRetryable: failure.isRetryable,
                kind: failure.kind)
        }
        let (reason, isLasting) = reason(error)
        return AdapterFailure(
            "the database \(path) cannot be opened: \(reason)", isRetryable: !isLasting,
            kind: AdapterFailure(error).kind)
    }

    private static func reason(_ error: DatabaseError) -> (String, isLasting: Bool) {
        if FailureGrade(error) == .ofAFullDisk { return ("the disk is full", false) }
        switch error.resultCode.primaryResultCode {
        case .SQLITE_IOERR: return ("the disk failed (\(error.extendedResultCode))", false)
        case .SQLITE_READONLY: return ("the disk or the file is read-only", false)
        case .SQLITE_CANTOPEN, .SQLITE_PERM: return ("the file or its folder may not be opened", false)
        case .SQLITE_BUSY, .SQLITE_LOCKED: return ("another process holds it", false)
        case .SQLITE_CORRUPT: return ("it is damaged. Restore a backup", true)
        case .SQLITE_NOTADB: return ("it is not a database. Restore a backup", true)
        default: return ("SQLite: \(error.extendedResultCode)", false)
        }
    }

    static let full = AdapterFailure("the disk is full", isRetryable: true, kind: .full)
    static let closed = AdapterFailure("storage is closed", isRetryable: true)
    static let overloaded = AdapterFailure("too many requests are waiting for storage", isRetryable: true)
    static let late = AdapterFailure("storage did not answer in time", isRetryable: true)
}

/// What a failed transaction affects.
enum FailureGrade: Equatable {
    /// One change of the batch caused it; the others can be retried.
    case ofOneChange
    /// No change can be stored at the moment.
    case ofTheMoment
    /// No change can be stored until the disk has space.
    case ofAFullDisk
    /// The disk failed. The kernel's pages may differ from the disk, so this connection must not write again.
    case ofTheConnection

    /// - Parameter systemError: the `errno` behind the error, if known. SQLite reports an exceeded quota as an I/O
    ///   error.
    init(_ error: any Error, systemError: Int32 = 0) {
        guard let error = error as? DatabaseError else {
            self = .ofOneChange
            return
        }
        switch error.resultCode.primaryResultCode {
        case .SQLITE_FULL: self = .ofAFullDisk
        // The index of the log is a file too, and grows.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .ofAFullDisk
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_WRITE && Self.isFull(systemError):
            self = .ofAFullDisk
        case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .ofTheConnection
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_PERM,
            .SQLITE_PROTOCOL:
            self = .ofTheMoment
        default: self = .ofOneChange
        }
    }

    /// - Parameter db: the connection on which it failed, which knows the `errno`.
    init(_ error: any Error, of db: Database) {
        self.init(error, systemError: sqlite3_system_errno(db.sqliteConnection))
    }

    private static func isFull(_ systemError: Int32) -> Bool { systemError == ENOSPC || systemError == EDQUOT }
}
