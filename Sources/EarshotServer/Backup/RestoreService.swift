import EarshotMedia
import EarshotStorage
import Foundation

/// Restores a backup into a data folder.
public struct RestoreService: Sendable {
    private let configuration: ServerConfiguration
    private var data: String { configuration.data }
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - configuration: of the installation whose data folder is to be filled.
    ///   - report: called with a line now and then about what is being done.
    public init(_ configuration: ServerConfiguration, report: @escaping @Sendable (String) -> Void) {
        self.configuration = configuration
        self.report = report
    }

    /// Checks a backup, and copies it into the data folder, which must be empty.
    ///
    /// The restored log gets a new epoch, so that every client starts afresh, and everyone has to sign in again. The
    /// database gets its name last: a server does not find half of a restored folder.
    /// - Parameters:
    ///   - backup: a backup, or the folder with all backups; then the newest is restored.
    ///   - movesOld: whether what is in the data folder is moved into a folder within it, instead of being refused.
    /// - Returns: the backup, and the folder with what was there before.
    /// - Throws: `BackupFailure`; `ServerFailure` if a server uses the data folder.
    public func restore(_ backup: String, movesOld: Bool) throws -> (made: BackupService.Made, old: String?) {
        let made = try BackupService(configuration, report: report).check(backup)
        do {
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupFailure("Cannot make the folder \(data): \(error.localizedDescription)")
        }
        let lock = try DataFolder(path: data).lock(for: .serving)
        defer { withExtendedLifetime(lock) {} }
        let old = try clear(movesOld: movesOld)
        let staged = "\(data)/.restoring"
        try? FileManager.default.removeItem(atPath: staged)
        let progress = ProgressLine("Restored", of: made.manifest.files.files, unit: "files", report)
        try BackupFolder(made.folder).copy(to: staged) { progress.reached($0) }
        try DatabaseCopy(path: "\(staged)/\(BackupService.databaseName)").beginNewLife()
        try moveIntoPlace(staged)
        return (made, old)
    }

    /// What to do after a restore, as a sentence for the operator.
    public func nextStep() throws -> String {
        let check = MasterKeyCheck(file: MasterKeyFile(configuration, .system), folder: data)
        guard let problem = try check.problem() else { return "Next: earshot serve. Everyone has to sign in again." }
        return "Next: \(problem). Put that master key into \(check.file.path): no backup has it. Then: earshot serve. "
            + "Everyone has to sign in again."
    }

    /// Empties the data folder.
    /// - Returns: where its contents are now; `nil` if it was empty.
    private func clear(movesOld: Bool) throws -> String? {
        let names = try FileManager.default.contentsOfDirectory(atPath: data).filter { !Self.isIgnored($0) }
        guard !names.isEmpty else { return nil }
        guard movesOld else {
            throw BackupFailure(
                "\(data) is not empty. Name an empty folder with --data, or add --force to move its contents aside.")
        }
        let old = "\(data)/\(Self.oldPrefix)\(Int(Date().timeIntervalSince1970))"
        try FileManager.default.createDirectory(
            atPath: old, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for name in names { try FileManager.default.moveItem(atPath: "\(data)/\(name)", toPath: "\(old)/\(name)") }
        return old
    }

    /// Moves every entry of the staged folder into the data folder, the database last.
    private func moveIntoPlace(_ staged: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: staged)
        let ordered = names.filter { $0 != BackupService.databaseName } + [BackupService.databaseName]
        for name in ordered {
            guard rename("\(staged)/\(name)", "\(data)/\(name)") == 0 else {
                throw BackupFailure("Cannot move \(name) into \(data): \(String(cString: strerror(errno)))")
            }
        }
        try FileManager.default.removeItem(atPath: staged)
        sync()
    }

    private static let oldPrefix = "before-restore-"

    private static func isIgnored(_ name: String) -> Bool {
        // The master key is in no backup: it stays where it is.
        name == "lost+found" || name == DataFolderLock.fileName || name == MasterKeyFile.name || name == ".restoring"
            || name.hasPrefix(oldPrefix)
    }
}
