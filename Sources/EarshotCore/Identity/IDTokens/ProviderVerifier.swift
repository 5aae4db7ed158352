import Crypto
import EarshotModel

/// Verifies the ID tokens of a brand's identity provider, encrypted or not.
struct ProviderVerifier {
    private let provider: IdentityProvider
    /// The keys that the brand pasted.
    let keys: ProviderKeySet

    /// - Throws: `ProviderKeyFailure` if none of the keys can be used.
    init(_ provider: IdentityProvider) throws {
        self.provider = provider
        keys = try ProviderKeySet(provider.keys)
    }

    /// Verifies an ID token as a sign-in does.
    /// - Throws: `IDTokenFailure`.
    func verify(_ idToken: String, at now: Timestamp) throws -> VerifiedIDToken {
        let expected = IDTokenExpectations(
            issuer: provider.issuer, audience: provider.audience, algorithms: Set(SignatureAlgorithm.allCases),
            keys: keys)
        let token = try IDTokenVerifier(expected: expected).verify(signedToken(in: idToken), at: now)
        guard token.expires > now else { throw IDTokenFailure.expired }
        return token
    }

    /// The signed token, decrypted if it is encrypted.
    func signedToken(in idToken: String) throws -> String {
        guard EncryptedIDToken.isOne(idToken) else { return idToken }
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: provider.decryptionKey ?? [])
        return try EncryptedIDToken(idToken).signedToken(with: key)
    }
}
