import Crypto
import CryptoExtras
import EarshotModel
import Foundation

/// The algorithms that may sign an ID token. All are asymmetric: with a shared secret, anyone who verifies could sign.
enum SignatureAlgorithm: String, Hashable, CaseIterable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"
}

/// A public key of a brand's identity provider. Each key verifies with exactly one algorithm, which follows from the
/// key and never from the token.
struct ProviderKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    /// RSA: below, a key can be factored; above, each verification costs too much.
    static let rsaBits = 2048...8192
    /// The smallest public exponent that NIST SP 800-56B allows.
    private static let minimumExponent = 65537
    private static let maximumExponentBytes = 4
    private static let coordinateBytes = 32
    private static let es256SignatureBytes = 64

    /// The key's id; `nil` if the provider gave it none.
    let id: String?
    private let material: Material

    /// The one algorithm that the key verifies.
    var algorithm: SignatureAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        case .ed25519: .edDSA
        }
    }

    /// Whether a signature is that of the bytes. ES256 signatures are the two numbers of RFC 7518, never DER.
    func isGenuine(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch material {
        case .rsa(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
                padding: .insecurePKCS1v1_5)
        case .p256(let key):
            guard signature.count == Self.es256SignatureBytes,
                let numbers = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(numbers, for: bytes)
        case .ed25519(let key):
            return key.isValidSignature(signature, for: bytes)
        }
    }
}

// MARK: - JSON Web Key

extension ProviderKey {
    /// The members of a private or shared key (RFC 7518 section 6).
    private static let secretMembers = ["d", "dp", "dq", "k", "oth", "p", "q", "qi"]

    /// Reads a JSON Web Key (RFC 7517).
    init(jwk members: [String: JSONValue]) throws(ProviderKeyFailure) {
        guard Self.secretMembers.allSatisfy({ members[$0] == nil }) else { throw .privateKey }
        if let use = members["use"] {
            guard use.text == "sig" else { throw .notForSignatures }
        }
        if let operations = members["key_ops"] {
            guard operations.texts?.contains("verify") == true else { throw .notForSignatures }
        }
        if let id = members["kid"] {
            guard let text = id.text, !text.isEmpty else { throw .unreadable }
        }
        id = members["kid"]?.text
        material = try Self.material(of: members)
        if let name = members["alg"] {
            guard name.text == algorithm.rawValue else { throw .unsupported }
        }
    }

    private static func material(of members: [String: JSONValue]) throws(ProviderKeyFailure) -> Material {
        switch (members["kty"]?.text, members["crv"]?.text) {
        case ("RSA", nil):
            return .rsa(try rsaKey(modulus: number(members["n"]), exponent: number(members["e"])))
        case ("EC", "P-256"):
            let (x, y) = (try coordinate(members["x"]), try coordinate(members["y"]))
            guard let key = try? P256.Signing.PublicKey(rawRepresentation: x + y) else { throw .unreadable }
            return .p256(key)
        case ("OKP", "Ed25519"):
            return .ed25519(try ed25519Key(coordinate(members["x"])))
        case (nil, _): throw .unreadable
        default: throw .unsupported
        }
    }

    /// A big-endian number. Some providers put zero bytes before it.
    private static func number(_ member: JSONValue?) throws(ProviderKeyFailure) -> [UInt8] {
        guard let bytes = member?.text.flatMap({ Base64URL.decode($0) }) else { throw .unreadable }
        return Array(bytes.drop { $0 == 0 })
    }

    private static func coordinate(_ member: JSONValue?) throws(ProviderKeyFailure) -> [UInt8] {
        guard let bytes = member?.text.flatMap({ Base64URL.decode($0) }), bytes.count == coordinateBytes
        else { throw .unreadable }
        return bytes
    }

    private static func rsaKey(
        modulus: [UInt8], exponent: [UInt8]
    ) throws(ProviderKeyFailure) -> _RSA.Signing.PublicKey {
        guard let first = modulus.first, let last = modulus.last, !exponent.isEmpty else { throw .unreadable }
        guard rsaBits.contains(modulus.count * 8 - first.leadingZeroBitCount), last & 1 == 1,
            exponent.count <= maximumExponentBytes
        else { throw .weak }
        let value = exponent.reduce(0) { $0 << 8 | Int($1) }
        guard value >= minimumExponent, value & 1 == 1 else { throw .weak }
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { throw .unreadable }
        return key
    }

    private static func ed25519Key(_ point: [UInt8]) throws(ProviderKeyFailure) -> Curve25519.Signing.PublicKey {
        var withoutSign = point
        withoutSign[coordinateBytes - 1] &= 0x7f
        guard !smallOrderPoints.contains(withoutSign) else { throw .weak }
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: point) else { throw .unreadable }
        return key
    }

    /// The points of order 8 and less, without the sign bit: anyone can sign for such a "key".
    private static let smallOrderPoints: Set<[UInt8]> = {
        let last = [UInt8](repeating: 0xff, count: 30) + [0x7f]
        return [
            [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
            [0xec] + last, [0xed] + last, [0xee] + last,
            [
                0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
                0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
            ],
            [
                0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
                0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
            ],
        ]
    }()
}

// MARK: - PEM

extension ProviderKey {
    private static let pemLabel = "PUBLIC KEY"
    /// What precedes the 32 bytes of an Ed25519 key (RFC 8410 section 10.1).
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// Reads one public key in PEM (RFC 7468, label `PUBLIC KEY`). Such a key has no id.
    init(pem: String) throws(ProviderKeyFailure) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        guard lines.first?.contains("PRIVATE KEY") != true else { throw .privateKey }
        guard lines.count > 2, lines.first == "-----BEGIN \(Self.pemLabel)-----",
            lines.last == "-----END \(Self.pemLabel)-----",
            let data = Data(base64Encoded: lines[1..<(lines.count - 1)].joined())
        else { throw .unreadable }
        id = nil
        material = try Self.material(ofDER: Array(data))
    }

    private static func material(ofDER der: [UInt8]) throws(ProviderKeyFailure) -> Material {
        if der.starts(with: ed25519Prefix), der.count == ed25519Prefix.count + coordinateBytes {
            return .ed25519(try ed25519Key(Array(der.dropFirst(ed25519Prefix.count))))
        }
        if let key = try? P256.Signing.PublicKey(derRepresentation: der) { return .p256(key) }
        // Sizes are judged below, so that a small key is called weak and not unreadable.
        guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der),
            let numbers = try? key.getKeyPrimitives()
        else { throw .unreadable }
        return .rsa(
            try rsaKey(
                modulus: Array(numbers.modulus.drop { $0 == 0 }),
                exponent: Array(numbers.publicExponent.drop { $0 == 0 })))
    }
}
