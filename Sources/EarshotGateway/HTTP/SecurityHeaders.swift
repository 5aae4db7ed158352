import HTTPTypes

/// The headers that stand on every response, whoever made it.
struct SecurityHeaders: Sendable {
    /// A year and a day: browsers that saw us over TLS never come without it again.
    private static let hsts = "max-age=31622400"

    let isSecure: Bool

    /// What every response has.
    var everywhere: [(String, String)] {
        let base = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
        ]
        return isSecure ? base + [("strict-transport-security", Self.hsts)] : base
    }

    /// What answers of the API have besides: nothing in them is ever a page.
    var api: [(String, String)] {
        everywhere + [
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ]
    }
}

extension HTTPFields {
    /// Adds those of these that are not there yet.
    mutating func complete(with fields: [(String, String)]) {
        for (name, value) in fields {
            guard let name = HTTPField.Name(name), self[name] == nil else { continue }
            self[name] = value
        }
    }
}
