import HTTPTypes

/// The security headers of every response.
struct SecurityHeaders: Sendable {
    /// A year and a day: browsers that reached us over TLS never connect without it again.
    private static let hsts = "max-age=31622400"

    let isSecure: Bool

    /// The headers of every response.
    var everywhere: [(String, String)] {
        let base = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
        ]
        return isSecure ? base + [("strict-transport-security", Self.hsts)] : base
    }

    /// The headers of API answers: no answer may be treated as a page.
    var api: [(String, String)] {
        everywhere + [
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ]
    }
}

extension HTTPFields {
    /// Adds the fields that are missing.
    mutating func complete(with fields: [(String, String)]) {
        for (name, value) in fields {
            guard let name = HTTPField.Name(name), self[name] == nil else { continue }
            self[name] = value
        }
    }
}
