import EarshotModel

/// The address of the page on which a consumer began: origin and path, and the parameters that the page's owner named.
///
/// Queries and fragments of the brand's pages hold e-mail addresses, order numbers and reset tokens, and agents see the
/// address. So a client names each parameter that it means; what it leaves in the address is dropped.
struct PageAddress {
    /// In UTF-8 bytes: the address, and all named parameters together.
    static let bytes = 2048
    static let parameters = 10
    static let nameScalars = 1...64
    static let valueScalars = 256

    let text: String

    /// - Returns: `nil` where it is no web address, because agents click on it.
    /// - Throws: `bad_request` or `out_of_range` for the parameters.
    init?(_ address: String, parameters: [String: String]) throws(Rejection) {
        try Self.check(parameters)
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return nil }
        let page = address.prefix { $0 != "?" && $0 != "#" }
        let named = parameters.sorted { $0.key < $1.key }
            .map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
        text = Self.withoutCredentials(page) + (named.isEmpty ? "" : "?" + named.joined(separator: "&"))
    }

    private static func check(_ parameters: [String: String]) throws(Rejection) {
        guard parameters.count <= Self.parameters else {
            throw Rejection(
                .outOfRange, "pageParameters: there are at most \(Self.parameters).", limit: Self.parameters)
        }
        for (name, value) in parameters {
            guard nameScalars.contains(name.unicodeScalars.count), value.unicodeScalars.count <= valueScalars else {
                throw Rejection(
                    .outOfRange,
                    """
                    pageParameters: a name has 1 to \(nameScalars.upperBound) characters, a value at most \
                    \(valueScalars).
                    """,
                    limit: valueScalars)
            }
        }
    }

    /// Removes `user:password@`.
    private static func withoutCredentials(_ page: Substring) -> String {
        guard let start = page.firstRange(of: "://")?.upperBound else { return String(page) }
        let host = page[start...].prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(page) }
        return String(page[..<start] + page[page.index(after: at)...])
    }

    /// Percent-encodes everything but what RFC 3986 calls unreserved.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}
