import EarshotModel
import EarshotWorkerProtocol

/// Why a recording is refused, in words for its sender.
extension Rejection {
    static let storageFull = Rejection(
        .storageFull, "The server has no room left for recordings. Try again later.")
    static let audioFailed = Rejection(.audioFailed, "This recording could not be processed. Try sending it again.")
    static let audioBlocked = Rejection(
        .audioBlocked, "The virus scanner found harmful content in this recording. It was deleted.")
    static let audioEmpty = Rejection(.audioEmpty, "This recording is empty. Record it again.")
    static let audioTooLarge = Rejection(.audioTooLarge, "This recording is too large.", limit: Limits.audioBytes)
    static let uploadMismatch = Rejection(
        .uploadMismatch, "These bytes differ from those that arrived before. Discard this recording and send it again.")
    static let digestMismatch = Rejection(
        .digestMismatch, "The recording was damaged in transit. Discard this recording and send it again.")
    static let uploadFinished = Rejection(.uploadFinished, "This recording is already finished.")

    /// The rejection for a worker's failure. `limitMs` is the longest recording that the account accepts.
    static func audio(_ failure: WorkerFailure, limitMs: Int) -> Rejection {
        switch failure {
        case .notAudio:
            Rejection(
                .notAudio,
                "This is not a supported audio file. Earshot accepts WebM, Ogg, MP4, 3GP, CAF, AMR, MP3 and WAV.")
        case .vorbis, .speex, .flac, .gsm, .adpcm:
            Rejection(
                .notAudio,
                "This recording is \(failure.codecName ?? "in a codec"), which Earshot does not read. "
                    + "Record as Opus, AAC, MP3, AMR or WAV.")
        case .unusual:
            Rejection(
                .notAudio, "This recording has more than 8 channels, or a sample rate outside 4 to 192 kHz.")
        case .empty: .audioEmpty
        case .tooLong: Rejection(.audioTooLong, "This recording is too long.", limit: limitMs)
        case .damaged: Rejection(.audioDamaged, "This recording is damaged or incomplete. Record it again.")
        case .tooLarge: .audioTooLarge
        case .broken: .audioFailed
        }
    }
}
