import CryptoExtras
import EarshotModel
import Testing

@testable import EarshotCore

@Suite struct `An ID token of a brand's identity provider` {
    let provider = TestProvider.shared
    let now = TestProvider.now
    private static let seconds = TestProvider.now.milliseconds / 1000

    @Test(arguments: BadTokens.all)
    func `that is bad is refused, and its code says why`(bad: BadToken) throws {
        let token = try bad.make(provider)
        let verifier = try provider.verifier()
        #expect(throws: bad.failure) { try verifier.verify(token, at: now) }
    }

    @Test func `has been tried in more than 88 bad forms, which meet every refusal but the nonce's`() {
        #expect(BadTokens.all.count > 88)
        #expect(Set(BadTokens.all.map(\.name)).count == BadTokens.all.count)
        let others: Set = [IDTokenFailure.wrongNonce, .notDecryptable]
        #expect(Set(BadTokens.all.map(\.failure)) == Set(IDTokenFailure.allCases).subtracting(others))
    }

    @Test(arguments: JoserfcVectors.tokens)
    func `that another implementation made is accepted`(algorithm: String, token: String) throws {
        let verifier = try provider.verifier(keys: JoserfcVectors.jwks)
        let verified = try verifier.verify(token, at: now)
        #expect(
            verified.issuer == TestProvider.issuer && verified.subject == "person-7" && verified.issued == now
                && verified.expires == now.adding(milliseconds: 600_000)
                && verified.claims["sub"] == .string("person-7"))
        let others = Set(SignatureAlgorithm.allCases.filter { $0.rawValue != algorithm })
        let without = try provider.verifier(keys: JoserfcVectors.jwks, algorithms: others)
        #expect(throws: IDTokenFailure.algorithmNotAllowed) { try without.verify(token, at: now) }
    }

    @Test func `is accepted in each algorithm, and refused with any one character changed`() throws {
        let verifier = try provider.verifier()
        for token in [try provider.rs256(), try provider.es256(), try provider.edDSA()] {
            #expect(try verifier.verify(token, at: now).subject == "person-7")
            let genuine = Array(token)
            for index in genuine.indices {
                var forged = genuine
                forged[index] = forged[index] == "A" ? "B" : "A"
                #expect(throws: IDTokenFailure.self, "changed at \(index)") {
                    try verifier.verify(String(forged), at: now)
                }
            }
        }
    }

    @Test(arguments: [
        ["aud": "[\"earshot\"]"], ["aud": "[\"shop\",\"earshot\"]", "azp": "\"earshot\""], ["azp": "\"earshot\""],
        ["sub": "\"\(String(repeating: "7", count: 255))\""], ["sub": "\"\\ud83d\\ude00 é \\u00e9\""],
        ["iat": "\(seconds)", "exp": "\(seconds + 86400)"], ["exp": "\(seconds + 600).5"],
        ["nbf": "\(seconds)"], ["jti": "\"1\"", "nonce": "\"of the page\"", "x": "[[[[[[[]]]]]]]"],
    ])
    func `with unusual but valid claims is accepted`(changes: [String: String]) throws {
        let token = try provider.rs256(TestProvider.header(), TestProvider.claims(changes))
        _ = try provider.verifier().verify(token, at: now)
    }

    @Test(arguments: [",\"typ\":\"JWT\"", ",\"typ\":\"jwt\"", ",\"x5t\":\"AAAA\"", ",\"unknown\":{}"])
    func `with an unusual but harmless header is accepted`(more: String) throws {
        _ = try provider.verifier().verify(provider.rs256(TestProvider.header("RS256", kid: "rsa-1", more)), at: now)
    }

    @Test func `may be a minute off the server's clock, and not a second more`() throws {
        let token = try provider.rs256(
            TestProvider.header(),
            TestProvider.claims([
                "iat": "\(Self.seconds)", "nbf": "\(Self.seconds)", "exp": "\(Self.seconds + 600)",
            ]))
        let verifier = try provider.verifier()
        _ = try verifier.verify(token, at: now.adding(milliseconds: -60_000))
        #expect(throws: IDTokenFailure.notYetValid) {
            try verifier.verify(token, at: now.adding(milliseconds: -60_001))
        }
        _ = try verifier.verify(token, at: now.adding(milliseconds: 659_999))
        #expect(throws: IDTokenFailure.expired) { try verifier.verify(token, at: now.adding(milliseconds: 660_000)) }
    }

    @Test func `must carry the nonce of the sign-in that we began`() throws {
        let verifier = try provider.verifier()
        let claims = TestProvider.claims(["nonce": "\"n-1\""])
        let token = try provider.rs256(TestProvider.header(), claims)
        _ = try verifier.verify(token, nonce: "n-1", at: now)
        #expect(throws: IDTokenFailure.wrongNonce) { try verifier.verify(token, nonce: "n-2", at: now) }
        let without = try provider.rs256()
        #expect(throws: IDTokenFailure.wrongNonce) { try verifier.verify(without, nonce: "n-1", at: now) }
    }

    @Test func `without a key id, or for a key without one, is accepted only if there is one key`() throws {
        let single = try provider.verifier(keys: TestProvider.jwks([provider.rsaJWK]))
        _ = try single.verify(provider.rs256(TestProvider.header(kid: nil)), at: now)
        let other = try provider.rs256(TestProvider.header(kid: "rsa-2"))
        #expect(throws: IDTokenFailure.unknownKey) { try single.verify(other, at: now) }

        let pem = try provider.verifier(keys: provider.rsa.publicKey.pemRepresentation)
        _ = try pem.verify(provider.rs256(), at: now)
        _ = try pem.verify(other, at: now)
        _ = try pem.verify(provider.rs256(TestProvider.header(kid: nil)), at: now)
    }

    @Test func `names its issuer by bytes, not by what looks the same`() throws {
        let verifier = IDTokenVerifier(
            expected: IDTokenExpectations(
                issuer: "https://id.example/caf\u{e9}", audience: TestProvider.audience, algorithms: [.rs256],
                keys: try ProviderKeySet(provider.jwks)))
        let composed = try provider.rs256(
            TestProvider.header(), TestProvider.claims(["iss": "\"https://id.example/caf\u{e9}\""]))
        _ = try verifier.verify(composed, at: now)
        let decomposed = try provider.rs256(
            TestProvider.header(), TestProvider.claims(["iss": "\"https://id.example/cafe\u{301}\""]))
        #expect(throws: IDTokenFailure.wrongIssuer) { try verifier.verify(decomposed, at: now) }
    }
}
