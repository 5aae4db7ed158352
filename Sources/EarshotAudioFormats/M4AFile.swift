/// Writes AAC frames as an M4A file (ISO 14496-12 and 14496-14). The index comes first, so that the file plays while it
/// downloads. It has no tags.
package struct M4AFile {
    private let rate: Int
    private let frameSamples: Int
    private var sizes: [Int] = []
    private var body: [UInt8] = []
    /// Constants of the ES descriptor and of the boxes.
    private static let mpeg4Audio: UInt8 = 0x40
    private static let audioStream: UInt8 = 0x15
    private static let undetermined = 0x55C4

    /// An empty file for frames of `frameSamples` samples at `rate` samples per second.
    package init(rate: Int, frameSamples: Int) {
        self.rate = rate
        self.frameSamples = frameSamples
    }

    /// Adds one AAC frame.
    package mutating func add(_ frame: [UInt8]) {
        sizes.append(frame.count)
        body += frame
    }

    /// The bytes of the file. `config` is the AudioSpecificConfig; a player drops the first `priming` samples and plays
    /// `samples`.
    package func complete(config: [UInt8], priming: Int, samples: Int) -> [UInt8] {
        let type = Box.make("ftyp", Array("M4A ".utf8) + Box.number(0) + Array("M4A mp42isom".utf8))
        let draft = index(config, priming, samples, offset: 0)
        let whole = index(config, priming, samples, offset: type.count + draft.count + Box.headerBytes)
        return type + whole + Box.make("mdat", body)
    }

    private func index(_ config: [UInt8], _ priming: Int, _ samples: Int, offset: Int) -> [UInt8] {
        let times = Box.number(0) + Box.number(0) + Box.number(rate) + Box.number(samples)
        let head = Box.full(
            "mvhd",
            times + Box.number(0x0001_0000) + [1, 0] + Box.zeros(10) + Box.matrix + Box.zeros(24) + Box.number(2))
        return Box.make("moov", head + track(config, priming, samples, offset))
    }

    private func track(_ config: [UInt8], _ priming: Int, _ samples: Int, _ offset: Int) -> [UInt8] {
        let shown = Box.number(0) + Box.number(0) + Box.number(1) + Box.number(0) + Box.number(samples)
        let head = Box.full("tkhd", flags: 7, shown + Box.zeros(12) + [1, 0, 0, 0] + Box.matrix + Box.zeros(8))
        let list = Box.full("elst", Box.number(1) + Box.number(samples) + Box.number(priming) + Box.number(0x0001_0000))
        return Box.make("trak", head + Box.make("edts", list) + media(config, offset))
    }

    private func media(_ config: [UInt8], _ offset: Int) -> [UInt8] {
        let times = Box.number(0) + Box.number(0) + Box.number(rate) + Box.number(sizes.count * frameSamples)
        let head = Box.full("mdhd", times + Box.number(Self.undetermined << 16))
        let handler = Box.full("hdlr", Box.zeros(4) + Array("soun".utf8) + Box.zeros(13))
        let here = Box.full("dref", Box.number(1) + Box.full("url ", flags: 1, []))
        let information = Box.full("smhd", Box.zeros(4)) + Box.make("dinf", here) + table(config, offset)
        return Box.make("mdia", head + handler + Box.make("minf", information))
    }

    /// The sample table, with all frames in one chunk.
    private func table(_ config: [UInt8], _ offset: Int) -> [UInt8] {
        let times = Box.full("stts", Box.number(1) + Box.number(sizes.count) + Box.number(frameSamples))
        let chunks = Box.full("stsc", Box.number(1) + Box.number(1) + Box.number(sizes.count) + Box.number(1))
        let lengths = Box.full("stsz", Box.number(0) + Box.number(sizes.count) + sizes.flatMap { Box.number($0) })
        let places = Box.full("stco", Box.number(1) + Box.number(offset))
        return Box.make(
            "stbl", Box.full("stsd", Box.number(1) + audioEntry(config)) + times + chunks + lengths + places)
    }

    private func audioEntry(_ config: [UInt8]) -> [UInt8] {
        let bits = sizes.isEmpty ? 0 : body.count * 8 * rate / (sizes.count * frameSamples)
        let decoder =
            [Self.mpeg4Audio, Self.audioStream, 0, 0x18, 0] + Box.number(bits) + Box.number(bits)
            + Box.descriptor(5, config)
        let stream = [0, 1, 0] + Box.descriptor(4, decoder) + Box.descriptor(6, [2])
        let format = Box.zeros(6) + [0, 1] + Box.zeros(8) + [0, 1, 0, 16] + Box.zeros(4) + Box.number(rate << 16)
        return Box.make("mp4a", format + Box.full("esds", Box.descriptor(3, stream)))
    }
}

/// Writes the boxes of an MP4 file.
private enum Box {
    static let headerBytes = 8
    static let matrix = number(0x0001_0000) + zeros(12) + number(0x0001_0000) + zeros(12) + number(0x4000_0000)

    static func make(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + headerBytes) + Array(name.utf8) + content
    }

    static func full(_ name: String, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        make(name, [0, 0, 0, flags] + content)
    }

    /// A descriptor with at most 127 bytes of content.
    static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, UInt8(content.count & 0x7F)] + content
    }

    static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
    }

    static func zeros(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: count)
    }
}
