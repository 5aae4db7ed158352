public import EarshotModel

/// The identity provider of a brand: what the brand's pages sign consumers in with, and what is shown of them.
public struct IdentityProvider: Hashable, Codable, Sendable {
    /// A claim that agents see.
    public struct ShownClaim: Hashable, Codable, Sendable {
        /// The claim's name in the ID token.
        public let claim: String
        /// What agents read next to the value.
        public let label: String

        /// Makes a shown claim.
        public init(claim: String, label: String) {
            self.claim = claim
            self.label = label
        }
    }

    /// The allowed length of an issuer and of an audience, in bytes.
    public static let nameBytes = 1...255
    /// The most claims to show.
    public static let claimLimit = 20
    /// The allowed length of a claim's name and of its label, in bytes.
    public static let claimBytes = 1...100
    /// Longer texts of keys are refused.
    public static let keysBytes = ProviderKeySet.maximumBytes

    /// The `iss` of every ID token, byte for byte.
    public let issuer: String
    /// The client id of Earshot at the provider, which `aud` must contain.
    public let audience: String
    /// The provider's public keys: a JSON Web Key Set, one JSON Web Key, or one key in PEM.
    public let keys: String
    /// What agents see besides name, e-mail address and phone number.
    public let claims: [ShownClaim]
    /// The private key for ID tokens that are encrypted for us: the 32 bytes of a P-256 scalar. It is made when the
    /// provider is saved first.
    let decryptionKey: [UInt8]?

    /// When the keys were pasted; `nil` in what earlier versions stored.
    public let keysSince: Timestamp?

    /// `nil` in what earlier versions stored.
    private let verifies: Bool?

    /// Whether the provider verifies every e-mail address and phone number, so that an ID token without
    /// `email_verified` or `phone_number_verified` counts as one that says so.
    public var verifiesContacts: Bool { verifies ?? false }

    /// Makes a provider. `ConsumerSignInService` checks it.
    public init(
        issuer: String, audience: String, keys: String, claims: [ShownClaim], verifiesContacts: Bool = false
    ) {
        (self.issuer, self.audience, self.keys, self.claims) = (issuer, audience, keys, claims)
        (verifies, decryptionKey, keysSince) = (verifiesContacts, nil, nil)
    }

    private init(_ provider: IdentityProvider, decryptionKey: [UInt8], keysSince: Timestamp?) {
        (issuer, audience) = (provider.issuer, provider.audience)
        (keys, claims, verifies) = (provider.keys, provider.claims, provider.verifies)
        self.decryptionKey = decryptionKey
        self.keysSince = keysSince
    }

    /// This provider with a key for encrypted ID tokens, and with the time at which its keys were pasted.
    func with(decryptionKey: [UInt8], keysSince: Timestamp?) -> IdentityProvider {
        IdentityProvider(self, decryptionKey: decryptionKey, keysSince: keysSince)
    }
}

/// Who a consumer is to a brand's identity provider. Only the two together name a person; an e-mail address never does.
public struct ProviderSubject: Hashable, Codable, Sendable {
    /// The provider: the claim `iss`.
    public let issuer: String
    /// The person: the claim `sub`.
    public let subject: String

    /// Makes a subject.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}
