import EarshotCore
import EarshotModel
import Foundation

/// A file with random keys, a line each, that only its owner can read. It is in no backup, so that a backup shows no
/// secret.
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
        guard text == nil || !lines.isEmpty else { throw Self.unusable(path, "is empty") }
        let keys = lines.compactMap { Base64URL.decode(String($0)) }
        guard !keys.isEmpty, keys.count == lines.count, keys.allSatisfy({ $0.count == keyBytes }) else {
            throw Self.unusable(path, text == nil ? "cannot be read" : "is damaged")
        }
        return keys
    }

    private static func unusable(_ path: String, _ what: String) -> AdapterFailure {
        AdapterFailure(
            "\(path) \(what). Restore the file from where you keep its copy: no backup has it", isRetryable: false)
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
