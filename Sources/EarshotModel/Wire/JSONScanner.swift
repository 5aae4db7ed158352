/// Reads scalars of a flat JSON object directly from bytes. It throws `Unsure` for anything that it does not fully
/// understand, and the caller then uses a complete decoder. It never accepts what such a decoder would refuse.
struct JSONScanner {
    /// Tells the caller to use a complete decoder. It is control flow, not an error.
    struct Unsure: Error {}

    enum Scalar {
        case string(String)
        case integer(Int)
        case bool(Bool)
        case null
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    /// Consumes this byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: Unicode.Scalar) throws(Unsure) {
        guard take(byte) else { throw Unsure() }
    }

    /// A name: a string without escapes, as the bytes between its quotes.
    mutating func name() throws(Unsure) -> UnsafeBufferPointer<UInt8> {
        try expect("\"")
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else { throw Unsure() }
            position += 1
        }
        let name = UnsafeBufferPointer(rebasing: bytes[start..<position])
        try expect("\"")
        return name
    }

    mutating func scalar() throws(Unsure) -> Scalar {
        guard position < bytes.count else { throw Unsure() }
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try integer())
        case UInt8(ascii: "t"): return .bool(try word("true", true))
        case UInt8(ascii: "f"): return .bool(try word("false", false))
        case UInt8(ascii: "n"):
            _ = try word("null", true)
            return .null
        default: throw Unsure()
        }
    }

    /// `[[1,2],[3,4]]`: whole numbers in pairs.
    mutating func pairs(atMost limit: Int) throws(Unsure) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        try expect("[")
        skipSpace()
        guard !take("]") else { return [] }
        repeat {
            guard pairs.count < limit else { throw Unsure() }
            pairs.append(try pair())
        } while take(",")
        try expect("]")
        skipSpace()
        return pairs
    }

    private mutating func pair() throws(Unsure) -> (Int, Int) {
        skipSpace()
        try expect("[")
        let first = try spacedInteger()
        try expect(",")
        let second = try spacedInteger()
        try expect("]")
        skipSpace()
        return (first, second)
    }

    private mutating func spacedInteger() throws(Unsure) -> Int {
        skipSpace()
        let number = try integer()
        skipSpace()
        return number
    }

    private mutating func string() throws(Unsure) -> String {
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard bytes[end] >= 0x20 else { throw Unsure() }
            end += 1
        }
        guard end < bytes.count else { throw Unsure() }
        position = end + 1
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func escapedString(from start: Int) throws(Unsure) -> String {
        var text: [UInt8] = []
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20 else { throw Unsure() }
            if bytes[index] == UInt8(ascii: "\\") {
                index += 1
                guard index < bytes.count, let plain = Self.unescaped(bytes[index]) else { throw Unsure() }
                text.append(plain)
            } else {
                text.append(bytes[index])
            }
            index += 1
        }
        guard index < bytes.count else { throw Unsure() }
        position = index + 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads whole numbers that fit an `Int`. The complete decoder handles fractions, exponents and leading zeros.
    private mutating func integer() throws(Unsure) -> Int {
        let isNegative = take("-")
        let start = position
        var value = 0
        while position < bytes.count, case let digit = bytes[position], Self.isDigit(digit) {
            // Before the sum, not after it: one digit too many would overflow, and end the process.
            guard position - start < Self.safeDigits else { throw Unsure() }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
            position += 1
        }
        guard position > start, position == start + 1 || bytes[start] != UInt8(ascii: "0"), !isFollowedByFraction else {
            throw Unsure()
        }
        return isNegative ? -value : value
    }

    private var isFollowedByFraction: Bool {
        guard position < bytes.count else { return false }
        return [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position])
    }

    private mutating func word(_ word: StaticString, _ value: Bool) throws(Unsure) -> Bool {
        for offset in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == word.utf8Start[offset] else { throw Unsure() }
            position += 1
        }
        return value
    }

    private static let safeDigits = 18

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// The character that an escape such as `\"` or `\n` means. `nil` for `\u`, which the complete decoder reads.
    private static func unescaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        default: nil
        }
    }
}
