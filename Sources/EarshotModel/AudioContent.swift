/// A voice message as its participants get it. The server computes every figure from the decoded samples and ignores
/// what clients claim.
public struct AudioContent: Hashable, Codable, Sendable {
    /// The id under which clients fetch the recording.
    public let media: MediaID
    /// Length of the decoded sound, in milliseconds.
    public let durationMs: Int
    /// The peak of each of 64 equal spans, 0 to 100.
    public let waveform: [Int]
    /// Size of the uploaded file, in bytes.
    public let sizeBytes: Int
    /// Integrated loudness by EBU R128, in tenths of LUFS. `nil` for silence, and if it was not measured.
    public let loudness: Int?
    /// Set while the message waits for the scanner: until its `scanned` event, only its author can play it. `nil`
    /// otherwise.
    public let scan: Scan?

    /// The scan state of a voice message.
    public enum Scan: String, Hashable, Codable, Sendable {
        /// The scanner has not returned its verdict.
        case pending
    }

    /// How many spans a waveform has.
    public static let waveformSpans = 64
    /// The value of the loudest possible peak in a waveform.
    public static let waveformPeak = 100

    /// Makes a voice message's content from measured figures. `scan` is `.pending` only if the scanner has yet to
    /// answer.
    public init(
        media: MediaID, durationMs: Int, waveform: [Int], sizeBytes: Int, loudness: Int? = nil, scan: Scan? = nil
    ) {
        self.media = media
        self.durationMs = durationMs
        self.waveform = waveform
        self.sizeBytes = sizeBytes
        self.loudness = loudness
        self.scan = scan
    }

    /// The same recording with this scan state.
    public func with(scan: Scan?) -> AudioContent {
        AudioContent(
            media: media, durationMs: durationMs, waveform: waveform, sizeBytes: sizeBytes, loudness: loudness,
            scan: scan)
    }

    /// The same sound under another id.
    public func with(media: MediaID) -> AudioContent {
        AudioContent(
            media: media, durationMs: durationMs, waveform: waveform, sizeBytes: sizeBytes, loudness: loudness,
            scan: scan)
    }
}
