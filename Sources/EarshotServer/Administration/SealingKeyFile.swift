import EarshotCore
import EarshotModel
import Foundation

/// The key under which second factors are stored, in a file of the data folder that only its owner can read. It is not
/// in the database, so that a copy of the database shows no secret.
struct SealingKeyFile {
    static let name = "sealing-key"

    private let path: String

    init(folder: String) {
        path = folder + "/" + Self.name
    }

    /// Reads the key. The first time it makes one.
    /// - Throws: `AdapterFailure` if the file is damaged. A new key is not made then: no one who has a second factor
    ///   could sign in.
    func load(_ environment: SystemEnvironment) throws -> SealingKey {
        if !FileManager.default.fileExists(atPath: path) {
            let key = environment.random(SealingKey.keyBytes)
            try PrivateFile(path: path).make(with: Data((Base64URL.encode(key) + "\n").utf8))
        }
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        guard let text, let key = Base64URL.decode(text.trimmingCharacters(in: .newlines)),
            key.count == SealingKey.keyBytes
        else { throw AdapterFailure("\(path) is damaged. Restore it from a backup.", isRetryable: false) }
        return SealingKey(key)
    }
}
