/// AMR without a container (RFC 4867, section 5): a magic, then frames of 20 ms, each with one byte that names its
/// format and then its bits.
package enum AMRFormat: Sendable {
    /// Narrow band: 8 kHz.
    case narrow
    /// Wide band: 16 kHz.
    case wide

    /// The length of a frame by its format, including the first byte; 0 if there is no such format in a file. The
    /// formats after speech are comfort noise, a lost frame (wide band only) and no data.
    private static let narrowLengths = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
    private static let wideLengths = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

    /// The first bytes of the file.
    package var magic: String { self == .narrow ? "#!AMR\n" : "#!AMR-WB\n" }

    /// Samples per second.
    package var rate: Int32 { self == .narrow ? 8_000 : 16_000 }

    /// The number of samples in one frame.
    package var frameSamples: Int32 { rate / 50 }

    /// Reads the first byte of a frame: the length of the frame, and whether it holds speech. `nil` if no frame begins
    /// with this byte.
    package func frame(_ head: UInt8) -> (length: Int, isSpeech: Bool)? {
        let format = Int(head >> 3 & 0xF)
        let length = self == .narrow ? Self.narrowLengths[format] : Self.wideLengths[format]
        return length > 0 ? (length, format < (self == .narrow ? 8 : 9)) : nil
    }

    /// Whether the file consists of complete frames, to the last byte.
    static func isWhole(_ view: ByteView) -> Bool {
        let format: AMRFormat = view.starts(with: AMRFormat.narrow.magic, at: 0) ? .narrow : .wide
        guard view.starts(with: format.magic, at: 0) else { return false }
        var offset = format.magic.utf8.count
        while offset < view.count {
            guard let frame = format.frame(view[offset]), view.has(frame.length, at: offset) else { return false }
            offset += frame.length
        }
        return true
    }
}
