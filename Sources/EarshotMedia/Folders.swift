import EarshotModel
import Glibc

/// Where what lies. Every name is made by the server from its own ids; nothing that a client sends becomes part of a path.
///
///     uploads/ab/cd/<id>/   about, original, voice.mp3, refused     while it is received
///     media/ab/cd/<id>/     about, record, original, voice.mp3      once it is finished; voice.ogg, voice.m4a once they were asked for; a copy has no about
struct Folders: Sendable {
    let root: String

    func upload(_ id: String) -> String { place("uploads", id) }
    func media(_ id: String) -> String { place("media", id) }

    /// The same place by its real path: an operator may link it to another volume, and below it no link is ever followed.
    func resolved() throws -> Folders {
        var information = stat()
        guard lstat(root, &information) == 0, information.st_mode & S_IFMT == S_IFLNK else { return self }
        guard let path = realpath(root, nil) else { throw FileFailure(code: errno, verb: "find the folder") }
        defer { free(path) }
        return Folders(root: String(cString: path))
    }

    /// The folders of all unfinished uploads.
    func uploads() -> [String] {
        let top = root + "/uploads"
        return Self.names(in: top).flatMap { first in
            Self.names(in: "\(top)/\(first)").flatMap { second in
                Self.names(in: "\(top)/\(first)/\(second)").map { "\(top)/\(first)/\(second)/\($0)" }
            }
        }
    }

    /// Makes a folder and what is missing above it, each one on disk for good.
    static func make(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return try syncParent(of: path) }
        switch errno {
        case EEXIST: return
        case ENOENT:
            try make(parent(of: path))
            try make(path)
        default: try OpenFile.check(-1, "make a folder")
        }
    }

    /// Moves a whole folder in one step; afterwards it is there for good, and only there.
    static func move(_ from: String, to: String) throws {
        try make(parent(of: to))
        try OpenFile(reading: from).syncFolder()
        try OpenFile.check(Glibc.rename(from, to), "move")
        try syncParent(of: to)
        try syncParent(of: from)
    }

    /// Gives a file another name besides its own: the bytes stay until the last name goes.
    static func link(_ path: String, to other: String) throws {
        try OpenFile.check(Glibc.link(path, other), "link")
    }

    /// Removes a folder and the files in it; nothing where there is none.
    static func remove(_ path: String) throws {
        for name in names(in: path) { try OpenFile.check(unlink("\(path)/\(name)"), "remove") }
        guard rmdir(path) != 0, errno != ENOENT else { return }
        try OpenFile.check(-1, "remove")
    }

    static func removeFile(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        try OpenFile.check(-1, "remove")
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    static func size(of path: String) -> Int? {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : nil
    }

    /// When a file was last written, in nanoseconds since 1970; `nil` where there is none.
    static func written(_ path: String) -> Int64? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        return Int64(information.st_mtim.tv_sec) * 1_000_000_000 + Int64(information.st_mtim.tv_nsec)
    }

    /// The whole of a small file.
    static func contents(of path: String) throws -> [UInt8] {
        let size = size(of: path) ?? 0
        return try OpenFile(reading: path).read(size, at: 0)
    }

    /// Writes a small file in one step: either all of it is there, or what was there before.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        let draft = path + ".new"
        do {
            let file = try OpenFile(writing: draft, isFresh: true)
            try file.write(bytes[...], at: 0)
            try file.sync()
            try OpenFile.check(Glibc.rename(draft, path), "rename")
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Gives a file its name in one step, for good.
    static func rename(_ from: String, to: String) throws {
        try OpenFile.check(Glibc.rename(from, to), "rename")
        try syncParent(of: to)
    }

    private func place(_ kind: String, _ id: String) -> String {
        let characters = Array(id)
        precondition(characters.count > 4, "an id of the server's own has 22 characters")
        return "\(root)/\(kind)/\(String(characters[0..<2]))/\(String(characters[2..<4]))/\(id)"
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func syncParent(of path: String) throws {
        try OpenFile(reading: parent(of: path)).syncFolder()
    }

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
}
