import EarshotCore
import EarshotStorage
import Foundation

/// Compares the file with the master key with what a data folder, or a backup, was encrypted with.
struct MasterKeyCheck {
    let file: MasterKeyFile
    /// A data folder, or a backup.
    let folder: String

    /// What the comparison found.
    enum Result: Hashable {
        /// Everything that is encrypted can be opened; the ids of the keys that are needed.
        case complete([String])
        /// Nothing is encrypted yet.
        case unused
        /// There is no file, and these keys are needed.
        case missing([String])
        /// The file has other keys than these, which are needed.
        case other([String])
        /// The file cannot be used, for this reason.
        case unusable(String)
    }

    /// Reads the file, the database and the sealed files.
    /// - Throws: `AdapterFailure` if the database cannot be read.
    func result() throws -> Result {
        let needed = try needed()
        do throws(AdapterFailure) {
            guard let ids = try file.ids() else { return needed.isEmpty ? .unused : .missing(needed) }
            let missing = needed.filter { !ids.contains($0) }
            return missing.isEmpty ? .complete(needed) : .other(missing)
        } catch {
            return .unusable(error.what)
        }
    }

    /// What is wrong, as a sentence without its end; `nil` if nothing is.
    func problem() throws -> String? {
        switch try result() {
        case .complete, .unused: nil
        case .missing(let keys): "\(file.path) is missing, and the master key \(keys.joined(separator: ", ")) is needed"
        case .other(let keys): "\(file.path) is not the master key \(keys.joined(separator: ", ")), which is needed"
        case .unusable(let why): why
        }
    }

    /// The ids of the master keys that the folder cannot be read without.
    func needed() throws -> [String] {
        let database = "\(folder)/\(BackupService.databaseName)"
        guard FileManager.default.fileExists(atPath: database) else { return [] }
        let sealed = SealedFile.names.compactMap { SealedFile.master(of: "\(folder)/\($0)") }
        return try DatabaseCopy(path: database).neededMasterKeys().union(sealed).sorted()
    }
}
