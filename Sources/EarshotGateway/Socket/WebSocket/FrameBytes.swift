import NIOCore

/// Frames from the server: never masked, never fragmented (RFC 6455 section 5.1).
extension ByteBuffer {
    mutating func writeFrame(_ opcode: FrameHeader.Opcode, _ payload: [UInt8]) {
        writeInteger(0x80 | opcode.rawValue)
        switch payload.count {
        case ...FrameHeader.controlPayloadMaximum: writeInteger(UInt8(payload.count))
        case ...Int(UInt16.max):
            writeInteger(UInt8(126))
            writeInteger(UInt16(payload.count))
        default:
            writeInteger(UInt8(127))
            writeInteger(UInt64(payload.count))
        }
        writeBytes(payload)
    }

    mutating func writeClose(_ code: CloseCode?) {
        writeFrame(.close, code.map { [UInt8($0.rawValue >> 8), UInt8($0.rawValue & 0xff)] } ?? [])
    }
}
