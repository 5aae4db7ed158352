/// Codes for a person whose authenticator app is lost: 80 random bits each, as four groups of four characters of
/// Crockford's base 32, which has no letters that look like digits.
enum RecoveryCode {
    /// How many codes a person gets.
    static let count = 10
    /// The random bytes of a code: 80 bits, too many to guess even with the database.
    static let randomBytes = 10
    private static let groupLength = 4
    private static let characters = 16
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// Writes random bytes as a code: `k7qm-2xwd-9fhn-4tzr`.
    static func text(of random: [UInt8]) -> String {
        precondition(random.count == randomBytes, "a recovery code needs \(randomBytes) bytes")
        let characters = Base32.digits(of: random).map { alphabet[$0] }
        return stride(from: 0, to: characters.count, by: groupLength)
            .map { String(characters[$0..<min($0 + groupLength, characters.count)]) }
            .joined(separator: "-")
    }

    /// The code that a person typed, in the form that is compared: without hyphens and spaces, in lower case, with `0`
    /// for `o` and `1` for `i` and `l`.
    /// - Returns: `nil` if the text cannot be a code.
    static func normalized(_ typed: String) -> String? {
        var code = ""
        for character in typed.lowercased() where character != "-" && character != " " {
            switch character {
            case "o": code.append("0")
            case "i", "l": code.append("1")
            default:
                guard alphabet.contains(character) else { return nil }
                code.append(character)
            }
        }
        return code.utf8.count == characters ? code : nil
    }
}

/// Base 32 (RFC 4648), as authenticator apps take secrets.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    private static let bits = 5

    /// Encodes bytes without padding. Their number must be a multiple of 5.
    static func encode(_ bytes: [UInt8]) -> String { String(digits(of: bytes).map { alphabet[$0] }) }

    /// The bytes as numbers of 5 bits each, from the first bit on.
    static func digits(of bytes: [UInt8]) -> [Int] {
        precondition(bytes.count.isMultiple(of: bits), "the bytes must be whole groups of 40 bits")
        var digits: [Int] = []
        var (buffer, held) = (0, 0)
        for byte in bytes {
            (buffer, held) = (buffer << 8 | Int(byte), held + 8)
            while held >= bits {
                held -= bits
                digits.append(buffer >> held & 0x1F)
            }
            buffer &= (1 << held) - 1
        }
        return digits
    }
}
