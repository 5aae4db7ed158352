import NIOCore

/// Puts a text in front of one that the build compressed, without compressing anything: in a gzip member (RFC 1952) the
/// text is a stored block (RFC 1951), and the blocks of the other follow.
enum GzipPrefix {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
    private static let trailerBytes = 8

    /// The member of both texts.
    /// - Parameters:
    ///   - compressed: `plain` as one gzip member without optional fields, as `gzip -n` writes it.
    /// - Returns: `nil` where `compressed` is another member, or the text is too long for a stored block.
    static func member(_ text: String, before compressed: ByteBuffer, of plain: ByteBuffer) -> ByteBuffer? {
        let (first, rest) = (Array(text.utf8), Array(compressed.readableBytesView))
        guard let length = UInt16(exactly: first.count), rest.count > header.count + trailerBytes,
            rest.prefix(4).elementsEqual(header.prefix(4))
        else { return nil }
        var member = ByteBuffer(bytes: header)
        member.writeInteger(UInt8(0))
        member.writeInteger(length, endianness: .little)
        member.writeInteger(~length, endianness: .little)
        member.writeBytes(first)
        member.writeBytes(rest[header.count..<rest.count - trailerBytes])
        member.writeInteger(checksum(of: first, plain.readableBytesView), endianness: .little)
        member.writeInteger(UInt32(truncatingIfNeeded: first.count + plain.readableBytes), endianness: .little)
        return member
    }

    /// The CRC-32 of both.
    private static func checksum(of first: [UInt8], _ second: ByteBufferView) -> UInt32 {
        var crc = ~UInt32(0)
        for bytes in [first, Array(second)] {
            for byte in bytes {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xedb8_8320) }
            }
        }
        return ~crc
    }
}
