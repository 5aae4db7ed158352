/// A view of untrusted bytes whose indexes are checked in release builds too (`UnsafeRawBufferPointer` checks only in
/// debug builds).
package struct ByteView {
    private let bytes: UnsafeRawBufferPointer
    /// The number of bytes.
    package let count: Int

    /// A view of a buffer, which must outlive it.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        count = bytes.count
    }

    /// One byte. Reading past the end terminates the process: check with `has` first.
    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "read past the end of the recording; check `has` first")
        return bytes[index]
    }

    /// Whether there are `length` bytes at `offset`.
    package func has(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= count && length <= count - offset
    }

    /// Whether `text` is at `offset`.
    package func starts(with text: String, at offset: Int) -> Bool {
        has(text.utf8.count, at: offset) && zip(text.utf8, offset...).allSatisfy { self[$1] == $0 }
    }

    /// Whether the bytes of `part` are at `offset`.
    package func starts(with part: [UInt8], at offset: Int) -> Bool {
        has(part.count, at: offset) && zip(part, offset...).allSatisfy { self[$1] == $0 }
    }

    /// A part of the view. Its indexes begin at 0.
    package func part(_ length: Int, at offset: Int) -> ByteView {
        precondition(has(length, at: offset), "read past the end of the recording; check `has` first")
        return ByteView(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
    }

    /// A copy of the bytes.
    package var copy: [UInt8] { Array(bytes) }

    /// A big-endian number of at most 8 bytes.
    package func big(_ length: Int, at offset: Int) -> UInt64 {
        (offset..<offset + length).reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }

    /// A little-endian number of at most 8 bytes.
    package func little(_ length: Int, at offset: Int) -> UInt64 {
        (offset..<offset + length).reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
