import EarshotCore
import Glibc
import Hummingbird
import NIOCore
import NIOPosix

/// Reads files in pieces on a thread pool, never on an event loop, and never further ahead than the client reads.
struct FileReader: Sendable {
    private static let pieceBytes = 64 * 1024

    private let threads: NIOThreadPool

    init(threads: NIOThreadPool = .singleton) {
        self.threads = threads
    }

    /// The body with these bytes of the file. Opens the file at once, so that a missing file still gets a proper error
    /// answer.
    func body(path: String, range: Range<Int>) async throws -> ResponseBody {
        let file = try await threads.runIfActive { try OpenFile(path) }
        return ResponseBody(contentLength: range.count) { [threads] writer in
            var next = range.lowerBound
            while next < range.upperBound {
                let (offset, count) = (next, min(Self.pieceBytes, range.upperBound - next))
                let piece = try await threads.runIfActive { try file.read(count, at: offset) }
                try await writer.write(piece)
                next += piece.readableBytes
            }
            try await writer.finish(nil)
        }
    }
}

/// An open file. It is closed with its last reference, also where no response is ever written.
private final class OpenFile: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(AdapterFailure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw AdapterFailure("open of a media file: errno \(errno)", isRetryable: errno == EMFILE)
        }
    }

    deinit {
        close(descriptor)
    }

    /// At least one byte, at most `count`.
    func read(_ count: Int, at offset: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            max(0, pread(descriptor, space.baseAddress, count, off_t(offset)))
        }
        guard got > 0 else { throw AdapterFailure("read of a media file: errno \(errno)", isRetryable: false) }
        return buffer
    }
}
