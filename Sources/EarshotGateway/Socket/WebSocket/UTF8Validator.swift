/// Validates UTF-8 in pieces cut anywhere (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
struct UTF8Validator: Hashable, Sendable {
    /// Continuation bytes still to come.
    private var pending: UInt8 = 0
    /// The bounds of the next continuation byte: they are narrower for the first after a lead byte.
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xbf

    /// Whether what was read so far ends between two characters.
    var isBetweenCharacters: Bool { pending == 0 }

    /// - Returns: whether this can still be UTF-8.
    mutating func accept(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if pending == 0 { index = Self.skipASCII(bytes, from: index) }
            guard index < bytes.count else { return true }
            guard accept(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard pending == 0 else {
            guard byte >= lower, byte <= upper else { return false }
            (pending, lower, upper) = (pending - 1, 0x80, 0xbf)
            return true
        }
        switch byte {
        case 0x00...0x7f: break
        case 0xc2...0xdf: pending = 1
        case 0xe0: (pending, lower) = (2, 0xa0)
        case 0xed: (pending, upper) = (2, 0x9f)
        case 0xe1...0xec, 0xee, 0xef: pending = 2
        case 0xf0: (pending, lower) = (3, 0x90)
        case 0xf1...0xf3: pending = 3
        case 0xf4: (pending, upper) = (3, 0x8f)
        default: return false
        }
        return true
    }

    /// Eight bytes at a time while none has its high bit.
    private static func skipASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 8 <= bytes.count,
            raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { index += 8 }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
