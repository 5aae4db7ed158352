import EarshotCore
import EarshotModel
import Glibc

/// An open file or folder, closed with its last user. Every call blocks: for `BlockingPool.run` only.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private static let mode: mode_t = 0o600

    /// Reads what is there.
    init(reading path: String) throws {
        descriptor = try Self.check(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), "open")
    }

    /// Writes, and makes it where there is none.
    init(writing path: String, isFresh: Bool = false) throws {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (isFresh ? O_TRUNC : 0)
        descriptor = try Self.check(open(path, flags, Self.mode), "open")
    }

    deinit {
        close(descriptor)
    }

    /// Writes all of it, or throws.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            done += try bytes.withUnsafeBytes {
                try Self.check(
                    pwrite(descriptor, $0.baseAddress! + done, $0.count - done, off_t(offset + done)), "write")
            }
        }
    }

    /// At most so many bytes; fewer at the end.
    func read(_ count: Int, at offset: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try Self.check(pread(descriptor, buffer.baseAddress, count, off_t(offset)), "read")
        }
    }

    func truncate(to size: Int) throws {
        _ = try Self.check(ftruncate(descriptor, off_t(size)), "truncate")
    }

    /// On disk for good, with all that is needed to find its bytes.
    func sync() throws {
        _ = try Self.check(fdatasync(descriptor), "sync")
    }

    func syncFolder() throws {
        _ = try Self.check(fsync(descriptor), "sync")
    }

    /// Turns the system's errors into ours. A full disk is told to the sender; all else is only for the log.
    @discardableResult
    static func check<Number: SignedInteger>(_ result: Number, _ verb: String) throws -> Number {
        guard result < 0 else { return result }
        let code = errno
        if code == ENOSPC || code == EDQUOT { throw Rejection.storageFull }
        throw FileFailure(code: code, verb: verb)
    }
}

/// What the system said about a file.
struct FileFailure: Error {
    let code: Int32
    let verb: String

    var asAdapterFailure: AdapterFailure {
        AdapterFailure("media files: cannot \(verb): \(String(cString: strerror(code)))", isRetryable: true)
    }
}
