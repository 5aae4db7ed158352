import Crypto
import EarshotModel
import Foundation

/// An ID token that its maker encrypted for us (RFC 7516): ECDH-ES on P-256 with A256GCM. Encryption says nothing about
/// the maker, so the signed token inside is verified like any other.
struct EncryptedIDToken {
    private static let algorithm = "ECDH-ES"
    private static let encryption = "A256GCM"
    /// The header parameters of such a token. Any other could change how it is to be read.
    private static let knownParameters: Set = ["alg", "enc", "epk", "apu", "apv", "cty", "kid", "typ"]
    private static let maximumHeaderBytes = 2 * 1024
    private static let nonceBytes = 12
    private static let tagBytes = 16
    private static let coordinateBytes = 32

    private let header: Substring
    private let nonce: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// Whether a text has the five parts of an encrypted token.
    static func isOne(_ text: String) -> Bool { text.utf8.count { $0 == UInt8(ascii: ".") } == 4 }

    /// Takes a token apart.
    init(_ text: String) throws(IDTokenFailure) {
        guard text.utf8.count <= CompactToken.maximumBytes else { throw .tooLarge }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Without a wrapped key the second part is empty.
        guard parts.count == 5, parts[1].isEmpty, let nonce = Base64URL.decode(String(parts[2])),
            let ciphertext = Base64URL.decode(String(parts[3])), let tag = Base64URL.decode(String(parts[4])),
            nonce.count == Self.nonceBytes, tag.count == Self.tagBytes
        else { throw .malformed }
        header = parts[0]
        (self.nonce, self.ciphertext, self.tag) = (nonce, ciphertext, tag)
    }

    /// Decrypts the signed token inside.
    func signedToken(with key: P256.KeyAgreement.PrivateKey) throws(IDTokenFailure) -> String {
        let members = try headerMembers()
        guard let contentKey = try Self.contentKey(members, key),
            let box = try? AES.GCM.SealedBox(nonce: .init(data: nonce), ciphertext: ciphertext, tag: tag),
            let bytes = try? AES.GCM.open(box, using: contentKey, authenticating: Array(header.utf8)),
            let text = String(bytes: bytes, encoding: .utf8)
        else { throw .notDecryptable }
        return text
    }

    private func headerMembers() throws(IDTokenFailure) -> [String: JSONValue] {
        guard let bytes = Base64URL.decode(String(header)), bytes.count <= Self.maximumHeaderBytes,
            let members = (try? StrictJSON.parse(bytes))?.members
        else { throw .malformedHeader }
        guard Self.knownParameters.isSuperset(of: members.keys), members["alg"]?.text == Self.algorithm,
            members["enc"]?.text == Self.encryption
        else { throw .unsupportedHeader }
        return members
    }

    /// The key of the content (RFC 7518 section 4.6.2). A point that is not on the curve has none.
    private static func contentKey(
        _ members: [String: JSONValue], _ key: P256.KeyAgreement.PrivateKey
    ) throws(IDTokenFailure) -> SymmetricKey? {
        guard let point = members["epk"]?.members, point["kty"]?.text == "EC", point["crv"]?.text == "P-256"
        else { throw .malformedHeader }
        let coordinates = ["x", "y"].compactMap { point[$0]?.text.flatMap { Base64URL.decode($0) } }
        guard coordinates.count == 2, coordinates.allSatisfy({ $0.count == coordinateBytes }) else {
            throw .malformedHeader
        }
        let info = try ["apu", "apv"].map { name throws(IDTokenFailure) in try party(members[name]) }
        guard let sender = try? P256.KeyAgreement.PublicKey(rawRepresentation: coordinates[0] + coordinates[1]),
            let secret = try? key.sharedSecretFromKeyAgreement(with: sender)
        else { return nil }
        return derived(from: secret, info)
    }

    private static func party(_ member: JSONValue?) throws(IDTokenFailure) -> [UInt8] {
        guard let member else { return [] }
        guard let bytes = member.text.flatMap({ Base64URL.decode($0) }) else { throw .malformedHeader }
        return bytes
    }

    /// The Concat KDF with one round of SHA-256: the key has as many bits as the hash.
    static func derived(from secret: SharedSecret, _ parties: [[UInt8]], for name: String = encryption, bits: Int = 256)
        -> SymmetricKey
    {
        var hash = SHA256()
        hash.update(data: number(1))
        secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
        for text in [Array(name.utf8)] + parties {
            hash.update(data: number(text.count))
            hash.update(data: text)
        }
        hash.update(data: number(bits))
        return SymmetricKey(data: Array(hash.finalize().prefix(bits / 8)))
    }

    private static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).bigEndian, Array.init)
    }
}
