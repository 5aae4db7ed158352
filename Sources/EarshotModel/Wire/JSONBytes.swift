/// JSON by appending bytes: for what is written thousands of times a second.
extension [UInt8] {
    /// Bytes of ours, as they stand.
    public mutating func append(raw json: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    public mutating func append(json number: some BinaryInteger) {
        guard number != 0 else { return append(UInt8(ascii: "0")) }
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = count
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            append(UInt8(ascii: "0") + UInt8(digit))
            rest = quotient
        }
        self[start...].reverse()
    }

    public mutating func append(json flag: Bool) {
        append(raw: flag ? "true" : "false")
    }

    /// A string with its quotes. Escapes what JSON demands and nothing else.
    public mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { append(escaping: $0) }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping bytes: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            append(contentsOf: bytes[plain..<index])
            append(escape: byte)
            plain = index + 1
        }
        append(contentsOf: bytes[plain...])
    }

    private mutating func append(escape byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x0a: append(UInt8(ascii: "n"))
        case 0x0d: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
            append(raw: "u00")
            append(Self.hexadecimal[Int(byte >> 4)])
            append(Self.hexadecimal[Int(byte & 15)])
        }
    }

    private static let hexadecimal: [UInt8] = Array("0123456789abcdef".utf8)

    /// `[a,b,c]`
    public mutating func append<Value>(json values: some Sequence<Value>, _ appendOne: (inout [UInt8], Value) -> Void) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for value in values {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            appendOne(&self, value)
        }
        append(UInt8(ascii: "]"))
    }
}
