import EarshotModel
import NIOCore

/// Parses a client's bytes into messages and enforces RFC 6455 strictly: NIOWebSocket alone accepts unmasked frames,
/// reserved bits, reserved opcodes, invalid UTF-8 and invalid close codes.
///
/// Pure: no channel, no clock. After a close or a violation it reads nothing more.
struct FrameParser {
    enum Output: Hashable {
        /// A whole text message; it is in the payload.
        case text
        /// A ping; the bytes to send back are in the payload.
        case ping
        case pong
        /// The peer closes, with its code where it sent one.
        case close(CloseCode?)
        /// The peer broke the rules: close with this code.
        case violation(CloseCode)
    }

    private var isOver = false
    /// The start of a message of several frames.
    private var assembly: [UInt8]?
    private var fragments = 0
    private var validator = UTF8Validator()

    /// Parses the next message or control frame of `input`; `nil` where it is incomplete. Consumes what it parsed.
    mutating func next(from input: inout ByteBuffer, payload: inout [UInt8]) -> Output? {
        guard !isOver else {
            input.moveReaderIndex(to: input.writerIndex)
            return nil
        }
        while true {
            switch FrameHeader.read(input, limit: Limits.frameBytes - (assembly?.count ?? 0)) {
            case .incomplete: return nil
            case .violation(let code): return fail(code)
            case .header(let header):
                if let code = misplaced(header) { return fail(code) }
                guard input.readableBytes >= header.size + header.length else { return nil }
                Self.unmask(&input, header, into: &payload)
                if let output = take(header, &payload) { return output }
            }
        }
    }

    /// The violation of a frame of this kind at this point in the sequence of frames.
    private func misplaced(_ header: FrameHeader) -> CloseCode? {
        switch header.opcode {
        case .continuation where assembly == nil: .protocolError
        case .continuation where fragments >= Limits.frameFragments: .policy
        case .continuation where header.length > Limits.frameBytes - (assembly?.count ?? 0): .tooBig
        case .text where assembly != nil, .binary where assembly != nil: .protocolError
        case .binary: .unsupportedData
        default: nil
        }
    }

    /// - Returns: `nil` where the frame is a part of a message whose rest is still to come.
    private mutating func take(_ header: FrameHeader, _ payload: inout [UInt8]) -> Output? {
        switch header.opcode {
        case .ping: .ping
        case .pong: .pong
        case .close: close(payload)
        case .text where header.isFinal: isText(payload, isLast: true) ? .text : fail(.notUTF8)
        case .text, .continuation, .binary: fragment(header, &payload)
        }
    }

    private mutating func fragment(_ header: FrameHeader, _ payload: inout [UInt8]) -> Output? {
        guard isText(payload, isLast: header.isFinal) else { return fail(.notUTF8) }
        fragments += 1
        assembly = Self.joined(assembly.take(), payload)
        guard header.isFinal else { return nil }
        payload = assembly ?? []
        assembly = nil
        fragments = 0
        return .text
    }

    private static func joined(_ start: consuming [UInt8]?, _ rest: [UInt8]) -> [UInt8] {
        var whole = start ?? []
        whole.append(contentsOf: rest)
        return whole
    }

    private mutating func isText(_ bytes: [UInt8], isLast: Bool) -> Bool {
        guard bytes.withUnsafeBufferPointer({ validator.accept($0) }) else { return false }
        return !isLast || validator.isBetweenCharacters
    }

    /// RFC 6455 section 5.5.1: no body, or two bytes of code and a reason in UTF-8.
    private mutating func close(_ payload: [UInt8]) -> Output {
        guard !payload.isEmpty else { return end(.close(nil)) }
        guard payload.count >= 2 else { return fail(.protocolError) }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { return fail(.protocolError) }
        var reason = UTF8Validator()
        let isText =
            payload.withUnsafeBufferPointer { reason.accept(UnsafeBufferPointer(rebasing: $0[2...])) }
            && reason.isBetweenCharacters
        return isText ? end(.close(code)) : fail(.notUTF8)
    }

    private mutating func fail(_ code: CloseCode) -> Output { end(.violation(code)) }

    private mutating func end(_ output: Output) -> Output {
        isOver = true
        assembly = nil
        return output
    }

    private static func unmask(_ input: inout ByteBuffer, _ header: FrameHeader, into payload: inout [UInt8]) {
        input.moveReaderIndex(forwardBy: header.size - FrameHeader.maskBytes)
        let mask = input.readInteger(endianness: .little, as: UInt32.self) ?? 0
        payload.removeAll(keepingCapacity: true)
        payload.reserveCapacity(header.length)
        input.withUnsafeReadableBytes { bytes in
            for index in 0..<header.length {
                payload.append(bytes[index] ^ UInt8(truncatingIfNeeded: mask >> UInt32((index & 3) * 8)))
            }
        }
        input.moveReaderIndex(forwardBy: header.length)
    }
}
