import EarshotCore
import EarshotStorage
import Foundation

/// The master keys, in a file that is in no backup. The first line is the key that encrypts new keys of conversations;
/// while a rotation runs, the one before is in the second line.
struct MasterKeyFile: MasterKeySource {
    static let name = "master-key"

    let path: String
    private let environment: SystemEnvironment

    init(_ configuration: ServerConfiguration, _ environment: SystemEnvironment) {
        path = configuration.masterKeyFile ?? "\(configuration.data)/\(Self.name)"
        self.environment = environment
    }

    /// Reads the keys. Makes the first one only where the database needs none yet.
    func masterKeys(needed: Set<String>) throws(AdapterFailure) -> MasterKeys {
        if let found = try found { return found }
        guard needed.isEmpty else {
            throw AdapterFailure(
                "\(path) is missing, and the database's texts are encrypted with the master key "
                    + "\(needed.sorted().joined(separator: ", ")). Restore the file from where you keep its copy, or "
                    + "name it with EARSHOT_MASTER_KEY_FILE. No new key was made", isRetryable: false)
        }
        do { try file.make(environment) } catch {
            throw (error as? AdapterFailure)
                ?? AdapterFailure("\(path) cannot be written: \(error)", isRetryable: false)
        }
        guard let made = try found else { throw AdapterFailure("\(path) cannot be read", isRetryable: false) }
        return made
    }

    /// Refuses a file that others than its owner may read or write.
    /// - Throws: `ServerFailure` with what to do.
    func checkMode() throws {
        guard let mode = openMode else { return }
        throw ServerFailure(
            .unprotectedFolder,
            "The file with the master key, \(path), is open to other users of this machine (mode \(mode)). Run: chmod "
                + "600 \(path)")
    }

    /// The mode of a file that others than its owner may use, in octal; `nil` for a protected file, and for none.
    var openMode: String? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & 0o077 != 0 else { return nil }
        return String(information.st_mode & 0o777, radix: 8)
    }

    /// The ids of the keys in the file, the newest first; `nil` where there is no file.
    /// - Throws: `AdapterFailure` if the file is empty or damaged.
    func ids() throws(AdapterFailure) -> [String]? {
        try file.keys()?.map { MasterKey($0).id }
    }

    /// Puts a new key before the present one. Goes on with the last rotation, if that was interrupted.
    func beginRotation() throws {
        guard let keys = try file.keys() else {
            throw AdapterFailure("\(path) is missing. Start the server once, or restore the file", isRetryable: false)
        }
        if keys.count == 1 { try file.replace(with: [environment.random(MasterKey.keyBytes)] + keys) }
    }

    /// Keeps only the first key.
    func endRotation() throws {
        guard let keys = try file.keys() else { return }
        try file.replace(with: [keys[0]])
    }

    private var file: SecretFile { SecretFile(path, keyBytes: MasterKey.keyBytes) }

    private var found: MasterKeys? {
        get throws(AdapterFailure) {
            guard let keys = try file.keys() else { return nil }
            return MasterKeys(MasterKey(keys[0]), earlier: keys.dropFirst().map(MasterKey.init))
        }
    }
}
