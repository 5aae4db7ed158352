/// The chunks of a RIFF file. In a file that was written to a pipe, a size of all ones means that the chunk extends to
/// the end.
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
