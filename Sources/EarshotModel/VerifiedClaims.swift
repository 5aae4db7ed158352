/// What a brand's identity provider says about a signed-in consumer. The signature of an ID token proves it; nothing
/// that a page claims is in here.
public struct VerifiedClaims: Hashable, Codable, Sendable {
    /// A claim that the brand chose to show.
    public struct Claim: Hashable, Codable, Sendable {
        /// The brand's label, such as "Loyalty number".
        public let label: String
        /// The value; numbers and booleans as text.
        public let value: String

        /// Makes a claim.
        public init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The person's full name, from the claim `name`.
    public let name: String?
    /// The e-mail address, from `email`, unless `email_verified` is false.
    public let email: String?
    /// The phone number, from `phone_number`, unless `phone_number_verified` is false.
    public let phone: String?
    /// Further claims, in the brand's order.
    public let others: [Claim]

    /// Makes the claims of one token.
    public init(name: String?, email: String?, phone: String?, others: [Claim]) {
        self.name = name
        self.email = email
        self.phone = phone
        self.others = others
    }
}
