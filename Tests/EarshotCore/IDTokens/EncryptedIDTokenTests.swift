import Crypto
import EarshotModel
import Foundation
import Testing

@testable import EarshotCore

@Suite struct `An encrypted ID token` {
    /// The private key has the bytes 0 to 31. joserfc 1.8.0 encrypted the EdDSA token of `JoserfcVectors` for it, the
    /// second time with the parties Alice and Bob.
    private static let tokens = [
        """
        eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImN0eSI6IkpXVCIsImVwayI6eyJjcnYiOiJQLTI1NiIsIngiOiI1X3RU\
        Qi1mNVNuOC1TX2JhOG9STFFraXlPb3VVeVF2WjVQUGx0Vi1WODhnIiwieSI6IkE1ekFIcGZ1Wm5JUkFpZVczZVhwd1lNRmpCUU5n\
        YVpSM2ZsTUJJUEphdmMiLCJrdHkiOiJFQyJ9fQ..bORv4dA9L5kW5SU9.tO8g1DupFj6TgXwVlWNhVgg3Rm7EBT02Uov_ikv5rjA\
        tTIaThhZMSwpQOapwwsK-jBsoeL0fK_trc7u_ovm5KgPRgarIwj3Uz6FZfIroYz527E1qUF8k177nUVgtdYvBDvOlbOzZT_rdoe4\
        EA1N-3pF0M4oUyLWDJejnZfTIaW2DFkvKpDFrOzzhaKe-NNSjE_pm1Bg7EC3I7mODauCIZkDbpEt_ptLTWzS8hYEZmwtzOFockQ0\
        mXlz0J-S3q1cGIlYoZxAftJyv97wZlMaBtPANdWcNfrYtenkzwHSnC5vN5qeG95PbUyUpbGTjbS11NlhojeBkB8fnBtJO-vNnwQk\
        E4qT9PAOqYK-gXQ6hn2SSBiZh_Q.WKM0LsS-KxyN_dI3P-dLrw
        """,
        """
        eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSIsImFwdSI6IlFXeHBZMlUiLCJhcHYiOiJRbTlpIiwiZXBrIjp7ImNydiI6\
        IlAtMjU2IiwieCI6ImpPbkFkNjlCNHYyTnNYZnRpTE5KcDhCZVVkWHJOOWVoMW1EOEJ1ZkdnWkkiLCJ5IjoiQzNmRFZrblhPMkZC\
        Yk95c0xSeFFYM3dMMmg5cWt5VHJxYVZjU3lzTDZzUSIsImt0eSI6IkVDIn19..gsQvNWzsuqQHXtgZ.E-9jtpL69Y1qOxeHLPEOo\
        3XXY7UVQsSJp7FCrP_e1g5UJ0qwFAJx4nGFUNRoktBzPZyjSetWIa30WJC7hbiTkKHrqGqk32gZQE-M2JZ4smq6BUEXa1dQ_gKbg\
        sI_TY98QMKZ_yI9sqp8L2PgkMOTnPFT66uD75vzuEwwwjeyFniWxHmqQDciQtT6-X85bvSXGTaHigfqqMkZ-ALiqrczl-OuBN5uO\
        iGSTPcjoo4nOyv18gIHa1OJ6GJDCLhek9HUO7N0R5wjJktOHPMcwqBGS2KadUiKZTJxuS6N9antYmdgWliTZGIMg2GtNsN1PyjmR\
        lz1PlhDpOMq3iwfEzezUPvHU0788hv8-l8FQDyy3OfV9JXBOA.l1566ycmOA3E5swJ8KwcgQ
        """,
    ]

    private static func key() throws -> P256.KeyAgreement.PrivateKey {
        try P256.KeyAgreement.PrivateKey(rawRepresentation: Array(UInt8(0)..<32))
    }

    private static func opened(_ text: String) throws -> String {
        try EncryptedIDToken(text).signedToken(with: key())
    }

    private static func token(
        _ header: [String: Any], over signed: String = "a.b.c", for key: P256.KeyAgreement.PublicKey
    ) throws -> String {
        let sender = P256.KeyAgreement.PrivateKey()
        let point = Array(sender.publicKey.rawRepresentation)
        let own: [String: Any] = [
            "alg": "ECDH-ES", "enc": "A256GCM",
            "epk": [
                "kty": "EC", "crv": "P-256", "x": Base64URL.encode(Array(point.prefix(32))),
                "y": Base64URL.encode(Array(point.suffix(32))),
            ],
        ]
        let members = own.merging(header) { _, new in new }
        let part = Base64URL.encode(Array(try JSONSerialization.data(withJSONObject: members)))
        let secret = try sender.sharedSecretFromKeyAgreement(with: key)
        let box = try AES.GCM.seal(
            Array(signed.utf8), using: EncryptedIDToken.derived(from: secret, [[], []]),
            authenticating: Array(part.utf8))
        let rest = [Array(box.nonce), Array(box.ciphertext), Array(box.tag)].map { Base64URL.encode($0) }
        return ([part, ""] + rest).joined(separator: ".")
    }

    @Test(arguments: tokens) func `that another implementation made is opened`(token: String) throws {
        #expect(EncryptedIDToken.isOne(token))
        #expect(try Self.opened(token) == JoserfcVectors.tokens[2].1)
    }

    @Test func `is refused with any one character changed`() throws {
        let genuine = Array(Self.tokens[0])
        for index in genuine.indices {
            var forged = genuine
            forged[index] = forged[index] == "A" ? "B" : "A"
            #expect(throws: IDTokenFailure.self, "changed at \(index)") { try Self.opened(String(forged)) }
        }
    }

    @Test(arguments: [
        ["alg": "ECDH-ES+A256KW"], ["alg": "RSA-OAEP-256"], ["alg": "dir"], ["alg": "none"], ["enc": "A128GCM"],
        ["enc": "A256CBC-HS512"], ["zip": "DEF"], ["crit": "exp"], ["p2c": "1"], ["jku": "https://evil.example"],
    ])
    func `is refused with another header`(change: [String: String]) throws {
        let token = try Self.token(change, for: Self.key().publicKey)
        #expect(throws: IDTokenFailure.unsupportedHeader) { try Self.opened(token) }
    }

    @Test func `is refused for another key, with a point off the curve and with parts of another length`() throws {
        let key = try Self.key()
        #expect(try Self.opened(Self.token([:], for: key.publicKey)) == "a.b.c", "the premise")
        let foreign = try Self.token([:], for: P256.KeyAgreement.PrivateKey().publicKey)
        #expect(throws: IDTokenFailure.notDecryptable) { try Self.opened(foreign) }
        let one = Base64URL.encode([UInt8](repeating: 1, count: 32))
        let offCurve = try Self.token(
            ["epk": ["kty": "EC", "crv": "P-256", "x": one, "y": one]], for: key.publicKey)
        #expect(throws: IDTokenFailure.notDecryptable) { try Self.opened(offCurve) }
        let short = try Self.token(["epk": ["kty": "EC", "crv": "P-256", "x": "AA", "y": one]], for: key.publicKey)
        #expect(throws: IDTokenFailure.malformedHeader) { try Self.opened(short) }
        let parts = try Self.token([:], for: key.publicKey).split(separator: ".", omittingEmptySubsequences: false)
        for (index, part) in [(1, "AAAA"), (2, "AAAA"), (4, "AAAA")] {
            var changed = parts
            changed[index] = Substring(part)
            #expect(throws: IDTokenFailure.malformed) { try EncryptedIDToken(changed.joined(separator: ".")) }
        }
        let long = String(repeating: "a", count: CompactToken.maximumBytes - 3)
        #expect(throws: IDTokenFailure.tooLarge) { try EncryptedIDToken(long + "....") }
    }

    /// RFC 7518 appendix C: 128 bits for A128GCM.
    @Test func `has the key that the standard's example has`() throws {
        func coordinate(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }
        let bob = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: coordinate("VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"))
        let alice = try P256.KeyAgreement.PublicKey(
            rawRepresentation: coordinate("gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0")
                + coordinate("SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"))
        let secret = try bob.sharedSecretFromKeyAgreement(with: alice)
        let key = EncryptedIDToken.derived(
            from: secret, [Array("Alice".utf8), Array("Bob".utf8)], for: "A128GCM", bits: 128)
        #expect(key.withUnsafeBytes { Base64URL.encode(Array($0)) } == "VqqN6vgjbSBcIijNcacQGg")
    }
}
