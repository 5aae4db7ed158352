import Crypto
import CryptoExtras
import EarshotModel
import Foundation

@testable import EarshotCore

/// Each way to make a token that must not sign anyone in.
enum BadTokens {
    static let all = form + headers + keys + signatures + payloads + parties + subjects + times

    /// Replaces part of a good token.
    private static func changed(_ token: String, part: Int, _ change: (String) -> String) -> String {
        var parts = token.split(separator: ".").map(String.init)
        parts[part] = change(parts[part])
        return parts.joined(separator: ".")
    }

    /// Encodes as base64 with the alphabet and the padding of RFC 4648 section 4.
    private static func padded(_ part: String) -> String {
        part.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - part.count % 4) % 4)
    }

    /// Another spelling of the same bytes: the bits that the last character leaves over are not zero.
    private static func nonCanonical(_ signature: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = signature.last, let index = alphabet.firstIndex(of: last) else { return "" }
        return signature.dropLast() + String(alphabet[index ^ 1])
    }

    static let form: [BadToken] = [
        BadToken("empty", .malformed) { _ in "" },
        BadToken("two dots", .malformed) { _ in ".." },
        BadToken("one part", .malformed) { _ in "abc" },
        BadToken("no signature", .malformed) { try String($0.rs256().prefix { $0 != "." }) + ".e30" },
        BadToken("empty signature", .malformed) { changed(try $0.rs256(), part: 2) { _ in "" } },
        BadToken("empty header", .malformed) { changed(try $0.rs256(), part: 0) { _ in "" } },
        BadToken("four parts", .malformed) { try $0.rs256() + ".AAAA" },
        BadToken("five parts, as of an encrypted token", .malformed) { try $0.rs256() + ".AAAA.AAAA" },
        BadToken("trailing dot", .malformed) { try $0.rs256() + "." },
        BadToken("leading space", .malformed) { try " " + $0.rs256() },
        BadToken("trailing newline", .malformed) { try $0.rs256() + "\n" },
        BadToken("padded header", .malformed) { changed(try $0.rs256(), part: 0) { padded($0) + "=" } },
        BadToken("padded signature", .malformed) { changed(try $0.rs256(), part: 2, padded) },
        BadToken("last character with left-over bits", .malformed) { changed(try $0.rs256(), part: 2, nonCanonical) },
        BadToken("larger than 16 KiB", .tooLarge) {
            try $0.rs256(
                TestProvider.header(), TestProvider.claims(["x": "\"\(String(repeating: "a", count: 16384))\""]))
        },
        BadToken("a megabyte of dots", .tooLarge) { _ in String(repeating: ".", count: 1 << 20) },
    ]

    static let headers: [BadToken] = [
        .header("a header that is no JSON", .malformedHeader, "alg"),
        .header("a header that is an array", .malformedHeader, "[]"),
        .header("a header without alg", .malformedHeader, "{\"kid\":\"rsa-1\"}"),
        .header("an alg that is a number", .malformedHeader, "{\"alg\":256,\"kid\":\"rsa-1\"}"),
        .header("two algs", .malformedHeader, "{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"rsa-1\"}"),
        .header(
            "two algs, one of them escaped", .malformedHeader,
            "{\"alg\":\"RS256\",\"\\u0061lg\":\"none\",\"kid\":\"rsa-1\"}"),
        .header("something after the header", .malformedHeader, TestProvider.header() + "{}"),
        .header("a header after a byte order mark", .malformedHeader, "\u{feff}" + TestProvider.header()),
        .header(
            "a header of more than 2 KiB", .malformedHeader,
            TestProvider.header("RS256", kid: "rsa-1", ",\"x\":\"\(String(repeating: "a", count: 2048))\"")),
        BadToken("a header that is no UTF-8", .malformedHeader) {
            let header = Array(TestProvider.header().dropLast().utf8) + Array(",\"x\":\"".utf8) + [0xff, 0x22, 0x7d]
            return try TestProvider.token(
                header: header, payload: Array(TestProvider.claims().utf8), sign: $0.rs256Signature)
        },
        refused("crit with an unknown name", "\"crit\":[\"exp\"]"),
        refused("an empty crit", "\"crit\":[]"),
        refused("an unencoded payload", "\"b64\":false,\"crit\":[\"b64\"]"),
        refused("b64 that crit does not name", "\"b64\":false"),
        refused("an embedded key", "\"jwk\":{\"kty\":\"RSA\"}"),
        refused("an embedded key address", "\"jku\":\"https://attacker.example/keys\""),
        refused("an embedded certificate address", "\"x5u\":\"https://attacker.example/certificate\""),
        refused("an embedded certificate", "\"x5c\":[\"AAAA\"]"),
        refused("compression", "\"zip\":\"DEF\""),
        refused("a nested token", "\"cty\":\"JWT\""),
        refused("encryption", "\"enc\":\"A256GCM\""),
        .header(
            "the type of an access token", .wrongType,
            TestProvider.header("RS256", kid: "rsa-1", ",\"typ\":\"at+jwt\"")),
        .header(
            "the type of a logout token", .wrongType,
            TestProvider.header("RS256", kid: "rsa-1", ",\"typ\":\"logout+jwt\"")),
        .header("a type that is a number", .wrongType, TestProvider.header("RS256", kid: "rsa-1", ",\"typ\":1")),
    ]

    private static func refused(_ name: String, _ member: String) -> BadToken {
        .header(name, .unsupportedHeader, TestProvider.header("RS256", kid: "rsa-1", "," + member))
    }

    static let keys: [BadToken] = [
        .header("none", .algorithmNotAllowed, TestProvider.header("none")),
        .header("None", .algorithmNotAllowed, TestProvider.header("None")),
        .header("rs256 in lower case", .algorithmNotAllowed, TestProvider.header("rs256")),
        .header("RS384", .algorithmNotAllowed, TestProvider.header("RS384")),
        .header("PS256", .algorithmNotAllowed, TestProvider.header("PS256")),
        .header("ES256K", .algorithmNotAllowed, TestProvider.header("ES256K")),
        .header("an empty alg", .algorithmNotAllowed, TestProvider.header("")),
        hmac("HS256 with the public key in PEM as the secret") { Array($0.rsa.publicKey.pemRepresentation.utf8) },
        hmac("HS256 with the public key in DER as the secret") { Array($0.rsa.publicKey.derRepresentation) },
        hmac("HS256 with the modulus as the secret") {
            Array(try $0.rsa.publicKey.getKeyPrimitives().modulus)
        },
        hmac("HS256 with an empty secret") { _ in [] },
        .header("an unknown kid", .unknownKey, TestProvider.header(kid: "rsa-2")),
        .header("no kid, although there are several keys", .unknownKey, TestProvider.header(kid: nil)),
        .header("a kid in another case", .unknownKey, TestProvider.header(kid: "RSA-1")),
        .header("a kid that is a path", .unknownKey, TestProvider.header(kid: "../../dev/null")),
        .header("a kid that is SQL", .unknownKey, TestProvider.header(kid: "' OR 1=1 --")),
        .header("an empty kid", .malformedHeader, TestProvider.header(kid: "")),
        .header("a kid that is a number", .malformedHeader, "{\"alg\":\"RS256\",\"kid\":1}"),
        .header(
            "a kid of 256 bytes", .malformedHeader, TestProvider.header(kid: String(repeating: "k", count: 256))),
        .header("ES256 with an RSA signature", .wrongAlgorithm, TestProvider.header("ES256")),
        .header("EdDSA with an RSA signature", .wrongAlgorithm, TestProvider.header("EdDSA")),
        BadToken("RS256 with the kid of an EC key", .wrongAlgorithm) {
            try $0.es256(TestProvider.header("RS256", kid: "ec-1"))
        },
        BadToken("ES256 with the kid of an Ed25519 key", .wrongAlgorithm) {
            try $0.edDSA(TestProvider.header("ES256", kid: "ed-1"))
        },
    ]

    private static func hmac(
        _ name: String, secret: @escaping @Sendable (TestProvider) throws -> [UInt8]
    ) -> BadToken {
        BadToken(name, .algorithmNotAllowed) {
            TestProvider.token(
                header: Array(TestProvider.header("HS256").utf8), payload: Array(TestProvider.claims().utf8),
                sign: TestProvider.hmac(secret: try secret($0)))
        }
    }

    static let signatures: [BadToken] = [
        rs256("another RSA key") { provider, bytes in
            let digest = SHA256.hash(data: bytes)
            return Array(
                try provider.foreignRSA.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
        },
        rs256("the PSS form of the right RSA key") { provider, bytes in
            Array(try provider.rsa.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
        },
        rs256("a SHA-1 digest") { provider, bytes in
            let digest = Insecure.SHA1.hash(data: bytes)
            return Array(try provider.rsa.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
        },
        rs256("zeros instead of an RSA signature") { _, _ in [UInt8](repeating: 0, count: 256) },
        rs256("an RSA signature without its last byte") { Array(try $0.rs256Signature(of: $1).dropLast()) },
        rs256("an RSA signature with a byte more") { try $0.rs256Signature(of: $1) + [0] },
        BadToken("another payload under the signature", .wrongSignature) {
            changed(try $0.rs256(), part: 1) { _ in
                Base64URL.encode(Array(TestProvider.claims(["sub": "\"person-8\""]).utf8))
            }
        },
        BadToken("another header over the signature", .wrongSignature) {
            changed(try $0.rs256(), part: 0) { _ in
                Base64URL.encode(Array(TestProvider.header("RS256", kid: "rsa-1", ",\"typ\":\"JWT\"").utf8))
            }
        },
        es256("another EC key") { Array(try $0.foreignP256.signature(for: $1).rawRepresentation) },
        es256("an EC signature in DER") { Array(try $0.p256.signature(for: $1).derRepresentation) },
        es256("zeros instead of an EC signature") { _, _ in [UInt8](repeating: 0, count: 64) },
        es256("an EC signature whose first number is zero") {
            [UInt8](repeating: 0, count: 32) + Array(try $0.p256.signature(for: $1).rawRepresentation.suffix(32))
        },
        es256("an EC signature of 63 bytes") { Array(try $0.p256.signature(for: $1).rawRepresentation.dropLast()) },
        es256("an EC signature of 65 bytes") { [0] + Array(try $0.p256.signature(for: $1).rawRepresentation) },
        es256("the numbers of an EC signature in the other order") {
            let raw = Array(try $0.p256.signature(for: $1).rawRepresentation)
            return Array(raw.suffix(32) + raw.prefix(32))
        },
        edDSA("another Ed25519 key") { Array(try $0.foreignEd25519.signature(for: $1)) },
        edDSA("zeros instead of an Ed25519 signature") { _, _ in [UInt8](repeating: 0, count: 64) },
        edDSA("an Ed25519 signature without its last byte") { Array(try $0.ed25519.signature(for: $1).dropLast()) },
        edDSA("an Ed25519 signature plus the order of the group") {
            addingGroupOrder(to: Array(try $0.ed25519.signature(for: $1)))
        },
    ]

    private typealias Signing = @Sendable (TestProvider, [UInt8]) throws -> [UInt8]

    private static func forged(_ name: String, _ header: String, _ sign: @escaping Signing) -> BadToken {
        BadToken(name, .wrongSignature) { provider in
            try TestProvider.token(header: Array(header.utf8), payload: Array(TestProvider.claims().utf8)) {
                try sign(provider, $0)
            }
        }
    }

    private static func rs256(_ name: String, _ sign: @escaping Signing) -> BadToken {
        forged(name, TestProvider.header(), sign)
    }

    private static func es256(_ name: String, _ sign: @escaping Signing) -> BadToken {
        forged(name, TestProvider.header("ES256", kid: "ec-1"), sign)
    }

    private static func edDSA(_ name: String, _ sign: @escaping Signing) -> BadToken {
        forged(name, TestProvider.header("EdDSA", kid: "ed-1"), sign)
    }

    /// Adds L to the scalar of an Ed25519 signature (RFC 8032 section 5.1.7 refuses such a scalar).
    private static func addingGroupOrder(to signature: [UInt8]) -> [UInt8] {
        let order: [UInt8] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        var (sum, carry) = (Array(signature.prefix(32)), 0)
        for (scalar, addend) in zip(signature.suffix(32), order) {
            let digit = Int(scalar) + Int(addend) + carry
            sum.append(UInt8(digit & 0xff))
            carry = digit >> 8
        }
        return sum
    }
}
