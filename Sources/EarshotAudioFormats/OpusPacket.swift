/// One Opus packet (RFC 6716, section 3): how long it sounds, and its bytes without padding.
///
/// Padding is where a packet can carry anything without being played, so none is ever passed on.
package struct OpusPacket {
    /// At 48 kHz.
    package let samples: Int
    package let bytes: [UInt8]

    private static let mostFrameBytes = 1275
    private static let mostSamples = 5760
    private static let silk = [480, 960, 1920, 2880]
    private static let celt = [120, 240, 480, 960]

    /// `nil` where the rules of section 3.4 are broken.
    package init?(_ view: ByteView) {
        guard view.has(1, at: 0) else { return nil }
        let frame = Self.frameSamples(config: Int(view[0] >> 3))
        let made: (frames: Int, bytes: [UInt8])?
        switch view[0] & 3 {
        case 0: made = view.count - 1 <= Self.mostFrameBytes ? (1, view.copy) : nil
        case 1:
            made =
                (view.count - 1).isMultiple(of: 2) && (view.count - 1) / 2 <= Self.mostFrameBytes ? (2, view.copy) : nil
        case 2: made = Self.twoUnlike(view) ? (2, view.copy) : nil
        default: made = Self.many(view)
        }
        guard let made, made.frames * frame <= Self.mostSamples else { return nil }
        samples = made.frames * frame
        bytes = made.bytes
    }

    private static func frameSamples(config: Int) -> Int {
        if config < 12 { return silk[config & 3] }
        return config < 16 ? silk[config & 1] : celt[config & 3]
    }

    private static func twoUnlike(_ view: ByteView) -> Bool {
        guard let first = length(view, at: 1) else { return false }
        let rest = view.count - 1 - first.size - first.value
        return rest >= 0 && rest <= mostFrameBytes
    }

    /// Any number of frames, of the same or of different lengths, perhaps with padding.
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
        guard isVariable ? areUnlike(view, frames, start, end) : areAlike(frames, end - start) else { return nil }
        return (frames, [view[0], view[1] & ~0x40] + view.part(end - start, at: start).copy)
    }

    private static func areAlike(_ frames: Int, _ length: Int) -> Bool {
        length.isMultiple(of: frames) && length / frames <= mostFrameBytes
    }

    private static func areUnlike(_ view: ByteView, _ frames: Int, _ start: Int, _ end: Int) -> Bool {
        var (at, rest) = (start, end - start)
        for _ in 1..<frames {
            guard let next = length(view, at: at) else { return false }
            at += next.size
            rest -= next.size + next.value
        }
        return rest >= 0 && rest <= mostFrameBytes
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

    /// A frame's length in one or two bytes.
    private static func length(_ view: ByteView, at offset: Int) -> (value: Int, size: Int)? {
        guard view.has(1, at: offset) else { return nil }
        let first = Int(view[offset])
        if first < 252 { return (first, 1) }
        return view.has(2, at: offset) ? (Int(view[offset + 1]) * 4 + first, 2) : nil
    }
}
