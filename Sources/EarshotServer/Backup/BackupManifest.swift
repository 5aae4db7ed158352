public import EarshotMedia
public import EarshotStorage
import Foundation

/// What a backup says about itself: the file `manifest.json`, which is written last.
public struct BackupManifest: Codable, Sendable, Equatable {
    /// The name of the manifest's file.
    static let fileName = "manifest.json"
    /// The version of the backup's layout.
    static let currentFormat = 1

    /// The version of the backup's layout.
    public let format: Int
    /// The version of Earshot that made the backup.
    public let version: String
    /// When the database was copied, as ISO 8601 in UTC.
    public let made: String
    /// What the database holds.
    public let database: DatabaseCopy.Contents
    /// How many files the backup has, and their size.
    public let files: MediaBackup.Summary
    /// The SHA-256 digest of the list of files, which has the digest of every file.
    public let list: String
    /// Recordings whose files were missing or damaged in the data folder already.
    public let missing: [String]

    /// Reads the manifest of a backup.
    /// - Throws: `BackupFailure`.
    static func read(in folder: String) throws -> BackupManifest {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(fileName)") else {
            throw BackupFailure("\(folder) is not a complete backup: it has no \(fileName).")
        }
        let manifest: BackupManifest
        do { manifest = try JSONDecoder().decode(BackupManifest.self, from: bytes) } catch {
            throw BackupFailure("\(folder)/\(fileName) cannot be read. Use another backup.")
        }
        guard manifest.format == currentFormat, manifest.database.schema <= DatabaseCopy.newestSchema else {
            throw BackupFailure(
                "\(folder) was made by a later version of Earshot (\(manifest.version)). Restore it with that version.")
        }
        return manifest
    }

    /// Writes the manifest, readable by its owner only.
    func write(in folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let path = "\(folder)/\(Self.fileName)"
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: try encoder.encode(self) + Data("\n".utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw BackupFailure("Cannot write \(path).") }
    }
}

/// Why a backup could not be made, checked or restored, as a sentence for the operator.
public struct BackupFailure: Error, CustomStringConvertible, Equatable {
    /// What is wrong, and what to do.
    public let description: String

    /// Creates a failure with its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
