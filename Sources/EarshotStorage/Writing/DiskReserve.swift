import EarshotCore
import Foundation
import Synchronization

/// A file of real bytes next to the database, which is given up when the disk is full. Its space lets texts and
/// checkpoints continue for a while, and lets the server start.
final class DiskReserve: Sendable {
    /// The size of the file: some thousand texts.
    static let bytes = 4 * 1024 * 1024
    /// What must be free for the file to be made again. Otherwise it would be made and given up in turn.
    static let roomBytes = 4 * Int64(bytes)

    private let path: String
    private let isMade = Mutex(false)

    /// Finds out whether the file of an earlier process is there. Makes nothing.
    init(database: String) {
        path = database + "-reserve"
        isMade.withLock { $0 = Self.size(of: path) == Self.bytes }
    }

    /// Whether the space is still reserved.
    var isHeld: Bool { isMade.withLock { $0 } }

    /// Gives up the space. Blocks.
    /// - Returns: whether there was a file, so that what failed may succeed now.
    func release() -> Bool {
        isMade.withLock { isMade in
            isMade = false
            return unlink(path) == 0
        }
    }

    /// Makes the file if it is missing and the disk has room for much more than the file. Blocks.
    /// - Returns: whether the space is reserved.
    @discardableResult
    func restore() -> Bool {
        isMade.withLock { isMade in
            if !isMade, Self.free(at: path) >= Self.roomBytes { isMade = make() }
            return isMade
        }
    }

    /// Random bytes, written and flushed: some file systems compress others, or store holes.
    private func make() -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        let block = SystemRandom.bytes(64 * 1024)
        for _ in 0..<Self.bytes / block.count {
            guard write(file, block, block.count) == block.count else { return giveUp() }
        }
        return fsync(file) == 0 || giveUp()
    }

    private func giveUp() -> Bool {
        unlink(path)
        return false
    }

    private static func size(of path: String) -> Int? {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : nil
    }

    /// What this process may still write on the disk that has `path`.
    private static func free(at path: String) -> Int64 {
        var information = statvfs()
        guard statvfs((path as NSString).deletingLastPathComponent, &information) == 0 else { return 0 }
        return Int64(information.f_bavail) * Int64(information.f_frsize)
    }
}
