/// The header of one MP3 frame: MPEG 1, 2 or 2.5, layer III.
struct MP3Frame {
    /// The length of the whole frame in bytes.
    let length: Int
    /// Samples per second.
    let rate: Int
    /// The number of samples of one channel.
    let samples: Int
    /// The length of the header and the side information after it, which depends on version and channels.
    let sideInformationEnd: Int

    private static let rates = [[11025, 12000, 8000], [], [22050, 24000, 16000], [44100, 48000, 32000]]
    private static let bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    /// Reads the frame header at `offset`; `nil` if there is none.
    init?(_ view: ByteView, at offset: Int) {
        guard view.has(4, at: offset), view[offset] == 0xFF, view[offset + 1] & 0xE6 == 0xE2 else { return nil }
        let version = Int(view[offset + 1] >> 3 & 3)
        let rateIndex = Int(view[offset + 2] >> 2 & 3)
        let bits = Int(view[offset + 2] >> 4)
        guard version != 1, rateIndex < 3, bits > 0, bits < 15 else { return nil }
        let kilobits = version == 3 ? Self.bitRates1[bits] : Self.bitRates2[bits]
        let factor = version == 3 ? 144_000 : 72_000
        rate = Self.rates[version][rateIndex]
        length = factor * kilobits / rate + Int(view[offset + 2] >> 1 & 1)
        samples = version == 3 ? 1152 : 576
        let isMono = view[offset + 3] >> 6 == 3
        sideInformationEnd = 4 + (version == 3 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    }

    /// Whether the file consists of frames with tags before and after them. A last frame that is cut off is allowed:
    /// encoders and recorders produce that, and it loses 26 ms.
    static func isWhole(_ view: ByteView) -> Bool {
        guard var offset = start(of: view) else { return false }
        while offset < view.count, let frame = MP3Frame(view, at: offset) { offset += frame.length }
        return isTail(view, from: offset)
    }

    /// The offset after the ID3v2 tags and the room that tag editors leave after them, which is where the first frame
    /// is; `nil` if a tag is cut off.
    static func start(of view: ByteView) -> Int? {
        guard var offset = skippingTags(view) else { return nil }
        while offset < view.count, view[offset] == 0 { offset += 1 }
        return offset
    }

    /// The offset after the ID3v2 tags; `nil` if one is cut off.
    private static func skippingTags(_ view: ByteView) -> Int? {
        var offset = 0
        while view.starts(with: "ID3", at: offset) {
            guard view.has(10, at: offset) else { return nil }
            let length = (6..<10).reduce(0) { $0 << 7 | Int(view[offset + $1] & 0x7F) }
            let footer = view[offset + 5] & 0x10 != 0 ? 10 : 0
            guard view.has(10 + length + footer, at: offset) else { return nil }
            offset += 10 + length + footer
        }
        return offset
    }

    /// Whether the rest may follow the last frame: nothing, a cut header, zeros, ID3v1, APE or lyrics tags.
    private static func isTail(_ view: ByteView, from offset: Int) -> Bool {
        if view.count - offset < 4 || view.starts(with: "APETAGEX", at: offset)
            || view.starts(with: "LYRICSBEGIN", at: offset)
        {
            return true
        }
        if view.starts(with: "TAG", at: offset) { return view.count - offset <= 128 }
        return (offset..<view.count).allSatisfy { view[$0] == 0 }
    }
}
