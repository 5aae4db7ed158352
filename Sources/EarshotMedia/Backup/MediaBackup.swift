public import EarshotCore
import EarshotModel
import Foundation
import Glibc

/// Copies the files of recordings into the folder of a backup. It is made for one backup, and every call blocks.
///
/// Apart from its record, a recording's files are written once. So a file that the previous backup has is linked to
/// that one, and any other is linked to the server's own file. Where a link is not possible, because the backup is on
/// another file system, the bytes are copied. Each file is read again from the backup, unless it was read for the
/// previous one.
public final class MediaBackup {
    /// The list of all files of a backup with their digests, in the format of `sha256sum`.
    public static let listName = "SHA256SUMS"
    private static let folderName = "media"

    private let backup: String
    private let source: String
    private let files: RecordingArchive
    private let copies: RecordingArchive
    private let previous: (folder: String, list: FileSumsReader)?
    private let list: FileSumsWriter
    /// What was copied so far.
    public private(set) var summary = Summary()

    /// What a backup holds.
    public struct Summary: Codable, Hashable, Sendable {
        /// How many files there are.
        public internal(set) var files = 0
        /// Their size.
        public internal(set) var bytes = 0
        /// How many of them were not in the previous backup.
        public internal(set) var newFiles = 0
    }

    /// Begins the copy of the recordings in a data folder.
    /// - Parameters:
    ///   - data: the data folder.
    ///   - backup: the folder of the backup, which must exist.
    ///   - previous: the folder of the backup before, if there is one.
    public init(of data: String, to backup: String, previous: String?) throws(AdapterFailure) {
        self.backup = backup
        do {
            source = try FileSystem.resolvingLink(data + "/" + Self.folderName)
            files = RecordingArchive(MediaFolders(root: source))
            copies = RecordingArchive(MediaFolders(root: backup + "/" + Self.folderName))
            list = try FileSumsWriter(backup + "/" + Self.listName)
        } catch {
            throw BackupFolder.failure(error)
        }
        self.previous = previous.flatMap { folder in
            FileSumsReader(folder + "/" + Self.listName).map { (folder, $0) }
        }
    }

    /// Copies a recording. Recordings must come in the order of their ids.
    /// - Returns: whether its files exist, and are those that the database describes.
    public func add(_ recording: RecordedMedia) throws(AdapterFailure) -> Bool {
        do {
            let from = try files.files(of: recording.content.media)
            let to = try copies.files(of: recording.content.media)
            guard FileSystem.exists(from.original), FileSystem.exists(from.mp3), FileSystem.exists(from.record) else {
                return false
            }
            try BackupFolder.make(to.folder)
            var sums: [String: String] = [:]
            for name in FileSystem.names(in: from.folder).filter({ !$0.hasSuffix(".new") }).sorted() {
                let target = "\(to.folder)/\(name)"
                if target == to.record {
                    try copyRecord(of: recording, from: from.record)
                    sums[target] = try note(target)
                } else {
                    sums[target] = try link("\(from.folder)/\(name)", to: target)
                }
            }
            try copyScanMarker(of: recording)
            return FileSystem.size(of: to.original) == recording.content.sizeBytes
                && sums[to.original] == FileSum.hexadecimal(recording.sha256)
        } catch let failure as FileFailure where failure.code == ENOENT {
            return false
        } catch {
            throw BackupFolder.failure(error)
        }
    }

    /// Adds another file of the data folder to the backup: a secret, for example. A missing one is skipped.
    public func addFile(_ name: String, of data: String) throws(AdapterFailure) {
        do {
            guard FileSystem.exists("\(data)/\(name)") else { return }
            try BackupFolder.copy("\(data)/\(name)", to: "\(backup)/\(name)")
            _ = try note("\(backup)/\(name)")
        } catch {
            throw BackupFolder.failure(error)
        }
    }

    /// Adds a file that is in the backup already: the copy of the database.
    public func noteFile(_ name: String) throws(AdapterFailure) {
        do { _ = try note("\(backup)/\(name)") } catch { throw BackupFolder.failure(error) }
    }

    /// Flushes everything to disk.
    /// - Returns: the digest of the list, which covers every file.
    public func finish() throws(AdapterFailure) -> String {
        do {
            try list.flush()
            // The names of all the links, in one go.
            sync()
            return try OpenFile.sum(of: backup + "/" + Self.listName)
        } catch {
            throw BackupFolder.failure(error)
        }
    }

    // MARK: One file

    /// Links a file to the previous backup's or to the server's, or copies it.
    /// - Returns: its digest.
    private func link(_ from: String, to target: String) throws -> String {
        let name = relative(target)
        if let previous, let sum = previous.list.sum(of: name) {
            let old = "\(previous.folder)/\(name)"
            if FileSystem.size(of: old) == FileSystem.size(of: from), Glibc.link(old, target) == 0 {
                try note(FileSum(path: name, sum: sum), size: FileSystem.size(of: target))
                return sum
            }
        }
        if Glibc.link(from, target) != 0 {
            guard errno != ENOENT else { throw FileFailure(code: ENOENT, operation: "read a recording") }
            try BackupFolder.copy(from, to: target)
        }
        return try note(target)
    }

    /// Reads a new file of the backup, and notes its digest.
    private func note(_ path: String) throws -> String {
        let sum = try OpenFile.sum(of: path)
        try note(FileSum(path: relative(path), sum: sum), size: FileSystem.size(of: path))
        summary.newFiles += 1
        return sum
    }

    private func note(_ line: FileSum, size: Int?) throws {
        try list.append(line)
        summary.files += 1
        summary.bytes += size ?? 0
    }

    /// The record is replaced when a scan ends. The copy has the state that the copied database has, so that a scan
    /// that the database still waits for is done again.
    private func copyRecord(of recording: RecordedMedia, from path: String) throws {
        let target = try copies.files(of: recording.content.media).record
        try BackupFolder.copy(path, to: target)
        guard recording.scan == .pending else { return }
        let record = try JSONDecoder().decode(RecordedMedia.self, from: Data(FileSystem.contents(of: target)))
        try copies.save(.pending, of: record)
    }

    /// The marker of a recording whose whole file is still to be scanned.
    private func copyScanMarker(of recording: RecordedMedia) throws {
        let name = "scans/\(recording.content.media)"
        guard recording.scan == .pending || FileSystem.exists("\(source)/\(name)") else { return }
        let marker = "\(backup)/\(Self.folderName)/\(name)"
        try BackupFolder.copy(nil, to: marker)
    }

    private func relative(_ path: String) -> String { String(path.dropFirst(backup.count + 1)) }
}
