/// Small whole numbers in few bytes (LEB128): what the state row keeps of marks and of unanswered messages.
enum PackedNumbers {
    static func encode(_ numbers: some Sequence<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers {
            var rest = UInt64(max(0, number))
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return bytes
    }

    /// `nil` where the bytes end inside a number or a number is too large.
    static func decode(_ bytes: [UInt8]) -> [Int]? {
        var numbers: [Int] = []
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            guard shift < 63 else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            guard let number = Int(exactly: value) else { return nil }
            numbers.append(number)
            (value, shift) = (0, 0)
        }
        return shift == 0 ? numbers : nil
    }
}
