public import EarshotCore
public import EarshotModel
import EarshotWorkerProtocol

extension MediaStore {
    /// WhatsApp shows a voice message of at most so much with its play button; a larger one is a download.
    public static let mostOggBytes = 512 * 1024
    /// A remux may be a packet longer than what was decoded.
    private static let slackMs = 1_000

    /// The MP3 is there; the others are made when they are first asked for, and kept.
    public func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?
    {
        guard let record = try await record(of: UploadID(trusted: media.rawValue)), record.conversation == conversation
        else { return nil }
        let path = "\(folders.media(media.rawValue))/voice.\(rendition.rawValue)"
        return try await Self.guarded {
            if let order = Self.order(rendition, of: record, keepsPackets: try await isScannedWhole(media)) {
                try await renditions.make(path, of: Upload.original(in: folders.media(media.rawValue)), order)
            }
            guard let size = try await BlockingPool.run({ Folders.size(of: path) }) else { return nil }
            return MediaFile(
                path: path, size: size,
                etag: rendition == .mp3 ? media.rawValue : "\(media.rawValue)-\(rendition.rawValue)")
        }
    }

    /// The sender's own packets are passed on only where a scanner found them clean: what nobody scanned reaches others only as our own encoding.
    private static func order(_ rendition: Rendition, of record: RecordedMedia, keepsPackets: Bool) -> WorkerOrder? {
        let limit = UInt32(clamping: record.content.durationMs + slackMs)
        return switch rendition {
        case .mp3: nil
        case .ogg:
            WorkerOrder(keepsPackets ? .oggKeepingPackets : .ogg, limitMs: limit, mostBytes: UInt32(mostOggBytes))
        case .m4a: WorkerOrder(.m4a, limitMs: limit)
        }
    }
}
