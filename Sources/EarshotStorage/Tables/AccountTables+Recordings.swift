import EarshotCore
import EarshotModel
import GRDB

/// The table `recording`, except for what the writer does with it in the transaction of a message.
extension AccountTables: RecordingStore {
    func keep(_ recording: RecordedMedia) async throws(AdapterFailure) -> RecordedMedia {
        let media = recording.content.media
        try await rows.save(
            recording,
            "INSERT INTO recording (conversation, media, scan, account, at, bytes, is_clip, body) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, media) DO NOTHING",
            [
                recording.conversation.rawValue, media.rawValue, recording.scan.rawValue, recording.account?.rawValue,
                recording.at?.milliseconds, recording.content.sizeBytes,
                recording.account.map { recording.conversation == .clips(of: $0) } ?? false,
            ])
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

    func conversation(of media: MediaID) async throws(AdapterFailure) -> ConversationID? {
        try await rows.read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT conversation FROM recording WHERE media = ?"),
                arguments: [media.rawValue]
            ).map(ConversationID.init(trusted:))
        }
    }

    func recordings(waitingForScanAfter media: MediaID?, limit: Int) async throws(AdapterFailure)
        -> [RecordedMedia]
    {
        try await rows.values(
            in: "recording",
            "SELECT conversation, body FROM recording WHERE scan = 'pending' AND media > ? ORDER BY media LIMIT ?",
            [media?.rawValue ?? "", max(0, limit)])
    }

    func unsentRecordings(finishedBefore limit: Timestamp, after last: RecordedMedia?, count: Int)
        async throws(AdapterFailure) -> [RecordedMedia]
    {
        try await rows.values(
            in: "recording",
            "SELECT conversation, body FROM recording WHERE sent IS NULL AND at < ? AND (at, media) > (?, ?) "
                + "AND \(Self.isUnnamed) "
                + "ORDER BY at, media LIMIT ?",
            [
                limit.milliseconds, last?.at?.milliseconds ?? Int64.min, last?.content.media.rawValue ?? "",
                max(0, count),
            ])
    }

    func removeUnsent(_ media: MediaID, in conversation: ConversationID) async throws(AdapterFailure) -> Bool {
        let key: StatementArguments = [conversation.rawValue, media.rawValue]
        try await rows.write { db in
            try db.cachedStatement(
                sql: "DELETE FROM recording WHERE conversation = ? AND media = ? AND sent IS NULL AND \(Self.isUnnamed)"
            ).execute(arguments: key)
        }
        return try await recording(media, in: conversation) == nil
    }

    func recordedBytes(of account: AccountID) async throws(AdapterFailure) -> Int {
        try await rows.read { db in
            try Int.fetchOne(
                db.cachedStatement(sql: "SELECT bytes FROM recorded WHERE account = ?"), arguments: [account.rawValue])
                ?? 0
        }
    }

    /// That no canned reply names the recording, in the settings or in a version that can be restored. Replies name a
    /// clip by its id, which is random and occurs in no other text.
    private static let isUnnamed = """
        (is_clip = 0 OR NOT (
            EXISTS (SELECT 1 FROM contact_centre c
                WHERE c.account = recording.account AND c.section = 'canned' AND instr(c.body, recording.media) > 0)
            OR EXISTS (SELECT 1 FROM contact_centre_revision r
                WHERE r.account = recording.account AND r.section = 'canned'
                    AND (instr(r.before, recording.media) > 0 OR instr(r.after, recording.media) > 0))))
        """
}
