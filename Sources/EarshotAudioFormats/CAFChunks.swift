/// The chunks of a CAF file (Apple's Core Audio Format): four letters, eight bytes of size, content. Only the audio
/// itself may have an unknown size: it extends to the end of the file then.
enum CAFChunks {
    private static let headerBytes = 8
    private static let chunkHeaderBytes = 12
    private static let unknown = UInt64.max

    static func isWhole(_ view: ByteView) -> Bool {
        guard view.starts(with: "caff", at: 0), view.starts(with: "desc", at: headerBytes) else { return false }
        var offset = headerBytes
        var hasAudio = false
        while offset < view.count {
            guard view.has(chunkHeaderBytes, at: offset) else { return false }
            let isAudio = view.starts(with: "data", at: offset)
            let length = view.big(8, at: offset + 4)
            if length == unknown { return isAudio }
            guard length <= UInt64(Int32.max), view.has(Int(length), at: offset + chunkHeaderBytes) else {
                return false
            }
            hasAudio = hasAudio || isAudio
            offset += chunkHeaderBytes + Int(length)
        }
        return hasAudio
    }
}
