/// Parses JSON (RFC 8259) strictly: no second key of the same name, no byte after the end, no lone surrogate, no
/// invalid UTF-8, no depth that would cost stack. Input that two parsers could read differently is refused, so that no
/// attacker profits from the difference.
package struct StrictJSON {
    /// Deeper nesting is refused: no body needs more.
    package static let maximumDepth = 8
    /// Up to here, every whole number has a double of its own.
    private static let exactIntegers = 9_007_199_254_740_992.0

    private let bytes: [UInt8]
    private var position = 0

    /// Parses a whole text.
    /// - Throws: `bad_request`.
    package static func parse(_ bytes: [UInt8]) throws(Rejection) -> JSONValue {
        var parser = StrictJSON(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.broken() }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func value(depth: Int) throws(Rejection) -> JSONValue {
        guard depth < Self.maximumDepth else {
            throw Rejection(.badRequest, "The JSON is nested too deeply.", limit: Self.maximumDepth)
        }
        skipSpace()
        guard let first = peek else { throw broken() }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw broken()
        }
    }

    private mutating func object(depth: Int) throws(Rejection) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw broken() }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw broken() }
            guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw Rejection(.badRequest, "The JSON has the same name twice.")
            }
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw broken() }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Rejection) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw broken() }
        return .array(elements)
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Rejection) -> JSONValue {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count,
            text.withUTF8Buffer({ $0.elementsEqual(bytes[position..<position + length]) })
        else { throw broken() }
        position += length
        return value
    }
}

extension StrictJSON {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private func broken() -> Rejection {
        Rejection(.badRequest, "This is not valid JSON (at byte \(position)).")
    }
}

/// Numbers and strings.
extension StrictJSON {
    private mutating func number() throws(Rejection) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let firstDigit = position
        guard let first = peek, first.isDigit else { throw broken() }
        digits()
        if first == UInt8(ascii: "0"), position > firstDigit + 1 { throw broken() }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard let next = peek, next.isDigit else { throw broken() }
            digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard let next = peek, next.isDigit else { throw broken() }
            digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw broken() }
        // 2.0 and 2e0 are the whole number 2, as they are for the socket's decoder and for JSON Schema.
        if double.magnitude <= Self.exactIntegers, let integer = Int(exactly: double) { return .integer(integer) }
        return .number(double)
    }

    private mutating func digits() {
        while let byte = peek, byte.isDigit { position += 1 }
    }

    private mutating func string() throws(Rejection) -> String {
        position += 1
        var out: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: out, as: UTF8.self) else { throw broken() }
                return text
            case UInt8(ascii: "\\"): out.append(contentsOf: try escape())
            case 0..<0x20: throw broken()
            default: out.append(byte)
            }
        }
        throw broken()
    }

    private mutating func escape() throws(Rejection) -> [UInt8] {
        guard let byte = peek else { throw broken() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
        default: throw broken()
        }
    }

    private mutating func scalar() throws(Rejection) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800..<0xdc00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw broken()
        }
        let second = try fourDigits()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
        else { throw broken() }
        return scalar
    }

    private mutating func fourDigits() throws(Rejection) -> UInt32 {
        guard position + 4 <= bytes.count else { throw broken() }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = byte.hexValue else { throw broken() }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

    fileprivate var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
