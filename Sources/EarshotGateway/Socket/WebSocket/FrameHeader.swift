import NIOCore

/// The header of a client's frame, checked as far as possible without the other frames (RFC 6455 section 5.2).
struct FrameHeader: Hashable {
    enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xa

        var isControl: Bool { rawValue >= 0x8 }
    }

    /// The result of reading a header.
    enum Reading: Hashable {
        case header(FrameHeader)
        case incomplete
        case violation(CloseCode)
    }

    /// What the first byte says.
    private struct Start {
        let opcode: Opcode
        let isFinal: Bool
    }

    static let controlPayloadMaximum = 125
    static let maskBytes = 4

    let opcode: Opcode
    let isFinal: Bool
    let length: Int
    /// Bytes of the header itself, mask included.
    let size: Int

    /// Reads the header from the readable bytes and consumes nothing. A violation is returned as soon as it is visible.
    static func read(_ input: ByteBuffer, limit: Int) -> Reading {
        guard let first = input.getInteger(at: input.readerIndex, as: UInt8.self) else { return .incomplete }
        guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0f) else { return .violation(.protocolError) }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { return .violation(.protocolError) }
        guard let second = input.getInteger(at: input.readerIndex + 1, as: UInt8.self) else { return .incomplete }
        guard second & 0x80 != 0 else { return .violation(.protocolError) }
        let start = Start(opcode: opcode, isFinal: isFinal)
        switch second & 0x7f {
        case 126:
            guard !opcode.isControl else { return .violation(.protocolError) }
            return extended(UInt16.self, after: start, in: input, limit: limit, over: UInt64(controlPayloadMaximum))
        case 127:
            guard !opcode.isControl else { return .violation(.protocolError) }
            return extended(UInt64.self, after: start, in: input, limit: limit, over: UInt64(UInt16.max))
        case let length:
            return .header(FrameHeader(opcode: opcode, isFinal: isFinal, length: Int(length), size: 2 + maskBytes))
        }
    }

    /// Reads a longer length, which must be in the shortest form that holds it.
    private static func extended<Length: FixedWidthInteger & UnsignedInteger>(
        _: Length.Type, after start: Start, in input: ByteBuffer, limit: Int, over minimum: UInt64
    ) -> Reading {
        guard let length = input.getInteger(at: input.readerIndex + 2, as: Length.self) else { return .incomplete }
        guard UInt64(length) > minimum, UInt64(length) <= UInt64(Int64.max) else { return .violation(.protocolError) }
        guard UInt64(length) <= UInt64(limit) else { return .violation(.tooBig) }
        let size = 2 + MemoryLayout<Length>.size + maskBytes
        return .header(
            FrameHeader(opcode: start.opcode, isFinal: start.isFinal, length: Int(length), size: size))
    }
}
