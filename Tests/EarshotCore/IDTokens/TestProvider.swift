import Crypto
import CryptoExtras
import EarshotModel
import Foundation
import Testing

@testable import EarshotCore

/// An identity provider with a key of each algorithm, and a second key of each that it does not publish.
struct TestProvider: Sendable {
    static let issuer = "https://id.brand.example"
    static let audience = "earshot"
    static let now = Timestamp(milliseconds: 1_763_757_600_000)
    /// Making RSA keys takes long: all tests share these.
    static let shared = TestProvider()

    let rsa: _RSA.Signing.PrivateKey
    let foreignRSA: _RSA.Signing.PrivateKey
    let p256 = P256.Signing.PrivateKey()
    let foreignP256 = P256.Signing.PrivateKey()
    let ed25519 = Curve25519.Signing.PrivateKey()
    let foreignEd25519 = Curve25519.Signing.PrivateKey()

    private init() {
        do {
            rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            foreignRSA = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            fatalError("no RSA key could be made: \(error)")
        }
    }

    /// The public keys as JSON Web Keys.
    var rsaJWK: [String: String] { get throws { try Self.jwk(of: rsa.publicKey, id: "rsa-1") } }
    var p256JWK: [String: String] {
        let point = Array(p256.publicKey.rawRepresentation)
        return [
            "kty": "EC", "crv": "P-256", "kid": "ec-1", "x": Base64URL.encode(Array(point.prefix(32))),
            "y": Base64URL.encode(Array(point.suffix(32))),
        ]
    }
    var ed25519JWK: [String: String] {
        [
            "kty": "OKP", "crv": "Ed25519", "kid": "ed-1",
            "x": Base64URL.encode(Array(ed25519.publicKey.rawRepresentation)),
        ]
    }

    static func jwk(of key: _RSA.Signing.PublicKey, id: String) throws -> [String: String] {
        let numbers = try key.getKeyPrimitives()
        return [
            "kty": "RSA", "kid": id, "n": Base64URL.encode(Array(numbers.modulus)),
            "e": Base64URL.encode(Array(numbers.publicExponent)),
        ]
    }

    static func jwks(_ keys: [[String: Any]]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: ["keys": keys]), as: UTF8.self)
    }

    var jwks: String { get throws { try Self.jwks([rsaJWK, p256JWK, ed25519JWK]) } }

    func verifier(
        keys: String? = nil, algorithms: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)
    ) throws -> IDTokenVerifier {
        IDTokenVerifier(
            expected: IDTokenExpectations(
                issuer: Self.issuer, audience: Self.audience, algorithms: algorithms,
                keys: try ProviderKeySet(keys ?? jwks)))
    }

    // MARK: - Tokens

    /// The claims of a good token. A change of `nil` removes a claim.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        let seconds = now.milliseconds / 1000
        var claims: [String: String?] = [
            "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"person-7\"", "iat": "\(seconds - 10)",
            "exp": "\(seconds + 600)",
        ]
        claims.merge(changes) { $1 }
        let members = claims.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.sorted()
        return "{\(members.joined(separator: ","))}"
    }

    static func header(_ algorithm: String = "RS256", kid: String? = "rsa-1", _ more: String = "") -> String {
        "{\"alg\":\"\(algorithm)\"\(kid.map { ",\"kid\":\"\($0)\"" } ?? "")\(more)}"
    }

    /// Signs with the RSA key as RS256, whatever the header says.
    func rs256(_ header: String = Self.header(), _ claims: String = Self.claims()) throws -> String {
        try Self.token(header: Array(header.utf8), payload: Array(claims.utf8), sign: rs256Signature)
    }

    func es256(
        _ header: String = Self.header("ES256", kid: "ec-1"), _ claims: String = Self.claims()
    ) throws -> String {
        try Self.token(header: Array(header.utf8), payload: Array(claims.utf8)) {
            Array(try p256.signature(for: $0).rawRepresentation)
        }
    }

    func edDSA(
        _ header: String = Self.header("EdDSA", kid: "ed-1"), _ claims: String = Self.claims()
    ) throws -> String {
        try Self.token(header: Array(header.utf8), payload: Array(claims.utf8)) {
            Array(try ed25519.signature(for: $0))
        }
    }

    func rs256Signature(of bytes: [UInt8]) throws -> [UInt8] {
        let signature = try rsa.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        return Array(signature.rawRepresentation)
    }

    static func token(
        header: [UInt8], payload: [UInt8], sign: ([UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        return signed + "." + Base64URL.encode(try sign(Array(signed.utf8)))
    }

    static func hmac(secret: [UInt8]) -> ([UInt8]) -> [UInt8] {
        { Array(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: secret))) }
    }
}

/// A token that must be refused, and the code that must say why.
struct BadToken: Sendable, CustomTestStringConvertible {
    let name: String
    let failure: IDTokenFailure
    let make: @Sendable (TestProvider) throws -> String

    init(_ name: String, _ failure: IDTokenFailure, _ make: @escaping @Sendable (TestProvider) throws -> String) {
        self.name = name
        self.failure = failure
        self.make = make
    }

    /// A token whose claims are wrong, and whose signature is genuine.
    static func claims(_ name: String, _ failure: IDTokenFailure, _ changes: [String: String?]) -> BadToken {
        BadToken(name, failure) { try $0.rs256(TestProvider.header(), TestProvider.claims(changes)) }
    }

    /// A token whose header is wrong, and whose signature is genuine.
    static func header(_ name: String, _ failure: IDTokenFailure, _ header: String) -> BadToken {
        BadToken(name, failure) { try $0.rs256(header) }
    }

    var testDescription: String { name }
}
