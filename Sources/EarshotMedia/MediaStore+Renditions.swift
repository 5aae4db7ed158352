public import EarshotCore
public import EarshotModel
import EarshotWorkerProtocol

extension MediaStore {
    /// A form that is made when it is first asked for, and kept.
    public enum MadeForm: String, Sendable, CaseIterable {
        /// Opus in Ogg, of at most `mostOggBytes`.
        case ogg
        /// AAC in MP4.
        case m4a
    }

    /// WhatsApp shows a voice message of at most so much with its play button; a larger one is a download.
    public static let mostOggBytes = 512 * 1024
    /// A remux may be a packet longer than what was decoded.
    private static let slackMs = 1_000

    /// A recording in another form; `nil` where there is no such recording in that conversation.
    ///
    /// `keepsPackets`: whether an Ogg may carry the sender's own Opus packets. Only where a scanner found the recording clean: what nobody scanned
    /// reaches others only as our own encoding.
    public func made(_ form: MadeForm, of media: MediaID, in conversation: ConversationID, keepsPackets: Bool = false) async throws -> MediaFile? {
        guard let record = try await record(of: UploadID(trusted: media.rawValue)), record.conversation == conversation else { return nil }
        let limit = UInt32(clamping: record.content.durationMs + Self.slackMs)
        let order = switch form {
        case .ogg: WorkerOrder(keepsPackets ? .oggKeepingPackets : .ogg, limitMs: limit, mostBytes: UInt32(Self.mostOggBytes))
        case .m4a: WorkerOrder(.m4a, limitMs: limit)
        }
        let folder = folders.media(media.rawValue)
        return try await Self.guarded {
            let path = try await renditions.file("voice.\(form.rawValue)", in: folder, order)
            guard let size = try await Blocking.run({ Folders.size(of: path) }) else { return nil }
            return MediaFile(path: path, size: size, etag: "\(media.rawValue)-\(form.rawValue)")
        }
    }
}
