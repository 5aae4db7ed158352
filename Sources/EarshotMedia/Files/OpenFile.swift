import EarshotCore
import EarshotModel
import Glibc

/// An open file or folder, closed some time after its last reference goes. Every call blocks: call them inside
/// `BlockingPool.run` only.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private static let mode: mode_t = 0o600

    /// Opens an existing file or folder for reading.
    init(reading path: String) throws {
        descriptor = try Self.check(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), "open a file")
    }

    /// Opens a file for writing and creates it if needed. `isFresh` empties it first.
    init(writing path: String, isFresh: Bool = false) throws {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (isFresh ? O_TRUNC : 0)
        descriptor = try Self.check(open(path, flags, Self.mode), "open a file")
    }

    deinit {
        // Closing waits for a volume that hangs, and the last reference may go anywhere.
        BlockingPool.files.submit { [descriptor] in _ = close(descriptor) }
    }

    /// Writes all bytes, or throws.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            done += try bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return try Self.check(
                    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done)), "write a file")
            }
        }
    }

    /// Reads at most `count` bytes; fewer at the end of the file.
    func read(_ count: Int, at offset: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try Self.check(pread(descriptor, buffer.baseAddress, count, off_t(offset)), "read a file")
        }
    }

    /// Cuts the file to `size` bytes.
    func truncate(to size: Int) throws {
        _ = try Self.check(ftruncate(descriptor, off_t(size)), "truncate a file")
    }

    /// Flushes the file's bytes, and the metadata needed to read them, to disk.
    func sync() throws {
        _ = try Self.check(fdatasync(descriptor), "sync a file")
    }

    /// Flushes a folder's entries to disk.
    func syncFolder() throws {
        _ = try Self.check(fsync(descriptor), "sync a folder")
    }

    /// Throws if a system call failed. A full disk becomes a rejection that the sender sees; every other error is for
    /// the log.
    @discardableResult
    static func check<Number: SignedInteger>(_ result: Number, _ operation: String) throws -> Number {
        guard result < 0 else { return result }
        let code = errno
        if code == ENOSPC || code == EDQUOT { throw Rejection.storageFull }
        throw FileFailure(code: code, operation: operation)
    }
}

/// A file operation that the operating system refused.
struct FileFailure: Error {
    /// The `errno`.
    let code: Int32
    /// What was attempted, for the log: "open a file".
    let operation: String

    var asAdapterFailure: AdapterFailure {
        AdapterFailure("media files: cannot \(operation): \(String(cString: strerror(code)))", isRetryable: true)
    }
}
