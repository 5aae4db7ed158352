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

    /// The standard claims (OpenID Connect Core section 5.1) and those that the brand shows besides.
    func verified(_ shown: [IdentityProvider.ShownClaim]) -> VerifiedClaims {
        VerifiedClaims(
            name: text("name"), email: claims["email_verified"] == .bool(false) ? nil : text("email"),
            phone: claims["phone_number_verified"] == .bool(false) ? nil : text("phone_number"),
            others: shown.compactMap { shown in
                value(shown.claim).map { VerifiedClaims.Claim(label: shown.label, value: $0) }
            })
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
