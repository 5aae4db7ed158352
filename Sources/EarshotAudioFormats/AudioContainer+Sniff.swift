package import EarshotWorkerProtocol

extension AudioContainer {
    /// How many bytes are enough to recognise a container.
    package static let sniffBytes = 12

    /// Recognises a container by its first bytes, never by a file name or an HTTP header; `nil` for everything else.
    /// libav is not asked to guess, because it also reads playlists that make it open other files.
    package init?(sniffing view: ByteView) {
        if view.has(4, at: 0), view.big(4, at: 0) == EBML.header {
            self = .webm
        } else if view.starts(with: "OggS", at: 0) {
            self = .ogg
        } else if view.starts(with: "ftyp", at: 4) {
            self = .mp4
        } else if view.starts(with: "RIFF", at: 0), view.starts(with: "WAVE", at: 8) {
            self = .wav
        } else if view.starts(with: AMRFormat.narrow.magic, at: 0) || view.starts(with: AMRFormat.wide.magic, at: 0) {
            self = .amr
        } else if view.starts(with: "caff", at: 0), view.starts(with: [0, 1], at: 4) {
            self = .caf
        } else if view.starts(with: "ID3", at: 0) || MP3Frame(view, at: 0) != nil {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Whether the recording ends where an element of its container ends.
    package func isWhole(_ view: ByteView) -> Bool {
        switch self {
        case .webm: EBML.isWhole(view)
        case .ogg: OggPages.isWhole(view)
        case .mp4: MP4Boxes.isWhole(view)
        case .mp3: MP3Frame.isWhole(view)
        case .wav: WAVChunks.isWhole(view)
        case .amr: AMRFormat.isWhole(view)
        case .caf: CAFChunks.isWhole(view)
        }
    }
}
