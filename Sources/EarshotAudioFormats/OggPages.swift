/// The pages of an Ogg file (RFC 3533). A recording from a tab that was killed has no last-page flag: it is complete if
/// it ends where a page ends.
enum OggPages {
    private static let headerBytes = 27
    private static let segmentCountAt = 26

    static func isWhole(_ view: ByteView) -> Bool {
        var offset = 0
        while offset < view.count {
            // Some recorders fill the file up with zeros.
            if offset > 0, view[offset] == 0 { return (offset..<view.count).allSatisfy { view[$0] == 0 } }
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
