/// Ogg's pages (RFC 3533). A recording that a killed tab left has no last page flag; it is whole where a page ends.
enum OggPages {
    private static let headerBytes = 27
    private static let segmentCountAt = 26

    static func isWhole(_ view: ByteView) -> Bool {
        var offset = 0
        while offset < view.count {
            guard view.starts(with: "OggS", at: offset), view.has(headerBytes, at: offset) else { return false }
            let segments = Int(view[offset + segmentCountAt])
            let body = offset + headerBytes + segments
            guard view.has(0, at: body) else { return false }
            let length = (offset + headerBytes..<body).reduce(0) { $0 + Int(view[$1]) }
            guard view.has(length, at: body) else { return false }
            offset = body + length
        }
        return true
    }
}

/// The boxes of MP4 and M4A (ISO 14496-12), one behind the other.
enum MP4Boxes {
    static func isWhole(_ view: ByteView) -> Bool {
        var offset = 0
        var hasIndex = false
        var endsInFragment = false
        while offset < view.count {
            guard let length = length(view, at: offset), view.has(length, at: offset) else { return false }
            hasIndex = hasIndex || view.starts(with: "moov", at: offset + 4)
            endsInFragment = view.starts(with: "moof", at: offset + 4)
            offset += length
        }
        return hasIndex && !endsInFragment
    }

    private static func length(_ view: ByteView, at offset: Int) -> Int? {
        guard view.has(8, at: offset) else { return nil }
        switch view.big(4, at: offset) {
        case 0: return view.count - offset
        case 1:
            guard view.has(16, at: offset) else { return nil }
            let length = view.big(8, at: offset + 8)
            return length >= 16 && length <= UInt64(Int32.max) ? Int(length) : nil
        case let length: return length >= 8 ? Int(length) : nil
        }
    }
}

/// The chunks of a RIFF file. What was written to a pipe has a size of all ones: it goes on to the end.
enum WAVChunks {
    private static let unknown: UInt64 = 0xFFFF_FFFF
    private static let headerBytes = 12

    static func isWhole(_ view: ByteView) -> Bool {
        guard view.has(headerBytes, at: 0) else { return false }
        let riff = view.little(4, at: 4)
        guard riff == unknown || view.has(Int(riff), at: 8) else { return false }
        var offset = headerBytes
        while offset < view.count {
            guard view.has(8, at: offset) else { return false }
            let length = view.little(4, at: offset + 4)
            if length == unknown { return view.starts(with: "data", at: offset) }
            guard view.has(Int(length), at: offset + 8) else { return false }
            offset = min(offset + 8 + Int(length + length & 1), view.count)
        }
        return true
    }
}
