import EarshotDomain
public import EarshotModel

/// A recording to be played or kept.
public struct RecordingFile: Hashable, Sendable {
    public let file: MediaFile
    /// What container the original came in, by its bytes: `webm`, `ogg`, `mp4` …; a rendition's is its own.
    public let container: String
    /// When it was recorded: a download is named after it.
    public let at: Timestamp
}

extension MediaService {
    /// What a player gets. A download is noted: an audit entry, before a byte of it goes out.
    public func rendition(
        _ rendition: Rendition, of media: MediaID, in conversation: ConversationID, isNoted: Bool, as caller: Caller
    ) async throws -> RecordingFile {
        let recording = try await playable(media, in: conversation, as: caller)
        guard let file = try await uploads.rendition(rendition, of: media, in: recording.conversation) else {
            throw Rejection.notFound
        }
        if isNoted { try await note(recording, rendition.rawValue, by: caller) }
        return RecordingFile(file: file, container: rendition.rawValue, at: recording.at ?? now())
    }

    /// What was uploaded, byte for byte, always noted where it goes out: only what the scanner let through, or what the brand hands out unscanned.
    public func original(of media: MediaID, in conversation: ConversationID, isNoted: Bool, as caller: Caller)
        async throws -> RecordingFile
    {
        let recording = try await playable(media, in: conversation, as: caller)
        let allowsUnscanned = try await settings.settings(of: caller.account).audio.originals
        guard recording.scan == .clean || (recording.scan == .unscanned && allowsUnscanned) else {
            throw Rejection(
                .originalRefused, "Nobody scanned this recording, and the brand does not hand out what was not scanned."
            )
        }
        guard let file = try await uploads.original(of: media, in: recording.conversation) else {
            throw Rejection.notFound
        }
        if isNoted { try await note(recording, "original", by: caller) }
        return RecordingFile(file: file, container: recording.container, at: recording.at ?? now())
    }

    /// Passes the conversation's gate and the scanner's.
    private func playable(_ media: MediaID, in conversation: ConversationID, as caller: Caller) async throws
        -> RecordedMedia
    {
        let open = try await access.open(conversation, as: caller)
        guard let recording = try await accounts.recording(media, in: open.id) else { throw Rejection.notFound }
        if open.viewer == .consumer, !recording.exists(forConsumer: caller.author) { throw Rejection.notFound }
        switch recording.scan {
        case .clean, .unscanned: return recording
        case .blocked: throw Rejection(.audioBlocked, "This voice message held something harmful.")
        case .pending, .failed:
            guard recording.author == caller.author else {
                throw Rejection(.audioPending, "This voice message is being checked.")
            }
            return recording
        }
    }

    private func note(_ recording: RecordedMedia, _ format: String, by caller: Caller) async throws {
        try await accounts.record(
            AuditEntry(
                account: caller.account, at: now(), by: caller.author, what: .audioDownloaded,
                conversation: recording.conversation,
                media: recording.content.media, detail: format))
    }
}
