import EarshotCore
import EarshotModel
import FoundationEssentials

/// A file with these bytes, gone with its owner.
final class SoundFile: Sendable {
    let file: MediaFile

    init(bytes: [UInt8]) throws {
        let path = FileManager.default.temporaryDirectory.path + "/earshot-test-" + UUID().uuidString + ".mp3"
        try Data(bytes).write(to: URL(filePath: path))
        file = MediaFile(path: path, size: bytes.count, etag: "tag-\(bytes.count)")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: file.path)
    }
}

extension RecordedMedia {
    /// The recording `sound` of this consumer, made on 21 November 2025 at 20:40 UTC and sent.
    static func sound(
        of owner: ConsumerWelcome, scan: ScanState = .clean, container: String = "webm", sent: Int? = 1
    ) -> RecordedMedia {
        RecordedMedia(
            content: AudioContent(media: MediaID(trusted: "sound"), durationMs: 1000, waveform: [], sizeBytes: 3),
            conversation: owner.conversation,
            author: owner.consumer.rawValue, sha256: [], container: container, account: owner.account.id,
            at: Timestamp(milliseconds: 1_763_757_600_000), scan: scan, sent: sent)
    }
}
