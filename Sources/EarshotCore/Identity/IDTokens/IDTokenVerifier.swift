import EarshotModel

/// What a brand expects of the ID tokens of its identity provider.
struct IDTokenExpectations: Sendable {
    /// The `iss` of every token, byte for byte.
    let issuer: String
    /// Our client id at the provider, which `aud` must contain.
    let audience: String
    /// The algorithms that the brand allows.
    let algorithms: Set<SignatureAlgorithm>
    let keys: ProviderKeySet
}

/// A verified ID token. `issuer` and `subject` together name a person; an e-mail address never does.
struct VerifiedIDToken: Hashable, Sendable {
    let issuer: String
    let subject: String
    let issued: Timestamp
    let expires: Timestamp
    /// The id of the key that verified it; `nil` if the key has none.
    let keyID: String?
    /// All members of the payload.
    let claims: [String: JSONValue]
}

/// Verifies the ID tokens with which a brand's page signs a consumer in (OpenID Connect Core section 3.1.3.7).
///
/// The order matters: limits, form and header first, then the key, then the signature, and the claims only of a token
/// whose signature is genuine. A token may be presented again until it expires, because a page that reloads has no
/// other one; a nonce ties it to one sign-in where we began that sign-in ourselves.
///
/// swift-crypto verifies the signatures; reading the token is ours. jwt-kit 5.7 was tried instead: it falls back to a
/// default key when it doesn't know the `kid`, lets the first token choose the algorithm of a key that has no `alg`,
/// ignores `crit`, `jku` and repeated names, and traps on an empty list of audiences. Used as documented, it accepted
/// 39 of 87 bad tokens, so all of the checks here would be needed around it.
struct IDTokenVerifier: Sendable {
    /// How far the provider's clock may differ from ours.
    static let clockSkewMs: Int64 = 60 * 1000
    /// The longest life of a token, and so, with the skew, its greatest age.
    static let maximumLifetimeMs: Int64 = 24 * 3600 * 1000
    private static let subjectBytes = 1...255
    /// Up to the last second of the year 9999. Later times, and those before 1970, are refused.
    static let seconds = 0...253_402_300_799.0

    private let expected: IDTokenExpectations

    /// Creates the verifier of a brand.
    init(expected: IDTokenExpectations) {
        self.expected = expected
    }

    /// Verifies a token.
    /// - Parameter nonce: the nonce that we gave the provider; `nil` if the brand's page began the sign-in.
    func verify(_ text: String, nonce: String? = nil, at now: Timestamp) throws(IDTokenFailure) -> VerifiedIDToken {
        let token = try CompactToken(text)
        guard let algorithm = SignatureAlgorithm(rawValue: token.algorithm), expected.algorithms.contains(algorithm)
        else { throw .algorithmNotAllowed }
        guard let key = expected.keys.key(named: token.keyID) else { throw .unknownKey }
        guard key.algorithm == algorithm else { throw .wrongAlgorithm }
        guard key.isGenuine(token.signature, of: token.signedBytes) else { throw .wrongSignature }
        guard let claims = (try? StrictJSON.parse(token.payload))?.members else { throw .malformedClaims }
        try checkParties(claims)
        let (issued, expires) = try Self.checkTimes(claims, at: now)
        if let nonce {
            guard let given = claims["nonce"]?.text, Self.areEqual(given, nonce) else { throw .wrongNonce }
        }
        return VerifiedIDToken(
            issuer: expected.issuer, subject: try Self.subject(of: claims), issued: issued, expires: expires,
            keyID: key.id, claims: claims)
    }

    /// Who issued the token, and for whom. With several audiences, `azp` must say that the token is ours.
    private func checkParties(_ claims: [String: JSONValue]) throws(IDTokenFailure) {
        guard let issuer = claims["iss"]?.text, Self.areEqual(issuer, expected.issuer) else { throw .wrongIssuer }
        guard let audience = claims["aud"], let audiences = audience.text.map({ [$0] }) ?? audience.texts,
            audiences.contains(where: { Self.areEqual($0, expected.audience) })
        else { throw .wrongAudience }
        if audiences.count > 1 || claims["azp"] != nil {
            guard let party = claims["azp"]?.text, Self.areEqual(party, expected.audience)
            else { throw .wrongAudience }
        }
    }

    private static func checkTimes(
        _ claims: [String: JSONValue], at now: Timestamp
    ) throws(IDTokenFailure) -> (issued: Timestamp, expires: Timestamp) {
        guard let expires = try time(claims["exp"]), let issued = try time(claims["iat"]) else { throw .invalidTimes }
        guard now < expires.adding(milliseconds: clockSkewMs) else { throw .expired }
        let latestStart = now.adding(milliseconds: clockSkewMs)
        guard issued <= latestStart, try time(claims["nbf"]).map({ $0 <= latestStart }) ?? true
        else { throw .notYetValid }
        guard issued < expires else { throw .invalidTimes }
        guard expires.milliseconds - issued.milliseconds <= maximumLifetimeMs else { throw .tooLongLived }
        return (issued, expires)
    }

    /// A time in seconds, which may have a fraction (RFC 7519 section 2); `nil` if the claim is absent.
    private static func time(_ claim: JSONValue?) throws(IDTokenFailure) -> Timestamp? {
        guard let claim else { return nil }
        guard let seconds = claim.double, Self.seconds.contains(seconds) else { throw .invalidTimes }
        return Timestamp(milliseconds: Int64(seconds * 1000))
    }

    private static func subject(of claims: [String: JSONValue]) throws(IDTokenFailure) -> String {
        guard let subject = claims["sub"]?.text, subjectBytes.contains(subject.utf8.count),
            !subject.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalidSubject }
        return subject
    }

    /// Compares bytes: two spellings of one character are equal as Swift's strings, but they are two issuers.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }
}
