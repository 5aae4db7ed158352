import Crypto
public import EarshotCore

/// A key that encrypts the keys of conversations. It is not in the database.
public struct MasterKey: Sendable {
    /// The length of a key in bytes.
    public static let keyBytes = 32
    private static let idBytes = 8

    /// Names the key without telling anything about it: the first bytes of a digest, in hexadecimal.
    public let id: String
    let key: SymmetricKey

    /// - Parameter bytes: `keyBytes` random bytes.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.keyBytes, "a master key has \(Self.keyBytes) bytes")
        key = SymmetricKey(data: bytes)
        let digest = SHA256.hash(data: Array("earshot master key\n".utf8) + bytes)
        id = digest.prefix(Self.idBytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// The master keys of an installation: one encrypts new keys; during a rotation there are earlier ones too.
public struct MasterKeys: Sendable {
    /// The key that encrypts new keys of conversations.
    public let current: MasterKey
    private let all: [String: MasterKey]

    /// Creates the keys.
    public init(_ current: MasterKey, earlier: [MasterKey] = []) {
        self.current = current
        all = Dictionary((earlier + [current]).map { ($0.id, $0) }) { first, _ in first }
    }

    /// The key of this id.
    public subscript(id: String) -> MasterKey? { all[id] }
}

/// Where the master keys are kept.
public protocol MasterKeySource: Sendable {
    /// Returns the keys.
    /// - Parameter needed: the ids of the keys that the database cannot be read without. Only if there is none, a new
    ///   key may be made.
    /// - Throws: a failure that names the missing key and says how to restore it.
    func masterKeys(needed: Set<String>) throws(AdapterFailure) -> MasterKeys
}

extension MasterKeys: MasterKeySource {
    /// These keys. The store refuses to open if it needs another one.
    public func masterKeys(needed: Set<String>) -> MasterKeys { self }
}
