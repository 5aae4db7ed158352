import Crypto
import EarshotModel
import Foundation

@testable import EarshotCore

/// A brand's identity provider with one P-256 key.
struct BrandProvider: Sendable {
    static let issuer = "https://id.tulip.example"
    static let audience = "earshot-tulip"

    private let key = P256.Signing.PrivateKey()

    /// The public key in PEM.
    var publicKey: String { key.publicKey.pemRepresentation }
    /// The private key in PEM, which belongs in no setting.
    var privateKey: String { key.pemRepresentation }

    /// The body that saves this provider.
    func setting(keys: String? = nil, claims: [[String: String]] = []) throws -> String {
        let fields: [String: Any] = [
            "issuer": Self.issuer, "audience": Self.audience, "keys": keys ?? publicKey, "claims": claims,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
    }

    /// An ID token. It expires after five minutes.
    func token(_ subject: String, at now: Timestamp, _ more: [String: Any] = [:]) throws -> String {
        let seconds = now.milliseconds / 1000
        var claims: [String: Any] = [
            "iss": Self.issuer, "aud": Self.audience, "sub": subject, "iat": seconds, "exp": seconds + 300,
        ]
        claims.merge(more) { _, new in new }
        let parts = [
            try JSONSerialization.data(withJSONObject: ["alg": "ES256"]),
            try JSONSerialization.data(withJSONObject: claims),
        ]
        let signed = parts.map { Base64URL.encode(Array($0)) }.joined(separator: ".")
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return signed + "." + Base64URL.encode(Array(signature))
    }

    /// A token, encrypted for a key that has these coordinates in base64url.
    static func encrypted(_ token: String, x: String, y: String) throws -> String {
        let coordinates = [x, y].compactMap { Base64URL.decode($0) }
        let key = try P256.KeyAgreement.PublicKey(rawRepresentation: coordinates.flatMap(\.self))
        let sender = P256.KeyAgreement.PrivateKey()
        let point = Array(sender.publicKey.rawRepresentation)
        let header: [String: Any] = [
            "alg": "ECDH-ES", "enc": "A256GCM", "cty": "JWT",
            "epk": [
                "kty": "EC", "crv": "P-256", "x": Base64URL.encode(Array(point.prefix(32))),
                "y": Base64URL.encode(Array(point.suffix(32))),
            ],
        ]
        let part = Base64URL.encode(Array(try JSONSerialization.data(withJSONObject: header)))
        let secret = try sender.sharedSecretFromKeyAgreement(with: key)
        let box = try AES.GCM.seal(
            Array(token.utf8), using: EncryptedIDToken.derived(from: secret, [[], []]),
            authenticating: Array(part.utf8))
        let rest = [Array(box.nonce), Array(box.ciphertext), Array(box.tag)].map { Base64URL.encode($0) }
        return ([part, ""] + rest).joined(separator: ".")
    }
}
