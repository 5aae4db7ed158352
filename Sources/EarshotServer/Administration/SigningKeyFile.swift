import EarshotCore
import EarshotModel
import Foundation

/// The key that signs documents which leave the server, in a file of the data folder that only its owner can read.
struct SigningKeyFile {
    static let name = "signing-key"

    private let path: String

    init(folder: String) {
        path = folder + "/" + Self.name
    }

    /// Reads the key. The first time it makes one.
    /// - Throws: `AdapterFailure` if the file is damaged. A new key is not made then: documents that the old one signed
    ///   would no longer be recognised as this installation's.
    func load(_ environment: SystemEnvironment) throws -> DocumentSigner {
        if !FileManager.default.fileExists(atPath: path) {
            let seed = environment.random(DocumentSigner.seedBytes)
            try PrivateFile(path: path).make(with: Data((Base64URL.encode(seed) + "\n").utf8))
        }
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        guard let text, let seed = Base64URL.decode(text.trimmingCharacters(in: .newlines)),
            seed.count == DocumentSigner.seedBytes
        else { throw AdapterFailure("\(path) is damaged. Restore it from a backup.", isRetryable: false) }
        return try DocumentSigner(seed: seed)
    }
}
