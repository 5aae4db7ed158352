/// Writes Opus packets as an Ogg file (RFC 3533, RFC 7845) in memory. Its only tag is our name: none of the sender's
/// metadata gets into it.
package struct OggOpusFile {
    /// The file so far; complete after `finish`.
    package private(set) var bytes: [UInt8] = []
    /// The number of samples so far at 48 kHz, including those that a player drops at the start.
    package private(set) var samples = 0
    private let preSkip: Int
    private var page = Page()
    private var sequence = 0
    /// The stream's serial number. Any number will do: there is one stream in the file.
    private static let serial = 0x4561_7273
    private static let pageSamples = 48_000
    private static let maxSegments = 255

    private struct Page {
        var segments: [UInt8] = []
        var body: [UInt8] = []
        var samples = 0
    }

    private enum Mark {
        static let first: UInt8 = 2
        static let last: UInt8 = 4
    }

    /// A file whose first `preSkip` samples a player drops.
    package init(preSkip: Int) {
        self.preSkip = preSkip
        put(OpusHead.mono(preSkip: preSkip), 0)
        flush(Mark.first)
        put(Array("OpusTags".utf8) + LittleEndian.bytes(7, 4) + Array("Earshot".utf8) + LittleEndian.bytes(0, 4), 0)
        flush(0)
    }

    /// Adds a packet of `more` samples. A page ends about every second, so that a player can seek.
    package mutating func add(_ packet: [UInt8], samples more: Int) {
        if !page.segments.isEmpty,
            page.samples >= Self.pageSamples || page.segments.count + packet.count / 255 + 1 > Self.maxSegments
        {
            flush(0)
        }
        put(packet, more)
    }

    /// Writes the last page. A player drops the last `trim` samples.
    package mutating func finish(trim: Int) {
        samples -= min(max(trim, 0), max(0, samples - preSkip))
        flush(Mark.last)
    }

    /// The duration that a player shows, in milliseconds.
    package var durationMs: UInt32 { UInt32(clamping: (max(0, samples - preSkip) + 24) / 48) }

    private mutating func put(_ packet: [UInt8], _ more: Int) {
        page.segments += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        page.body += packet
        page.samples += more
        samples += more
    }

    private mutating func flush(_ mark: UInt8) {
        var made = Array("OggS".utf8) + [0, mark] + LittleEndian.bytes(samples, 8) + LittleEndian.bytes(Self.serial, 4)
        made += LittleEndian.bytes(sequence, 4) + [0, 0, 0, 0, UInt8(page.segments.count)] + page.segments + page.body
        made.replaceSubrange(22..<26, with: LittleEndian.bytes(Int(OggChecksum.of(made)), 4))
        bytes += made
        sequence += 1
        page = Page()
    }
}

/// The CRC-32 of Ogg: polynomial 0x04C11DB7, not reflected, initial value 0.
enum OggChecksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in value >> 31 == 1 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { sum, byte in sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
    }
}
