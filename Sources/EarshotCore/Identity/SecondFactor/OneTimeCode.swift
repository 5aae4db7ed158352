import Crypto
import EarshotModel

/// Computes and checks the codes of an authenticator app: RFC 6238 with SHA-1, 6 digits and steps of 30 s, the only
/// values that all apps support.
enum OneTimeCode {
    /// The length of a secret in bytes, as RFC 4226 section 4 recommends.
    static let secretBytes = 20
    /// How many digits a code has.
    static let digits = 6
    /// How long a code is shown.
    static let stepMs: Int64 = 30_000
    /// How many steps before and after the current one are accepted, because clocks differ.
    static let window: Int64 = 1

    /// The number of the step at a time.
    static func step(at now: Timestamp) -> Int64 { max(0, now.milliseconds / stepMs) }

    /// The code of a step (RFC 4226 section 5.3).
    static func code(of secret: [UInt8], step: Int64, digits: Int = digits) -> String {
        let counter = withUnsafeBytes(of: UInt64(max(0, step)).bigEndian, Array.init)
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int((mac.last ?? 0) & 0x0F)
        let number = mac[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(1 as UInt32) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    /// Whether a text has the form of a code: six ASCII digits.
    static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The newest accepted step that has this code. Compares with every step in constant time.
    static func matchingStep(_ code: String, of secret: [UInt8], at now: Timestamp) -> Int64? {
        guard isWellFormed(code) else { return nil }
        let current = step(at: now)
        var match: Int64?
        for step in max(0, current - window)...(current + window) {
            let difference = zip(Self.code(of: secret, step: step).utf8, code.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { match = step }
        }
        return match
    }
}
