/// Bytes of a untrusted, read with every index checked in release builds too (`UnsafeRawBufferPointer` checks only in debug builds).
package struct ByteView {
    private let bytes: UnsafeRawBufferPointer
    package let count: Int

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        count = bytes.count
    }

    /// One byte. It ends the process to ask behind the end: ask `has` first.
    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "behind the recording's end")
        return bytes[index]
    }

    /// Whether `length` bytes stand at `offset`.
    package func has(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= count && length <= count - offset
    }

    package func starts(with text: String, at offset: Int) -> Bool {
        has(text.utf8.count, at: offset) && zip(text.utf8, offset...).allSatisfy { self[$1] == $0 }
    }

    package func starts(with part: [UInt8], at offset: Int) -> Bool {
        has(part.count, at: offset) && zip(part, offset...).allSatisfy { self[$1] == $0 }
    }

    /// A part of it, whose bytes count from 0 again.
    package func part(_ length: Int, at offset: Int) -> ByteView {
        precondition(has(length, at: offset), "behind the recording's end")
        return ByteView(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
    }

    /// A copy.
    package var copy: [UInt8] { Array(bytes) }

    /// A number, the most significant byte first. At most 8 bytes.
    package func big(_ length: Int, at offset: Int) -> UInt64 {
        (offset..<offset + length).reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }

    /// A number, the least significant byte first. At most 8 bytes.
    package func little(_ length: Int, at offset: Int) -> UInt64 {
        (offset..<offset + length).reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
