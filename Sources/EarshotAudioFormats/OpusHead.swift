/// The identification header of an Opus stream (RFC 7845, section 5.1).
package struct OpusHead {
    /// How many samples at 48 kHz a player drops at the start.
    package let preSkip: Int
    /// Whether the packets may be passed on as they are: one stream of one or two channels, without output gain.
    package let isPlain: Bool

    private static let bytes = 19

    /// Reads a header; `nil` if it is invalid. A stream without a header (as in CAF) starts with its first sample.
    package init?(_ view: ByteView) {
        guard view.count > 0 else {
            (preSkip, isPlain) = (0, true)
            return
        }
        guard view.starts(with: "OpusHead", at: 0), view.has(Self.bytes, at: 0) else { return nil }
        preSkip = Int(view.little(2, at: 10))
        isPlain = view[8] >> 4 == 0 && (1...2).contains(view[9]) && view.little(2, at: 16) == 0 && view[18] == 0
    }

    /// A header for one channel. Decoders mix packets of two channels down to it.
    static func mono(preSkip: Int) -> [UInt8] {
        Array("OpusHead".utf8) + [1, 1] + LittleEndian.bytes(preSkip, 2) + LittleEndian.bytes(48_000, 4) + [0, 0, 0]
    }
}

enum LittleEndian {
    static func bytes(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
