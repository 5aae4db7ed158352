import EarshotCore
import EarshotMedia
import EarshotModel
import EarshotStorage
import Foundation

/// Makes backups of a data folder while its server runs, and checks them.
///
/// A backup is a folder named after its time in the folder that the operator chose. It has the layout of a data folder,
/// with a list of its files and a manifest beside it. It appears under its name only when it is complete.
public struct BackupService: Sendable {
    /// How often a backup begins again because the server deleted a recording meanwhile.
    static let attempts = 3
    /// How many damaged files are named.
    static let namedFiles = 20

    private let data: String
    private let masterKey: MasterKeyFile
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - configuration: of the installation.
    ///   - report: called with a line now and then about what is being done.
    public init(_ configuration: ServerConfiguration, report: @escaping @Sendable (String) -> Void) {
        data = configuration.data
        masterKey = MasterKeyFile(configuration, .system)
        self.report = report
    }

    /// A backup that was made.
    public struct Made: Sendable {
        /// The folder of the backup.
        public let folder: String
        /// What it holds.
        public let manifest: BackupManifest

        /// The ids of the master keys without which it cannot be opened.
        public let masterKeys: [String]

        /// What it holds, as lines to print.
        public var summary: [String] {
            let (database, files) = (manifest.database, manifest.files)
            return [
                "  conversations: \(database.conversations), events: \(database.events)",
                "  recordings: \(database.recordings)",
                "  files: \(files.files), \(files.bytes / 1_000_000) MB; new in this backup: \(files.newFiles)",
                "  master key, which is not in it: \(masterKeys.isEmpty ? "none" : masterKeys.joined(separator: ", "))",
            ]
        }

        /// A sentence about recordings that the data folder had lost before the backup; `nil` if there are none.
        public var loss: String? {
            guard !manifest.missing.isEmpty else { return nil }
            let named = manifest.missing.prefix(BackupService.namedFiles).joined(separator: ", ")
            return "\(manifest.missing.count) recordings were missing or damaged in the data folder already: \(named)"
        }
    }

    /// Makes a backup in a folder of its own within `folder`. Blocks until it is complete and was checked.
    ///
    /// The database comes first, the recordings second: so the recordings that the copy names exist already.
    /// - Throws: `BackupFailure`.
    public func make(in folder: String) throws -> Made {
        try requireDatabase()
        let place = try BackupPlace(folder)
        defer { place.unlock() }
        for _ in 0..<Self.attempts {
            if let made = try attempt(in: place) {
                do { try LastBackup(of: data).note(SystemEnvironment.system.now()) } catch {
                    report("The backup is complete, but its time could not be noted in \(data): \(error)")
                }
                return made
            }
            report("The server deleted a recording during the backup. Starting again.")
        }
        throw BackupFailure(
            "The server deleted recordings during each of \(Self.attempts) attempts. Nothing was kept. Try again later."
        )
    }

    /// Why a backup could not be opened with the master key of this installation, as a sentence for the operator.
    /// - Returns: `nil` if it can.
    public func keyProblem(of made: Made) throws -> String? {
        try MasterKeyCheck(file: masterKey, folder: made.folder).problem().map {
            "The backup cannot be opened without its master key: \($0). Look for the file before you need it."
        }
    }

    /// Reads a whole backup and compares it with its list and its database.
    /// - Parameter folder: a backup, or the folder with all backups; then the newest is checked.
    /// - Throws: `BackupFailure` that names what is damaged.
    public func check(_ folder: String) throws -> Made {
        let folder = try BackupPlace.newest(in: folder)
        let manifest = try BackupManifest.read(in: folder)
        let files = BackupFolder(folder)
        guard try files.listSum() == manifest.list else {
            throw BackupFailure("\(folder)/\(MediaBackup.listName) is missing or damaged. Use another backup.")
        }
        let progress = ProgressLine("Read", of: manifest.files.files, unit: "files", report)
        let damaged = try files.damagedFiles(limit: Self.namedFiles) { progress.reached($0) }
        guard damaged.isEmpty else {
            throw BackupFailure("\(folder) is damaged: \(damaged.joined(separator: ", ")). Use another backup.")
        }
        let database = DatabaseCopy(path: folder + "/" + Self.databaseName)
        guard try database.check() == manifest.database else {
            throw BackupFailure("The database in \(folder) is not the one of its manifest. Use another backup.")
        }
        let known = Set(manifest.missing)
        try database.forEachRecording { recording in
            let id = recording.content.media.rawValue
            guard known.contains(id) || files.hasFiles(of: recording) else {
                throw BackupFailure("\(folder) lacks the recording \(id). Use another backup.")
            }
        }
        return try Made(folder: folder, manifest: manifest, masterKeys: masterKeys(of: folder))
    }

    private func masterKeys(of folder: String) throws -> [String] {
        try MasterKeyCheck(file: masterKey, folder: folder).needed()
    }

    static let databaseName = "earshot.sqlite"
    /// What else of the data folder is in a backup: keys, without which consumers lose their conversations, drafts
    /// do not find their uploads, new evidence is signed by another key, and no second factor can be checked. All but
    /// the key of the drafts, which opens nothing, are encrypted with the master key.
    static let keyFiles = ["media/key"] + SealedFile.names

    private func requireDatabase() throws {
        guard FileManager.default.fileExists(atPath: "\(data)/\(Self.databaseName)") else {
            throw BackupFailure("\(data) has no database. Name the data folder with --data or EARSHOT_DATA.")
        }
    }

    /// - Returns: `nil` if the server deleted a recording that the copied database still has.
    private func attempt(in place: BackupPlace) throws -> Made? {
        let began = Date()
        let partial = try place.makePartialFolder()
        defer { try? FileManager.default.removeItem(atPath: partial) }
        let copying = ProgressLine("Copied", of: 100, unit: "% of the database", report)
        let database = try DatabaseCopy.make(of: "\(data)/\(Self.databaseName)", at: "\(partial)/\(Self.databaseName)")
        {
            copying.reached(Int($0 * 100))
        }
        let contents = try database.check()
        let media = try MediaBackup(of: data, to: partial, previous: place.newest)
        guard let missing = try copyRecordings(of: database, contents.recordings, with: media) else { return nil }
        for name in Self.keyFiles { try media.addFile(name, of: data) }
        try media.noteFile(Self.databaseName)
        let manifest = BackupManifest(
            format: BackupManifest.currentFormat, version: EarshotVersion.current,
            made: began.formatted(.iso8601), database: contents, files: media.summary, list: try media.finish(),
            missing: missing)
        try manifest.write(in: partial)
        let folder = try place.complete(partial, at: began)
        return try Made(folder: folder, manifest: manifest, masterKeys: masterKeys(of: folder))
    }

    /// - Returns: the recordings that the server lost earlier; `nil` if it deleted one since the database was copied.
    private func copyRecordings(of database: DatabaseCopy, _ count: Int, with media: MediaBackup) throws -> [String]? {
        struct Deleted: Error {}
        let live = DatabaseCopy(path: "\(data)/\(Self.databaseName)")
        let progress = ProgressLine("Copied", of: count, unit: "recordings", report)
        var (missing, copied) = ([String](), 0)
        do {
            try database.forEachRecording { recording in
                if try !media.add(recording) {
                    guard try live.hasFiles(of: recording) else { throw Deleted() }
                    missing.append(recording.content.media.rawValue)
                }
                copied += 1
                progress.reached(copied)
            }
        } catch is Deleted {
            return nil
        }
        return missing
    }
}
