import EarshotCore
import EarshotModel
import Foundation

/// A file with random keys, a line each, that only its owner can read. It is not in the database, so that a copy of the
/// database shows no secret.
struct SecretFile {
    let path: String
    /// The length of each key in bytes.
    private let keyBytes: Int

    init(_ path: String, keyBytes: Int) {
        (self.path, self.keyBytes) = (path, keyBytes)
    }

    /// The keys in the file; `nil` where there is no file.
    /// - Throws: `AdapterFailure` if the file is damaged or cannot be read.
    func keys() throws(AdapterFailure) -> [[UInt8]]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let lines = text?.split(separator: "\n") ?? []
        let keys = lines.compactMap { Base64URL.decode(String($0)) }
        guard !keys.isEmpty, keys.count == lines.count, keys.allSatisfy({ $0.count == keyBytes }) else {
            throw AdapterFailure("\(path) is damaged. Restore it from a backup.", isRetryable: false)
        }
        return keys
    }

    /// Makes the file with a new key, unless it exists.
    func make(_ environment: SystemEnvironment) throws {
        try PrivateFile(path: path).make(with: Self.content([environment.random(keyBytes)]))
    }

    /// Replaces the keys. Afterwards the disk has either the old ones or the new.
    func replace(with keys: [[UInt8]]) throws {
        try PrivateFile(path: path).replace(with: Self.content(keys))
    }

    private static func content(_ keys: [[UInt8]]) -> Data {
        Data(keys.map { Base64URL.encode($0) + "\n" }.joined().utf8)
    }
}

/// A file of the data folder with one key that no command replaces: it is made once. A new key is never made in the
/// place of a damaged one, because what the old key signed or encrypted would be lost.
struct KeptKey<Key> {
    /// The name of the file.
    let name: String
    let keyBytes: Int
    let read: ([UInt8]) throws -> Key

    /// Reads the key. The first time it makes one.
    /// - Throws: `AdapterFailure` if the file is damaged.
    func load(from folder: String, _ environment: SystemEnvironment) throws -> Key {
        let file = SecretFile("\(folder)/\(name)", keyBytes: keyBytes)
        if try file.keys() == nil { try file.make(environment) }
        guard let keys = try file.keys(), keys.count == 1 else {
            throw AdapterFailure("\(file.path) is damaged. Restore it from a backup.", isRetryable: false)
        }
        return try read(keys[0])
    }
}

extension KeptKey<SealingKey> {
    /// The key under which second factors are stored.
    static var sealing: Self { Self(name: "sealing-key", keyBytes: SealingKey.keyBytes, read: SealingKey.init) }
}

extension KeptKey<DocumentSigner> {
    /// The key that signs documents which leave the server.
    static var signing: Self {
        Self(name: "signing-key", keyBytes: DocumentSigner.seedBytes) { try DocumentSigner(seed: $0) }
    }
}
