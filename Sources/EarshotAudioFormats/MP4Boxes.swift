/// The top-level boxes of MP4, M4A and 3GP (ISO 14496-12).
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

    /// The length of the box at `offset`; `nil` if there is no valid box header.
    static func length(_ view: ByteView, at offset: Int) -> Int? {
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
