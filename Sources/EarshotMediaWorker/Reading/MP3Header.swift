/// The first frame of an MP3, which tells players its exact duration: "Info" with the number of frames and bytes, and
/// LAME's extension with the samples to drop at both ends. Without it a player includes the silence that the encoder
/// adds.
///
/// Layout: gabriel.mp3-tech.org/mp3infotag.html. It is as long as any frame, so a placeholder is written first and
/// replaced at the end.
struct MP3Header {
    private let frame: [UInt8]
    /// The offset after the frame header and the side information of a mono MPEG-2 frame.
    private static let tagAt = 13
    private static let encoder = "LAME3.100"
    /// The delay of every decoder (528 samples) plus one.
    private static let decoderDelay = 529

    /// A header with the format and length of the MP3's first frame; all frames are alike.
    init(like first: [UInt8]) {
        frame = Array(first.prefix(4)) + [UInt8](repeating: 0, count: max(0, first.count - 4))
    }

    /// A header without numbers, to reserve its place.
    var placeholder: [UInt8] { filled(frames: 0, bytes: 0, delay: 0, padding: 0) }

    /// The final header. `frames` and `bytes` count the MP3 without this header; `delay` is the encoder's; `samples` is
    /// the duration.
    func complete(frames: Int, bytes: Int, samplesPerFrame: Int, delay: Int, samples: Int) -> [UInt8] {
        let front = max(0, delay - Self.decoderDelay)
        return filled(
            frames: frames, bytes: bytes + frame.count, delay: front,
            padding: max(0, frames * samplesPerFrame - front - samples))
    }

    private func filled(frames: Int, bytes: Int, delay: Int, padding: Int) -> [UInt8] {
        var tag = Array("Info".utf8) + big(3, 4) + big(frames, 4) + big(bytes, 4)
        tag += Array(Self.encoder.utf8) + [0x01, 0] + [UInt8](repeating: 0, count: 8)
        tag +=
            [0, UInt8(AudioEncoder.Format.mp3.bitRate / 1000)] + big(min(delay, 0xFFF) << 12 | min(padding, 0xFFF), 3)
        tag += [0, 0, 0, 0] + big(bytes, 4) + [0, 0]
        var whole = frame
        guard whole.count >= Self.tagAt + tag.count + 2 else { return frame }
        whole.replaceSubrange(Self.tagAt..<Self.tagAt + tag.count, with: tag)
        whole.replaceSubrange(
            Self.tagAt + tag.count..<Self.tagAt + tag.count + 2,
            with: big(checksum(whole[..<(Self.tagAt + tag.count)]), 2))
        return whole
    }

    /// The CRC-16 of LAME (polynomial 0x8005, reflected).
    private func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(
            bytes.reduce(UInt16(0)) { sum, byte in
                (0..<8).reduce(sum ^ UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
            })
    }

    private func big(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
    }
}
