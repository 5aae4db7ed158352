import EarshotModel

/// The cookie of a browser in which a person signed in before. Their attempts from it have an allowance of their own,
/// so that others who guess cannot lock them out (OWASP's device cookie). It proves nothing else.
struct DeviceMark: Sendable {
    /// How long a browser keeps it.
    static let lifetimeMs: Int64 = 400 * 24 * 3600 * 1000
    private static let idBytes = 16
    private static let maximumLength = 120

    private let keys: KeyRing

    init(_ keys: KeyRing) {
        self.keys = keys
    }

    /// Makes the value of the cookie: key, id and signature.
    func make(for person: String, random: (Int) -> [UInt8]) -> String {
        let id = Base64URL.encode(random(Self.idBytes))
        return "\(keys.newest).\(id).\(keys.sign(Self.text(id, person)))"
    }

    /// The device's id, if the cookie was made for this person.
    func device(_ value: String?, of person: String, at now: Timestamp) -> String? {
        guard let value, value.utf8.count <= Self.maximumLength else { return nil }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let text = Self.text(String(parts[1]), person)
        return keys.isGenuine(parts[2], of: text, key: parts[0], at: now) ? String(parts[1]) : nil
    }

    private static func text(_ id: String, _ person: String) -> String { "device\n\(person)\n\(id)" }
}
