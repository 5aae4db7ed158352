/// A voice message as everyone sees it from the first moment. Every figure comes from the decoded samples, by the
/// server; no client is believed.
public struct AudioContent: Hashable, Codable, Sendable {
    public let media: MediaID
    /// Length of the decoded sound in milliseconds.
    public let durationMs: Int
    /// The peak of each of 64 equal spans, 0 to 100.
    public let waveform: [Int]
    /// Size of what was uploaded, in bytes.
    public let sizeBytes: Int
    /// Integrated loudness by EBU R128, in tenths of LUFS. `nil` for silence, and where nobody measured it.
    public let loudness: Int?
    /// Given where the message waits for the scanner: until its `scanned` event only its author can play it.
    public let scan: Scan?

    /// What a voice message may say of the scanner.
    public enum Scan: String, Hashable, Codable, Sendable {
        case pending
    }

    public static let waveformSpans = 64
    public static let waveformPeak = 100

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

    /// The same recording, in this state of scanning.
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

    private enum CodingKeys: String, CodingKey {
        case media
        case durationMs = "ms"
        case waveform = "wave"
        case sizeBytes = "bytes"
        case loudness = "loud"
        case scan
    }
}
