/// The chunks of a RIFF file. The recording is whole if its samples are: recorders state the size of the file wrongly,
/// and cut what follows the samples.
///
/// A recorder that writes to a pipe cannot know the size of the samples. It writes one that no file has (0, all ones,
/// 0x80000000, 0x7ffff000 …), and the samples extend to the end.
enum WAVChunks {
    private static let headerBytes = 12
    /// ffmpeg's and SoX's sizes for a stream begin here; a recording is never so large.
    private static let firstUnknown: UInt64 = 0x7FFF_0000

    static func isWhole(_ view: ByteView) -> Bool {
        guard view.has(headerBytes, at: 0) else { return false }
        var offset = headerBytes
        while view.has(8, at: offset) {
            let length = view.little(4, at: offset + 4)
            if view.starts(with: "data", at: offset) {
                return length == 0 || length >= firstUnknown || view.has(Int(length), at: offset + 8)
            }
            guard view.has(Int(length), at: offset + 8) else { return false }
            offset = min(offset + 8 + Int(length + length & 1), view.count)
        }
        return false
    }
}
