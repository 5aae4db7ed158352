import Crypto
public import EarshotModel

/// A key that signs tokens, with an id that the tokens carry, so that keys can be replaced one after the other.
public struct SigningKey: Hashable, Codable, Sendable {
    /// The id of the key that signed the tokens of the first format, which name no key.
    public static let firstID = "1"

    /// The key's id: letters, digits, `-` and `_`.
    public let id: String
    /// At least 32 random bytes that only this installation knows.
    public let secret: [UInt8]
    /// Until when what the key signed is accepted; `nil` for the newest key.
    public var acceptedUntil: Timestamp?

    /// Creates a key.
    public init(id: String, secret: [UInt8], acceptedUntil: Timestamp? = nil) {
        self.id = id
        self.secret = secret
        self.acceptedUntil = acceptedUntil
    }
}

/// The keys of an installation: the first one signs, the others are accepted for a while.
public struct KeyRing: Sendable {
    /// The length of a key in bytes.
    public static let keyBytes = 32
    private static let macBytes = 16

    private let keys: [SigningKey]
    /// The key of what is stored encrypted. It is not replaced with the others.
    let sealing: SealingKey

    /// Creates the ring. The first key signs.
    /// - Parameter sealing: the key of what is stored encrypted; derived from the first key where there is none, for
    ///   rings that only sign.
    public init(_ keys: [SigningKey], sealing: SealingKey? = nil) {
        precondition(!keys.isEmpty, "there must be a key that signs")
        precondition(keys.allSatisfy { $0.secret.count >= Self.keyBytes }, "a key must have 32 bytes or more")
        self.keys = keys
        self.sealing = sealing ?? SealingKey(keys[0].secret)
    }

    /// The id of the key that signs.
    public var newest: String { keys[0].id }

    /// Signs a text with the newest key: the first 16 bytes of an HMAC-SHA256, base64url.
    func sign(_ text: String) -> String {
        Base64URL.encode(Array(Self.code(of: text, keys[0]).prefix(Self.macBytes)))
    }

    /// Whether a signature is that of a text, by a key that is accepted now.
    func isGenuine(_ signature: some StringProtocol, of text: String, key id: some StringProtocol, at now: Timestamp)
        -> Bool
    {
        guard let key = keys.first(where: { $0.id == id }), key.acceptedUntil.map({ now < $0 }) ?? true,
            let given = Base64URL.decode(Substring(signature)), given.count == Self.macBytes
        else { return false }
        return zip(Self.code(of: text, key), given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func code(of text: String, _ key: SigningKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key.secret))
    }
}
