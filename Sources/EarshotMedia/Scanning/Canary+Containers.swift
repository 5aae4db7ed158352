/// The shortest valid file of each container, with `note` where such a file may carry any bytes.
extension Canary {
    /// EBML header, a segment of unknown size, and the note in a Void element.
    static func webm(_ note: [UInt8]) -> [UInt8] {
        [
            0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0xf7, 0x81, 1, 0x42, 0xf2, 0x81, 4, 0x42, 0xf3,
            0x81, 8, 0x42, 0x82, 0x84,
        ]
            + Array("webm".utf8) + [0x42, 0x87, 0x81, 4, 0x42, 0x85, 0x81, 2, 0x18, 0x53, 0x80, 0x67, 1]
            + [UInt8](repeating: 0xff, count: 7)
            + [0xec, 0x40 | UInt8(truncatingIfNeeded: note.count >> 8), UInt8(truncatingIfNeeded: note.count)] + note
    }

    /// The two head pages of an Ogg/Opus file, with the note as the encoder's name.
    static func ogg(_ note: [UInt8]) -> [UInt8] {
        let head = Array("OpusHead".utf8) + [1, 1, 0, 0] + little(48_000, 4) + [0, 0, 0]
        let tags = Array("OpusTags".utf8) + little(note.count, 4) + note + little(0, 4)
        return oggPage(head, kind: 2, number: 0) + oggPage(tags, kind: 0, number: 1)
    }

    /// `ftyp`, and the note in a `free` box: M4A and 3GP are the same but for their brand.
    static func mp4(_ brand: String, _ note: [UInt8]) -> [UInt8] {
        box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array(brand.utf8) + Array("isom".utf8)) + box("free", note)
            + box("mdat", [0, 0, 0, 0])
    }

    /// An ID3v2.3 tag with the note in a text frame, then silent frames of 128 kbit/s.
    static func taggedMP3(_ note: [UInt8]) -> [UInt8] {
        let frame = Array("TENC".utf8) + big(note.count + 1, 4) + [0, 0, 0] + note
        return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(frame.count >> 7), UInt8(frame.count & 0x7f)] + frame
            + mp3Frame([]) + mp3Frame([])
    }

    static func bareMP3(_ note: [UInt8]) -> [UInt8] {
        mp3Frame([]) + mp3Frame(note) + mp3Frame([])
    }

    /// 8 kHz, 16 bit, mono; the note among the samples.
    static func wav(_ note: [UInt8]) -> [UInt8] {
        let samples = [UInt8](repeating: 0, count: 64) + note + [UInt8](repeating: 0, count: 64)
        let format = little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(format.count, 4)
            + format
            + Array("data".utf8) + little(samples.count, 4) + samples
    }

    /// One frame without audio, then the note.
    static func amr(_ magic: String, _ note: [UInt8]) -> [UInt8] {
        Array(magic.utf8) + [0x3c] + [UInt8](repeating: 0, count: 31) + note
    }

    /// A description of 8 kHz PCM, the note in a `free` chunk, no audio.
    static func caf(_ note: [UInt8]) -> [UInt8] {
        let rate: [UInt8] = [0x40, 0xbf, 0x40, 0, 0, 0, 0, 0]
        let format = rate + Array("lpcm".utf8) + big(0, 4) + big(2, 4) + big(1, 4) + big(1, 4) + big(16, 4)
        return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(format.count, 8) + format
            + Array("free".utf8) + big(note.count, 8) + note
            + Array("data".utf8) + big(4, 8) + big(0, 4)
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(8 + content.count, 4) + Array(name.utf8) + content
    }

    /// MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes.
    private static func mp3Frame(_ content: [UInt8]) -> [UInt8] {
        [0xff, 0xfb, 0x90, 0x00] + [UInt8](repeating: 0, count: 32) + content
            + [UInt8](repeating: 0, count: 417 - 36 - content.count)
    }

    private static func oggPage(_ packet: [UInt8], kind: UInt8, number: Int) -> [UInt8] {
        let head = Array("OggS".utf8) + [0, kind] + little(0, 8) + little(0x4541_5253, 4) + little(number, 4)
        let lacing: [UInt8] = [1, UInt8(packet.count)]
        return head + little(oggChecksum(head + little(0, 4) + lacing + packet), 4) + lacing + packet
    }

    /// The CRC-32 of Ogg: polynomial 04c11db7, not reflected, initial value 0.
    private static func oggChecksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = 0
        for byte in bytes {
            value ^= UInt32(byte) << 24
            for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04c1_1db7 : value << 1 }
        }
        return Int(value)
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        little(value, count).reversed()
    }
}
