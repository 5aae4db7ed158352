import CryptoExtras
import EarshotModel
import Foundation
import Testing

@testable import EarshotCore

@Suite struct `The keys of a brand's identity provider` {
    let provider = TestProvider.shared

    /// A set of the good EC key and one entry more.
    private func set(with entry: [String: Any]) throws -> ProviderKeySet {
        try ProviderKeySet(TestProvider.jwks([provider.p256JWK, entry]))
    }

    @Test func `are read from a key set, a single key and PEM`() throws {
        #expect(try ProviderKeySet(provider.jwks).keys.map(\.algorithm) == [.rs256, .es256, .edDSA])
        let single = try JSONSerialization.data(withJSONObject: provider.rsaJWK)
        #expect(try ProviderKeySet(String(decoding: single, as: UTF8.self)).keys.map(\.id) == ["rsa-1"])
        let algorithms = try JoserfcVectors.pems.map { try ProviderKeySet("\n" + $0 + "\r\n").keys[0].algorithm }
        #expect(algorithms == [.rs256, .es256, .edDSA])
    }

    @Test(arguments: zip(JoserfcVectors.pems, JoserfcVectors.tokens))
    func `in PEM verify like those in JSON`(pem: String, vector: (algorithm: String, token: String)) throws {
        let verifier = try provider.verifier(keys: pem)
        #expect(try verifier.verify(vector.token, at: TestProvider.now).subject == "person-7")
    }

    @Test(arguments: [
        ("use", "enc", ProviderKeyFailure.notForSignatures), ("use", "", .notForSignatures),
        ("alg", "PS256", .unsupported), ("alg", "HS256", .unsupported), ("alg", "RSA-OAEP-256", .unsupported),
        ("kty", "oct", .unsupported), ("kty", "EC", .unsupported), ("crv", "P-256", .unsupported),
        ("kid", "", .unreadable), ("n", "", .unreadable), ("n", "AQAB=", .unreadable), ("e", "", .unreadable),
        ("n", "AQAB", .weak), ("e", "AQ", .weak), ("e", "Aw", .weak), ("e", "AQAA", .weak), ("e", "AQAAAAE", .weak),
        ("d", "AQAB", .privateKey), ("p", "AQAB", .privateKey), ("k", "AQAB", .privateKey),
    ])
    func `leave out an RSA key that is wrong, and keep the others`(
        name: String, value: String, failure: ProviderKeyFailure
    ) throws {
        var entry = try provider.rsaJWK
        entry[name] = value
        let set = try set(with: entry)
        #expect(set.keys.map(\.id) == ["ec-1"])
        #expect(set.ignored == [ProviderKeySet.Ignored(position: 1, failure: failure)])
    }

    @Test func `leave out RSA keys that are too small or too large`() throws {
        let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
        let entry = try TestProvider.jwk(of: small.publicKey, id: "small")
        #expect(try set(with: entry).ignored.map(\.failure) == [.weak])
        #expect(throws: ProviderKeyFailure.weak) { try ProviderKeySet(small.publicKey.pemRepresentation) }
        for (bytes, first) in [(256, UInt8(0x7f)), (1025, 0xff)] {
            var entry = entry
            entry["n"] = Base64URL.encode([first] + [UInt8](repeating: 0xff, count: bytes - 1))
            #expect(try set(with: entry).ignored.map(\.failure) == [.weak])
        }
        var even = try provider.rsaJWK
        even["n"] = Base64URL.encode([UInt8](repeating: 0xfe, count: 256))
        #expect(try set(with: even).ignored.map(\.failure) == [.weak])
    }

    @Test func `may have zero bytes before an RSA modulus`() throws {
        var entry = try provider.rsaJWK
        entry["n"] = try Base64URL.encode([0] + #require(Base64URL.decode(entry["n"] ?? "")))
        _ = try provider.verifier(keys: TestProvider.jwks([entry])).verify(provider.rs256(), at: TestProvider.now)
    }

    @Test func `leave out points that are on no curve, of a wrong size or of small order`() throws {
        let zeros = Base64URL.encode([UInt8](repeating: 0, count: 32))
        let short = Base64URL.encode([UInt8](repeating: 9, count: 31))
        let ones = Base64URL.encode([UInt8](repeating: 0xff, count: 32))
        for (curve, type, x, failure) in [
            ("P-256", "EC", zeros, ProviderKeyFailure.unreadable), ("P-256", "EC", short, .unreadable),
            ("P-256", "EC", ones, .unreadable), ("secp256k1", "EC", ones, .unsupported),
            ("P-384", "EC", ones, .unsupported), ("X25519", "OKP", ones, .unsupported),
            ("Ed25519", "OKP", zeros, .weak), ("Ed25519", "OKP", short, .unreadable),
            ("Ed25519", "OKP", Base64URL.encode([1] + [UInt8](repeating: 0, count: 30) + [0x80]), .weak),
        ] {
            let set = try set(with: ["kty": type, "crv": curve, "x": x, "y": zeros, "kid": "bad"])
            #expect(set.ignored.map(\.failure) == [failure], "\(curve) \(x)")
        }
    }

    @Test func `that no token could name are skipped`() throws {
        var (renamed, unnamed) = (provider.ed25519JWK, try provider.rsaJWK)
        renamed["kid"] = "ec-1"
        unnamed["kid"] = nil
        #expect(throws: ProviderKeyFailure.noneUsable) { try self.set(with: renamed) }
        let set = try ProviderKeySet(TestProvider.jwks([provider.p256JWK, renamed, provider.rsaJWK, unnamed]))
        #expect(set.keys.map(\.id) == ["rsa-1"])
        #expect(set.ignored.map(\.failure) == [.repeatedID, .repeatedID, .missingID])
    }

    @Test(arguments: [
        ("", ProviderKeyFailure.malformed), ("[]", .malformed), ("{}", .malformed), ("{\"keys\":{}}", .malformed),
        ("{\"keys\":[],\"keys\":[]}", .malformed), ("{\"keys\":[]}", .noneUsable), ("{\"keys\":[1]}", .noneUsable),
        ("{\"kty\":\"oct\",\"k\":\"AAAA\"}", .noneUsable),
        ("{\"keys\":[" + String(repeating: "{},", count: 50) + "{}]}", .tooMany),
        (String(repeating: " ", count: 65_537), .tooLarge),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .privateKey),
        ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----", .privateKey),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", .unreadable),
        ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", .unreadable),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", .unreadable),
        ("-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----", .unreadable),
    ])
    func `are refused as a whole if none can be used`(text: String, failure: ProviderKeyFailure) {
        #expect(throws: failure) { try ProviderKeySet(text) }
    }

    @Test func `in PEM are one key only`() {
        let two = JoserfcVectors.pems[0] + "\n" + JoserfcVectors.pems[1]
        #expect(throws: ProviderKeyFailure.unreadable) { try ProviderKeySet(two) }
    }
}
