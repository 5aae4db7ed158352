import EarshotCore
import GRDB

extension AdapterFailure {
    /// Describes an SQLite error by its code only, because its message may quote a consumer's text.
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
    static let overloaded = AdapterFailure("too many changes are waiting to be stored", isRetryable: true)
}

/// What a failed transaction affects.
enum FailureGrade: Equatable {
    /// One change of the batch caused it; the others can be retried.
    case ofOneChange
    /// No change can be stored at the moment.
    case ofTheMoment
    /// The disk failed. The kernel's pages may differ from the disk, so this connection must not write again.
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
