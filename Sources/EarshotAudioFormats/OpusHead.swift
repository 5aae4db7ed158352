/// What stands in front of an Opus stream (RFC 7845, section 5.1).
package struct OpusHead {
    /// Samples at 48 kHz to drop at the start.
    package let preSkip: Int
    /// Whether a stream of one track, without gain of its own: what may be passed on as it is.
    package let isPlain: Bool

    private static let bytes = 19

    /// `nil` where it is none. A stream without a head (CAF has none) starts with its first sample.
    package init?(_ view: ByteView) {
        guard view.count > 0 else {
            (preSkip, isPlain) = (0, true)
            return
        }
        guard view.starts(with: "OpusHead", at: 0), view.has(Self.bytes, at: 0) else { return nil }
        preSkip = Int(view.little(2, at: 10))
        isPlain = view[8] >> 4 == 0 && (1...2).contains(view[9]) && view.little(2, at: 16) == 0 && view[18] == 0
    }

    /// A head for one channel. Packets of two are played as one through it: every decoder mixes them.
    static func mono(preSkip: Int) -> [UInt8] {
        Array("OpusHead".utf8) + [1, 1] + LittleEndian.bytes(preSkip, 2) + LittleEndian.bytes(48_000, 4) + [0, 0, 0]
    }
}

enum LittleEndian {
    static func bytes(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
