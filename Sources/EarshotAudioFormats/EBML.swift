/// The structure of WebM (RFC 8794): elements in elements, each with id, size and content.
///
/// A live recording from a browser has a Segment and Clusters of unknown size and ends after its last block; that is
/// complete. An element whose size exceeds the file was cut off.
enum EBML {
    static let header: UInt64 = 0x1A45_DFA3
    private static let segment: UInt64 = 0x1853_8067
    private static let cluster: UInt64 = 0x1F43_B675

    static func isWhole(_ view: ByteView) -> Bool {
        guard let head = Element(view, at: 0), head.id == header, let headEnd = head.end, view.has(0, at: headEnd)
        else { return false }
        guard let body = Element(view, at: headEnd), body.id == segment else { return false }
        if let end = body.end, end != view.count { return false }
        return walk(view, from: body.content)
    }

    /// Visits the Segment's children and the children of Clusters of unknown size, which follow on the same level.
    private static func walk(_ view: ByteView, from start: Int) -> Bool {
        var offset = start
        while offset < view.count {
            guard let element = Element(view, at: offset) else { return false }
            if let end = element.end {
                guard view.has(0, at: end) else { return false }
                offset = end
            } else {
                guard element.id == cluster else { return false }
                offset = element.content
            }
        }
        return true
    }

    /// The id and the extent of one element.
    private struct Element {
        let id: UInt64
        let content: Int
        /// `nil` if its size is unknown.
        let end: Int?

        init?(_ view: ByteView, at offset: Int) {
            guard let id = EBML.number(view, at: offset, longest: 4, keepsMarker: true) else { return nil }
            guard let size = EBML.number(view, at: offset + id.length, longest: 8, keepsMarker: false) else {
                return nil
            }
            self.id = id.value
            content = offset + id.length + size.length
            let isUnknown = size.value == (1 << UInt64(7 * size.length)) - 1
            guard isUnknown || size.value <= UInt64(Int32.max) else { return nil }
            end = isUnknown ? nil : content + Int(size.value)
        }
    }

    /// Reads a number whose first byte says how long it is; `nil` if it is cut off or too long.
    private static func number(_ view: ByteView, at offset: Int, longest: Int, keepsMarker: Bool) -> (
        value: UInt64, length: Int
    )? {
        guard view.has(1, at: offset) else { return nil }
        let length = view[offset].leadingZeroBitCount + 1
        guard length <= longest, view.has(length, at: offset) else { return nil }
        let raw = view.big(length, at: offset)
        return (keepsMarker ? raw : raw & ((1 << UInt64(7 * length)) - 1), length)
    }
}
