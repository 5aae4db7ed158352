import EarshotCore
import GRDB

extension AdapterFailure {
    /// What SQLite said, without anybody's words: its message may quote a value, its code never does.
    init(_ error: DatabaseError) {
        let code = error.resultCode.primaryResultCode
        self.init("SQLite: \(code)", isRetryable: code != .SQLITE_CONSTRAINT && code != .SQLITE_MISMATCH)
    }

    static func of(_ error: any Error) -> AdapterFailure {
        switch error {
        case let failure as AdapterFailure: failure
        case let error as DatabaseError: AdapterFailure(error)
        case is DecodingError: AdapterFailure("a row cannot be read", isRetryable: false)
        default: AdapterFailure("storage failed", isRetryable: true)
        }
    }

    static let closed = AdapterFailure("storage is closed", isRetryable: true)
    static let overloaded = AdapterFailure("too many changes wait to be stored", isRetryable: true)
}

/// How bad a failed transaction is.
enum FailureGrade: Equatable {
    /// Something that one change of the batch did: its neighbours are innocent.
    case ofOneChange
    /// No change can be stored now; later perhaps.
    case ofTheMoment
    /// The disk lied or broke. What the kernel holds may not be what the disk has: this connection writes no more.
    case ofTheConnection

    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = .ofOneChange
            return
        }
        switch error.resultCode.primaryResultCode {
        case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .ofTheConnection
        case .SQLITE_FULL, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_NOMEM,
            .SQLITE_PERM, .SQLITE_PROTOCOL:
            self = .ofTheMoment
        default: self = .ofOneChange
        }
    }
}
