import EarshotWorkerProtocol

extension AudioContainer {
    /// The one demuxer that is opened.
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

    /// An MP4 may have what is needed first at its end, a CAF too.
    var jumps: Bool { self == .mp4 || self == .caf }
}
