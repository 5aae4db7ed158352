import EarshotCore
import Foundation

/// A small file of the data folder that only its owner can read, such as a key.
struct PrivateFile {
    let path: String

    /// Replaces the file, or makes it. Afterwards the disk has either the old content or the new.
    /// - Throws: `AdapterFailure`.
    func replace(with content: Data) throws {
        let draft = try draft(content)
        guard rename(draft, path) == 0 else {
            throw AdapterFailure("\(path) cannot be replaced", isRetryable: false)
        }
        try synchronizeFolder()
    }

    /// Makes the file, unless it exists. Of two processes that make it at once, the first wins; on a file system
    /// without hard links, the last.
    /// - Throws: `AdapterFailure`.
    func make(with content: Data) throws {
        let draft = try draft(content)
        defer { unlink(draft) }
        guard link(draft, path) == 0 || errno == EEXIST || rename(draft, path) == 0 else {
            throw AdapterFailure("\(path) cannot be written", isRetryable: false)
        }
        try synchronizeFolder()
    }

    /// Writes the content to a file of this process next to it.
    private func draft(_ content: Data) throws -> String {
        let draft = path + ".new-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.removeItem(atPath: draft)
        let isMade = FileManager.default.createFile(
            atPath: draft, contents: content, attributes: [.posixPermissions: 0o600])
        guard isMade, let file = FileHandle(forWritingAtPath: draft) else {
            throw AdapterFailure("\(draft) cannot be written", isRetryable: false)
        }
        try file.synchronize()
        try file.close()
        return draft
    }

    private func synchronizeFolder() throws {
        try FileHandle(forReadingFrom: URL(fileURLWithPath: path).deletingLastPathComponent()).synchronize()
    }
}
