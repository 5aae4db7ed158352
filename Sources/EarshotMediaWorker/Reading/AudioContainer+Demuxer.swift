import EarshotWorkerProtocol

extension AudioContainer {
    /// The name of libav's demuxer for this container. No other is ever opened.
    var demuxer: String {
        switch self {
        case .webm: "matroska"
        case .ogg: "ogg"
        case .mp4: "mov"
        case .mp3: "mp3"
        case .wav: "wav"
        case .amr: "amr"
        case .caf: "caf"
        }
    }

    /// Whether the demuxer may seek: MP4 and CAF can have their index at the end.
    var isSeekable: Bool { self == .mp4 || self == .caf }
}
