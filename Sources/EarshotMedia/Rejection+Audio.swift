import EarshotModel
import EarshotWorkerProtocol

extension Rejection {
    static let storageFull = Rejection(.storageFull, "There is no room left for recordings. Try again later.")
    static let audioFailed = Rejection(.audioFailed, "This recording could not be read. Try again.")
    static let audioBlocked = Rejection(
        .audioBlocked, "The virus scanner found something harmful in this recording. Nothing of it was kept.")
    static let audioEmpty = Rejection(.audioEmpty, "There is nothing in this recording.")
    static let audioTooLarge = Rejection(.audioTooLarge, "This recording is too large.", limit: Limits.audioBytes)
    static let uploadFinished = Rejection(.uploadFinished, "This recording is already finished.")

    /// What is wrong with a recording.
    static func audio(_ failure: WorkerFailure, limitMs: Int) -> Rejection {
        switch failure {
        case .notAudio:
            Rejection(
                .notAudio, "This is not a recording that Earshot reads: WebM, Ogg, MP4, 3GP, CAF, AMR, MP3 or WAV.")
        case .empty: .audioEmpty
        case .tooLong: Rejection(.audioTooLong, "This recording is too long.", limit: limitMs)
        case .damaged: Rejection(.audioDamaged, "This recording is damaged or was cut off.")
        case .tooLarge: .audioTooLarge
        case .broken: .audioFailed
        }
    }
}
