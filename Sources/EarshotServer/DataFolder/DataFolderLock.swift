import Foundation

/// The lock of a data folder (`flock` on its file `lock`), held until this goes. The kernel releases it when the
/// process ends, however it ends.
///
/// A server holds it exclusively and writes its version and process id into the file, and once it accepts connections
/// also its address. Commands share it; next to a
/// server they work without it, if they are of the server's version.
public final class DataFolderLock: Sendable {
    /// How long a server waits for a command, or for the server that it replaces, to end.
    static let patience = Duration.seconds(2)
    static let fileName = "lock"
    private static let pause: UInt32 = 20_000

    private let descriptor: Int32
    private let isServer: Bool
    /// Whether a server holds the folder, so that a command must leave the database's schema alone.
    public let isBesideServer: Bool
    /// How that server is reached, if it accepts connections already.
    let server: Reach?

    /// How browsers reach a running server.
    struct Reach: Hashable {
        let address: String
        let hasDemoLinks: Bool
    }

    private init(_ descriptor: Int32, isServer: Bool, isBesideServer: Bool = false, server: Reach? = nil) {
        self.descriptor = descriptor
        self.isServer = isServer
        self.isBesideServer = isBesideServer
        self.server = server
    }

    deinit {
        // An empty file says that no server holds the lock.
        if isServer { ftruncate(descriptor, 0) }
        close(descriptor)
    }

    /// Locks a folder for a server.
    /// - Throws: `ServerFailure` if another process uses the folder.
    static func serving(_ folder: String, version: String) throws -> DataFolderLock {
        let descriptor = try open(folder)
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                let holder = Holder(descriptor)
                close(descriptor)
                throw inUse(folder, by: holder)
            }
            usleep(pause)
        }
        ftruncate(descriptor, 0)
        let lock = DataFolderLock(descriptor, isServer: true)
        lock.write("\(version) \(getpid())")
        return lock
    }

    /// Leaves the server's address for the commands that print links.
    func announce(_ reach: Reach, version: String) {
        write("\(version) \(getpid()) \(reach.address) \(reach.hasDemoLinks ? "demo-links" : "no-links")")
    }

    private func write(_ text: String) {
        let line = Array((text + "\n").utf8)
        pwrite(descriptor, line, line.count, 0)
    }

    /// Shares a folder with other commands, or with the server that has locked it.
    /// - Throws: `ServerFailure` if that server is of another version.
    static func command(_ folder: String, version: String) throws -> DataFolderLock {
        let descriptor = try open(folder)
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
            return DataFolderLock(descriptor, isServer: false)
        }
        guard let holder = Holder(descriptor), holder.version == version else {
            let holder = Holder(descriptor)
            close(descriptor)
            throw ServerFailure(
                .folderInUse,
                "The data folder \(folder) is used by Earshot \(holder?.version ?? "of an unknown version"), and this "
                    + "command is of version \(version). Use the command of the server's version, or stop the server.")
        }
        return DataFolderLock(descriptor, isServer: false, isBesideServer: true, server: holder.reach)
    }

    private static func open(_ folder: String) throws -> Int32 {
        let descriptor = Foundation.open(folder + "/" + fileName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw ServerFailure(
                .diskFailed, "The data folder \(folder) cannot be used: \(String(cString: strerror(errno))).")
        }
        return descriptor
    }

    private static func inUse(_ folder: String, by holder: Holder?) -> ServerFailure {
        let who = holder.map { "another Earshot server (process \($0.process))" } ?? "another Earshot command"
        return ServerFailure(
            .folderInUse,
            "The data folder \(folder) is in use by \(who). Stop it, or choose another folder with --data or "
                + "EARSHOT_DATA.")
    }

    /// The server that holds the lock, as it says in the file.
    private struct Holder {
        let version: String
        let process: Int32
        let reach: Reach?

        init?(_ descriptor: Int32) {
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard words.count >= 2, let process = Int32(words[1]) else { return nil }
            (version, self.process) = (String(words[0]), process)
            reach = words.count == 4 ? Reach(address: String(words[2]), hasDemoLinks: words[3] == "demo-links") : nil
        }
    }
}
