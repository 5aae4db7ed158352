import EarshotCore
import EarshotModel
import EarshotStorage

/// A file of the data folder with one key that no command replaces: it is made once. A new key is never made in the
/// place of a damaged one, because what the old key signed or encrypted would be lost.
struct KeptKey<Key> {
    /// The name of the file.
    let name: String
    let keyBytes: Int
    let read: ([UInt8]) throws -> Key

    /// Reads the key. The first time it makes one.
    /// - Throws: `AdapterFailure` if the file is damaged.
    func load(from folder: String, _ masters: MasterKeys, _ environment: SystemEnvironment) throws -> Key {
        let file = SealedFile("\(folder)/\(name)", masters: masters)
        if try file.content() == nil {
            try file.make(with: Array((Base64URL.encode(environment.random(keyBytes)) + "\n").utf8))
        }
        let text = try file.content().map { String(decoding: $0, as: UTF8.self) }
        guard let line = text?.split(separator: "\n"), line.count == 1, let key = Base64URL.decode(String(line[0])),
            key.count == keyBytes
        else { throw file.damaged }
        return try read(key)
    }
}

extension KeptKey<SealingKey> {
    /// The key under which second factors are stored.
    static var sealing: Self { Self(name: "sealing-key", keyBytes: SealingKey.keyBytes, read: SealingKey.init) }
}

extension KeptKey<DocumentSigner> {
    /// The key that signs the ID tokens of the demo's consumer. Only a folder of the demo has it.
    static var demo: Self {
        Self(name: "demo-identity-key", keyBytes: DocumentSigner.seedBytes) { try DocumentSigner(seed: $0) }
    }

    /// The key that signs documents which leave the server.
    static var signing: Self {
        Self(name: "signing-key", keyBytes: DocumentSigner.seedBytes) { try DocumentSigner(seed: $0) }
    }
}
