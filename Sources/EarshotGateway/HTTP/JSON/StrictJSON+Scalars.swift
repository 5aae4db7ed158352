import EarshotModel

/// Numbers and strings.
extension StrictJSON {
    mutating func number() throws(Rejection) -> JSONValue {
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
        return .number(double)
    }

    private mutating func digits() {
        while let byte = peek, byte.isDigit { position += 1 }
    }

    mutating func string() throws(Rejection) -> String {
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
