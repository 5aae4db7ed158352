public import EarshotModel

/// What an ID token says, and whether it would sign a consumer in. For the people who set the identity provider up;
/// what a refused token says is not verified.
public struct IDTokenReport: Hashable, Sendable {
    /// The longest text that is shown, in Unicode scalars.
    static let shownScalars = 300
    /// The most audiences that are shown.
    static let shownAudiences = 20

    /// The stable reason of the refusal; `nil` if the token would sign a consumer in.
    public let failure: String?
    /// Whether it is encrypted for this server.
    public let isEncrypted: Bool
    /// The algorithm of the signature.
    public let algorithm: String?
    /// The id of the key.
    public let keyID: String?
    /// Whether the provider has the key that the token names.
    public let isKeyKnown: Bool
    /// The claim `iss`.
    public let issuer: String?
    /// The claim `aud`.
    public let audiences: [String]
    /// The claim `sub`.
    public let subject: String?
    /// The claim `iat`.
    public let issued: Timestamp?
    /// The claim `nbf`.
    public let notBefore: Timestamp?
    /// The claim `exp`.
    public let expires: Timestamp?
    /// What agents would see of the consumer; `nil` for a token that is refused.
    public let claims: VerifiedClaims?

    /// Reads and verifies a token. Nothing is stored, and no one is signed in.
    init(_ idToken: String, of provider: IdentityProvider, by verifier: ProviderVerifier, at now: Timestamp) throws {
        isEncrypted = EncryptedIDToken.isOne(idToken)
        var verified: VerifiedIDToken?
        do {
            verified = try verifier.verify(idToken, at: now)
            failure = nil
        } catch let refused as IDTokenFailure {
            failure = refused.rawValue
        }
        claims = verified.map { ClaimReader($0.claims).verified(by: provider) }
        let parts = Self.parts(of: (try? verifier.signedToken(in: idToken)) ?? idToken)
        let (header, payload) = (parts.first ?? [:], parts.dropFirst().first ?? [:])
        (algorithm, keyID) = (Self.text(header["alg"]), Self.text(header["kid"]))
        isKeyKnown = !header.isEmpty && verifier.keys.key(named: header["kid"]?.text) != nil
        (issuer, subject) = (Self.text(payload["iss"]), Self.text(payload["sub"]))
        let all = payload["aud"].map { audience in audience.text.map { [$0] } ?? audience.texts ?? [] } ?? []
        audiences = all.prefix(Self.shownAudiences).map(Self.shortened)
        (issued, notBefore, expires) = (
            Self.time(payload["iat"]), Self.time(payload["nbf"]), Self.time(payload["exp"])
        )
    }

    /// The members of the header and of the payload; nothing of a token that is too long, or is none.
    private static func parts(of token: String) -> [[String: JSONValue]] {
        guard token.utf8.count <= CompactToken.maximumBytes else { return [] }
        return token.split(separator: ".", omittingEmptySubsequences: false).prefix(2).map { part in
            Base64URL.decode(String(part)).flatMap { (try? StrictJSON.parse($0))?.members } ?? [:]
        }
    }

    private static func text(_ member: JSONValue?) -> String? { member?.text.map(shortened) }

    private static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > shownScalars else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(shownScalars))) + "…"
    }

    private static func time(_ member: JSONValue?) -> Timestamp? {
        guard let seconds = member?.double, IDTokenVerifier.seconds.contains(seconds) else { return nil }
        return Timestamp(milliseconds: Int64(seconds * 1000))
    }
}
