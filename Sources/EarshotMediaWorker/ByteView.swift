/// Bytes of a stranger, read with every index checked in release builds too (`UnsafeRawBufferPointer` checks only in debug builds).
struct ByteView {
    private let bytes: UnsafeRawBufferPointer
    let count: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        count = bytes.count
    }

    subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "behind the recording's end")
        return bytes[index]
    }

    /// Whether `length` bytes stand at `offset`.
    func has(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= count && length <= count - offset
    }

    func starts(with text: String, at offset: Int) -> Bool {
        has(text.utf8.count, at: offset) && zip(text.utf8, offset...).allSatisfy { self[$1] == $0 }
    }

    /// A number, the most significant byte first. At most 8 bytes.
    func big(_ length: Int, at offset: Int) -> UInt64 {
        (offset..<offset + length).reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }

    /// A number, the least significant byte first. At most 8 bytes.
    func little(_ length: Int, at offset: Int) -> UInt64 {
        (offset..<offset + length).reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
