@testable import EarshotGateway

/// Frames as a client sends them, and as no client should.
enum ClientBytes {
    static let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    /// - Parameter length: the length field as it shall stand there, instead of the right one.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0, isMasked: Bool = true,
        length: [UInt8]? = nil
    ) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        var field = length ?? Self.length(payload.count)
        field[0] |= isMasked ? 0x80 : 0
        bytes += field
        guard isMasked else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    static func text(_ text: String, isFinal: Bool = true) -> [UInt8] { frame(1, Array(text.utf8), isFinal: isFinal) }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 0xff)] + reason)
    }

    private static func length(_ count: Int) -> [UInt8] {
        switch count {
        case ...125: [UInt8(count)]
        case ...65_535: [126, UInt8(count >> 8), UInt8(count & 0xff)]
        default: [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        }
    }
}
