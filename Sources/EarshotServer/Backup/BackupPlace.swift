import Foundation

/// The folder in which an operator collects backups. Holds a lock, so that two backups never work in it at once.
struct BackupPlace {
    private let folder: String
    private let descriptor: Int32
    private static let partialPrefix = ".partial-"

    /// Makes the folder if it does not exist, locks it, and removes what an interrupted backup left.
    init(_ folder: String) throws {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupFailure("Cannot make the folder \(folder): \(error.localizedDescription)")
        }
        descriptor = open(folder + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupFailure("Cannot write to \(folder).") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BackupFailure("Another backup to \(folder) is in progress. Wait until it has ended.")
        }
        for name in Self.names(in: folder) where name.hasPrefix(Self.partialPrefix) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    func unlock() { close(descriptor) }

    /// The newest complete backup.
    var newest: String? { Self.complete(in: folder).last }

    /// Makes an empty folder for a backup that is not complete.
    func makePartialFolder() throws -> String {
        let path = "\(folder)/\(Self.partialPrefix)\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return path
    }

    /// Gives a backup its name. Names sort by time.
    func complete(_ partial: String, at time: Date) throws -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .standard, includingFractionalSeconds: true)
        let path = "\(folder)/\(time.formatted(style).replacing(":", with: ""))"
        guard rename(partial, path) == 0 else {
            throw BackupFailure("Cannot rename \(partial) to \(path): \(String(cString: strerror(errno)))")
        }
        guard fsync(descriptor) == 0, Self.flush(folder) else { throw BackupFailure("Cannot flush \(folder).") }
        return path
    }

    /// The backup that is meant: `folder` itself if it is one, otherwise the newest in it.
    static func newest(in folder: String) throws -> String {
        if isComplete(folder) { return folder }
        guard let newest = complete(in: folder).last else { throw BackupFailure("\(folder) has no complete backup.") }
        return newest
    }

    private static func complete(in folder: String) -> [String] {
        names(in: folder).filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }.filter(isComplete)
    }

    private static func isComplete(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(BackupManifest.fileName)")
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func flush(_ folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
