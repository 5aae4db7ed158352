/// One Opus packet (RFC 6716, section 3): its duration, and its bytes without padding.
///
/// Padding can carry arbitrary bytes that are never played, so it is removed.
package struct OpusPacket {
    /// The number of samples at 48 kHz.
    package let samples: Int
    /// The packet without padding.
    package let bytes: [UInt8]

    private static let maxFrameBytes = 1275
    private static let maxSamples = 5760
    private static let silk = [480, 960, 1920, 2880]
    private static let celt = [120, 240, 480, 960]

    /// Reads a packet; `nil` if it breaks a rule of section 3.4.
    package init?(_ view: ByteView) {
        guard view.has(1, at: 0) else { return nil }
        let frame = Self.frameSamples(config: Int(view[0] >> 3))
        let made: (frames: Int, bytes: [UInt8])?
        switch view[0] & 3 {
        case 0: made = view.count - 1 <= Self.maxFrameBytes ? (1, view.copy) : nil
        case 1:
            made =
                (view.count - 1).isMultiple(of: 2) && (view.count - 1) / 2 <= Self.maxFrameBytes ? (2, view.copy) : nil
        case 2: made = Self.isTwoDifferent(view) ? (2, view.copy) : nil
        default: made = Self.many(view)
        }
        guard let made, made.frames * frame <= Self.maxSamples else { return nil }
        samples = made.frames * frame
        bytes = made.bytes
    }

    private static func frameSamples(config: Int) -> Int {
        if config < 12 { return silk[config & 3] }
        return config < 16 ? silk[config & 1] : celt[config & 3]
    }

    private static func isTwoDifferent(_ view: ByteView) -> Bool {
        guard let first = length(view, at: 1) else { return false }
        let rest = view.count - 1 - first.size - first.value
        return rest >= 0 && rest <= maxFrameBytes
    }

    /// Reads a packet of several frames (code 3), of equal or different lengths, with or without padding.
    private static func many(_ view: ByteView) -> (frames: Int, bytes: [UInt8])? {
        guard view.has(2, at: 0) else { return nil }
        let frames = Int(view[1] & 0x3F)
        var (start, end) = (2, view.count)
        if view[1] & 0x40 != 0 {
            guard let padding = paddingLength(view, &start) else { return nil }
            end -= padding
        }
        guard frames > 0, end >= start else { return nil }
        let isVariable = view[1] & 0x80 != 0
        guard isVariable ? haveDifferentLengths(view, frames, start, end) : haveEqualLengths(frames, end - start) else {
            return nil
        }
        return (frames, [view[0], view[1] & ~0x40] + view.part(end - start, at: start).copy)
    }

    private static func haveEqualLengths(_ frames: Int, _ length: Int) -> Bool {
        length.isMultiple(of: frames) && length / frames <= maxFrameBytes
    }

    private static func haveDifferentLengths(_ view: ByteView, _ frames: Int, _ start: Int, _ end: Int) -> Bool {
        var (at, rest) = (start, end - start)
        for _ in 1..<frames {
            guard let next = length(view, at: at) else { return false }
            at += next.size
            rest -= next.size + next.value
        }
        return rest >= 0 && rest <= maxFrameBytes
    }

    private static func paddingLength(_ view: ByteView, _ at: inout Int) -> Int? {
        var sum = 0
        while view.has(1, at: at) {
            let byte = Int(view[at])
            at += 1
            if byte < 255 { return sum + byte }
            sum += 254
        }
        return nil
    }

    /// Reads a frame's length of one or two bytes.
    private static func length(_ view: ByteView, at offset: Int) -> (value: Int, size: Int)? {
        guard view.has(1, at: offset) else { return nil }
        let first = Int(view[offset])
        if first < 252 { return (first, 1) }
        return view.has(2, at: offset) ? (Int(view[offset + 1]) * 4 + first, 2) : nil
    }
}
