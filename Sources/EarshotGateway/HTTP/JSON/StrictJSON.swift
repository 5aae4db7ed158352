import EarshotModel

/// Parses JSON (RFC 8259) strictly: no second key of the same name, no byte after the end, no lone surrogate, no
/// invalid UTF-8, no depth that would cost stack. Input that two parsers could read differently is refused, so that no
/// attacker profits from the difference.
struct StrictJSON {
    /// Deeper nesting is refused: no body needs more.
    static let maximumDepth = 8

    let bytes: [UInt8]
    var position = 0

    /// - Throws: `bad_request`.
    static func parse(_ bytes: [UInt8]) throws(Rejection) -> JSONValue {
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
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    func broken() -> Rejection {
        Rejection(.badRequest, "This is not valid JSON (at byte \(position)).")
    }
}
