import EarshotModel

/// Reads what agents see of a verified ID token. Values that are too long or empty, or have control characters, are
/// skipped.
struct ClaimReader {
    /// The longest value that is shown, in bytes.
    static let valueBytes = 255

    private let claims: [String: JSONValue]

    init(_ claims: [String: JSONValue]) {
        self.claims = claims
    }

    /// The standard claims (OpenID Connect Core section 5.1) and those that the brand shows besides. An e-mail address
    /// or a phone number that the provider did not verify is one of the others, with a label that says so.
    func verified(by provider: IdentityProvider) -> VerifiedClaims {
        let (email, phone) = (Contact("email", "email_verified"), Contact("phone_number", "phone_number_verified"))
        let stated = [("E-mail (stated, not verified)", email), ("Phone (stated, not verified)", phone)].compactMap {
            label, contact in
            isVerified(contact, by: provider)
                ? nil : text(contact.claim).map { VerifiedClaims.Claim(label: label, value: $0) }
        }
        return VerifiedClaims(
            name: text("name"), email: isVerified(email, by: provider) ? text(email.claim) : nil,
            phone: isVerified(phone, by: provider) ? text(phone.claim) : nil,
            others: stated
                + provider.claims.compactMap { shown in
                    value(shown.claim).map { VerifiedClaims.Claim(label: shown.label, value: $0) }
                })
    }

    /// A claim with a means of contact, and the claim that says whether the provider verified it.
    private struct Contact {
        let claim: String
        let flag: String

        init(_ claim: String, _ flag: String) { (self.claim, self.flag) = (claim, flag) }
    }

    /// Some providers write `true` as a text, and some omit the flag because they verify everything.
    private func isVerified(_ contact: Contact, by provider: IdentityProvider) -> Bool {
        guard let flag = claims[contact.flag] else { return provider.verifiesContacts }
        return flag == .bool(true) || flag.text == "true"
    }

    private func text(_ name: String) -> String? {
        guard let text = claims[name]?.text else { return nil }
        return Self.isShown(text) ? text : nil
    }

    private func value(_ name: String) -> String? {
        switch claims[name] {
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .string: text(name)
        case .null, .array, .object, nil: nil
        }
    }

    private static func isShown(_ text: String) -> Bool {
        text.utf8.count <= valueBytes && text.contains { !$0.isWhitespace }
            && !text.unicodeScalars.contains {
                [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
    }
}
