/// What the first frame of an MP3 tells about the samples that its encoder added at both ends: the number of frames
/// ("Xing" or "Info") and the extension of LAME, which libav's encoder writes, too.
///
/// Layout: gabriel.mp3-tech.org/mp3infotag.html.
package struct LAMETag {
    /// How many samples before the recording a decoder puts out: those of the encoder, and its own delay.
    package let leading: Int
    /// How many samples after the recording a decoder puts out.
    package let trailing: Int
    /// How many samples the recording has.
    package let samples: Int
    /// Samples per second.
    package let rate: Int

    /// The delay of every decoder: 528 samples, and one.
    private static let decoderDelay = 529
    private static let encoders = ["LAME", "Lavf", "Lavc"]
    /// The members before the extension, by their flags: frames, bytes, table of contents, quality.
    private static let members = [4, 4, 100, 4]
    /// Where the delay is in the extension.
    private static let delayAt = 21

    /// Reads the tag of an MP3; `nil` if it has none, or if the numbers leave no recording.
    package init?(_ view: ByteView) {
        guard let start = MP3Frame.start(of: view), let frame = MP3Frame(view, at: start) else { return nil }
        let at = start + frame.sideInformationEnd
        guard view.starts(with: "Xing", at: at) || view.starts(with: "Info", at: at), view.has(12, at: at) else {
            return nil
        }
        let flags = view.big(4, at: at + 4)
        guard flags & 1 == 1 else { return nil }
        let extensionAt = Self.members.indices.reduce(at + 8) { end, index in
            flags >> index & 1 == 1 ? end + Self.members[index] : end
        }
        guard Self.encoders.contains(where: { view.starts(with: $0, at: extensionAt) }),
            view.has(3, at: extensionAt + Self.delayAt)
        else { return nil }
        let both = Int(view.big(3, at: extensionAt + Self.delayAt))
        let (delay, padding) = (both >> 12, both & 0xFFF)
        let all = Int(view.big(4, at: at + 8)) * frame.samples
        leading = delay + Self.decoderDelay
        trailing = max(0, padding - Self.decoderDelay)
        samples = all - leading - trailing
        rate = frame.rate
        guard samples > 0 else { return nil }
    }
}
