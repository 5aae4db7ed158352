/// Writes JSON directly into bytes. The values that cross the wire thousands of times a second use it, because
/// Foundation's encoder would cost more than storing the message.
public enum JSONText {
    /// Appends a JSON string with its quotes. It escapes only what RFC 8259 requires.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(quote)
        let wasFast: Void? = text.utf8.withContiguousStorageIfAvailable { appendEscaped($0, to: &bytes) }
        if wasFast == nil { Array(text.utf8).withUnsafeBufferPointer { appendEscaped($0, to: &bytes) } }
        bytes.append(quote)
    }

    /// Appends a whole number.
    public static func append(_ number: some BinaryInteger, to bytes: inout [UInt8]) {
        var rest = number.magnitude
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends constant text that is already JSON, such as punctuation and keys.
    @inline(__always)
    public static func append(raw text: StaticString, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Copies each run of bytes that needs no escape in one piece.
    private static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var runStart = 0
        for index in text.indices where text[index] < 0x20 || text[index] == quote || text[index] == backslash {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
            appendEscape(of: text[index], to: &bytes)
            runStart = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    }

    private static func appendEscape(of character: UInt8, to bytes: inout [UInt8]) {
        switch character {
        case quote, backslash: bytes += [backslash, character]
        case UInt8(ascii: "\n"): bytes += [backslash, UInt8(ascii: "n")]
        case UInt8(ascii: "\r"): bytes += [backslash, UInt8(ascii: "r")]
        case UInt8(ascii: "\t"): bytes += [backslash, UInt8(ascii: "t")]
        default:
            append(raw: "\\u00", to: &bytes)
            bytes += [hexDigits[Int(character >> 4)], hexDigits[Int(character & 0x0f)]]
        }
    }
}
