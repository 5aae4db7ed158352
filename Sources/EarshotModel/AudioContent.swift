/// A voice message as everyone sees it from the first moment. Every figure comes from the decoded samples, by the server; no client is believed.
public struct AudioContent: Hashable, Codable, Sendable {
    public let media: MediaID
    /// Length of the decoded sound in milliseconds.
    public let durationMs: Int
    /// The peak of each of 64 equal spans, 0 to 100.
    public let waveform: [Int]
    /// Size of what was uploaded, in bytes.
    public let sizeBytes: Int

    public static let waveformSpans = 64
    public static let waveformPeak = 100

    public init(media: MediaID, durationMs: Int, waveform: [Int], sizeBytes: Int) {
        self.media = media
        self.durationMs = durationMs
        self.waveform = waveform
        self.sizeBytes = sizeBytes
    }

    private enum CodingKeys: String, CodingKey {
        case media
        case durationMs = "ms"
        case waveform = "wave"
        case sizeBytes = "bytes"
    }
}
