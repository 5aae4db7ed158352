import EarshotModel
import Glibc

/// Durable operations on files and folders. Every call blocks: call them inside `BlockingPool.run` only.
enum FileSystem {
    private static let maxMoves = 100

    /// Makes a folder and its missing parents, each synced to disk.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return try syncParent(of: path) }
        switch errno {
        case EEXIST: return
        case ENOENT where !parent(of: path).isEmpty:
            try makeFolder(parent(of: path))
            try makeFolder(path)
        default: try OpenFile.check(-1, "make a folder")
        }
    }

    /// Moves a whole folder atomically and syncs the old and the new parent.
    static func move(_ from: String, to: String) throws {
        try OpenFile(reading: from).syncFolder()
        try retryingLostParent {
            try makeFolder(parent(of: to))
            try OpenFile.check(Glibc.rename(from, to), "move a folder")
        }
        try syncParent(of: to)
        try syncParent(of: from)
    }

    /// Tries again where another task removed an empty parent (`removeEmptyParents`) before something was in it.
    private static func retryingLostParent(_ body: () throws -> Void) throws {
        for _ in 1..<maxMoves {
            do { return try body() } catch let failure as FileFailure where failure.code == ENOENT {}
        }
        try body()
    }

    /// Makes a hard link. The bytes stay on disk until the last link is removed.
    static func link(_ path: String, to other: String) throws {
        try OpenFile.check(Glibc.link(path, other), "link a file")
    }

    /// Removes a folder and the files in it. Does nothing if there is no such folder.
    static func removeFolder(_ path: String) throws {
        for name in names(in: path) { try removeFile("\(path)/\(name)") }
        guard rmdir(path) != 0, errno != ENOENT else { return }
        try OpenFile.check(-1, "remove a folder")
    }

    /// Removes the parents of `path` that are empty, below `root`, and syncs the lowest folder that is left.
    static func removeEmptyParents(of path: String, below root: String) throws {
        var folder = parent(of: path)
        while folder.hasPrefix(root + "/"), rmdir(folder) == 0 || errno == ENOENT { folder = parent(of: folder) }
        try OpenFile(reading: folder).syncFolder()
    }

    /// Removes a file. Does nothing if there is no such file.
    static func removeFile(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        try OpenFile.check(-1, "remove a file")
    }

    /// Whether there is a file or folder at `path`.
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// The size of a file in bytes; `nil` if there is no such file.
    static func size(of path: String) -> Int? {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : nil
    }

    /// When a file was last written, in nanoseconds since 1970; `nil` if there is no such file.
    static func modified(_ path: String) -> Int64? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return Int64(information.st_mtim.tv_sec) * 1_000_000_000 + Int64(information.st_mtim.tv_nsec)
    }

    /// All bytes of a small file.
    static func contents(of path: String) throws -> [UInt8] {
        let size = size(of: path) ?? 0
        return try OpenFile(reading: path).read(size, at: 0)
    }

    /// Writes a small file atomically: after a crash it has either its old or its new content.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        let draft = path + ".new"
        do {
            let file = try OpenFile(writing: draft, isFresh: true)
            try file.write(bytes[...], at: 0)
            try file.sync()
            try OpenFile.check(Glibc.rename(draft, path), "rename a file")
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Renames a file atomically and syncs its folder.
    static func rename(_ from: String, to: String) throws {
        try OpenFile.check(Glibc.rename(from, to), "rename a file")
        try syncParent(of: to)
    }

    /// The names of the files and folders in a folder; empty if it cannot be read.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Where a symbolic link points, as an absolute path; `path` itself if it is not a link.
    static func resolvingLink(_ path: String) throws -> String {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let resolved = realpath(path, nil) else { throw FileFailure(code: errno, operation: "find the folder") }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The folder that a file or folder is in.
    static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func syncParent(of path: String) throws {
        try OpenFile(reading: parent(of: path)).syncFolder()
    }
}
