import EarshotModel
import HTTPTypes

/// One of our cookies: the agent's session, or the device in which they signed in before.
///
/// Under TLS its name begins with `__Host-`: a browser takes it only with Secure, Path=/
/// and without Domain, so that no neighbouring host can plant one.
struct SessionCookie: Sendable {
    let name: String
    private let attributes: String

    /// - Parameter suffix: tells our cookies apart: none for the session, `-device` for the device.
    init(isSecure: Bool, suffix: String = "") {
        name = (isSecure ? "__Host-earshot" : "earshot") + suffix
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    func set(_ value: String, lifetimeMs: Int64) -> String {
        "\(name)=\(value); Max-Age=\(lifetimeMs / 1000)\(attributes)"
    }

    var remove: String { "\(name)=; Max-Age=0\(attributes)" }

    /// The value that the browser sent; `nil` where it sent two cookies of this name, because one of them was planted.
    func value(in fields: HTTPFields) -> String? {
        let values = fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
        }
        return values.count == 1 && values[0].isEmpty == false ? values[0] : nil
    }
}
