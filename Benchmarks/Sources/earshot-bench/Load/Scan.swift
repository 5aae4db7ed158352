import CLoad
import Glibc

/// Finds fields in the server's frames without decoding them: the load client must cost less than what it measures.
/// Only correct for texts that the load client itself chose.
struct Scan {
    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Moves to the byte after the next `mark`, if there is one.
    mutating func skip(to mark: StaticString) -> Bool {
        guard let base = bytes.baseAddress, position < bytes.count,
            let found = cload_find(base + position, bytes.count - position, mark.utf8Start, mark.utf8CodeUnitCount)
        else { return false }
        position = UnsafeRawPointer(found) - base + mark.utf8CodeUnitCount
        return true
    }

    /// The digits here, as a number.
    mutating func number() -> Int {
        var value = 0
        while position < bytes.count, case let digit = bytes[position], digit >= 0x30, digit <= 0x39 {
            value = value &* 10 &+ Int(digit &- 0x30)
            position += 1
        }
        return value
    }

    mutating func number(after mark: StaticString) -> Int? { skip(to: mark) ? number() : nil }

    /// The text from here to the next quote.
    mutating func string(after mark: StaticString) -> String? {
        guard skip(to: mark) else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Whether the bytes begin with `text`.
    func begins(with mark: StaticString) -> Bool {
        guard bytes.count >= mark.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return memcmp(base, mark.utf8Start, mark.utf8CodeUnitCount) == 0
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
