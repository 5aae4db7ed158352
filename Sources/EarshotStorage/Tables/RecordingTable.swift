import EarshotCore
import EarshotModel
import GRDB

/// The table `recording`, except for what the writer does with it in the transaction of a message.
struct RecordingTable {
    private let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }

    func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia {
        let media = recording.content.media
        try await rows.save(
            recording,
            "INSERT INTO recording (conversation, media, scan, body) VALUES (?, ?, ?, ?) "
                + "ON CONFLICT (conversation, media) DO NOTHING",
            [recording.conversation.rawValue, media.rawValue, recording.scan.rawValue])
        guard let kept = try await self.recording(media, in: recording.conversation) else {
            throw AdapterFailure("a recording was not kept", isRetryable: true)
        }
        return kept
    }

    func recording(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure)
        -> RecordedMedia?
    {
        try await rows.value(
            in: "recording", id: "\(conversation)/\(media)",
            "SELECT body FROM recording WHERE conversation = ? AND media = ?",
            [conversation.rawValue, media.rawValue])
    }

    func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure)
        -> [RecordedMedia]
    {
        try await rows.values(
            in: "recording",
            "SELECT conversation, body FROM recording WHERE scan = 'pending' AND media > ? ORDER BY media LIMIT ?",
            [media?.rawValue ?? "", max(0, limit)])
    }
}
