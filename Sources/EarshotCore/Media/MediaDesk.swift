public import EarshotModel

/// Recordings: uploading while someone speaks, finishing, throwing away, playing.
public struct MediaDesk: Sendable {
    private let uploads: any RecordingUploads
    private let accounts: any AccountStore
    private let access: ConversationAccess
    private let now: @Sendable () -> Timestamp

    public init(uploads: any RecordingUploads, accounts: any AccountStore, access: ConversationAccess, surroundings: Surroundings) {
        self.uploads = uploads
        self.accounts = accounts
        self.access = access
        self.now = surroundings.now
    }

    public func begin(_ draft: DraftID, in conversation: ConversationID, as caller: Caller) async throws -> UploadStatus {
        let open = try await access.open(conversation, as: caller)
        guard let account = try await accounts.account(caller.account) else { throw Rejection.notFound }
        return try await uploads.begin(
            UploadRequest(conversation: open.id, draft: draft, author: caller.author, limitMs: account.audioLimitMs, at: now()))
    }

    public func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, as caller: Caller) async throws -> Int {
        try await uploads.append(bytes, at: offset, to: upload, by: caller.author)
    }

    public func status(of upload: UploadID, as caller: Caller) async throws -> UploadStatus {
        try await uploads.status(of: upload, by: caller.author)
    }

    /// Ends the upload and remembers the recording, so that a message can carry it.
    public func finish(_ upload: UploadID, bytes: Int, as caller: Caller) async throws -> AudioContent {
        let finished = try await uploads.finish(upload, bytes: bytes, by: caller.author)
        try await accounts.save(
            RecordedMedia(
                content: finished.content, conversation: finished.conversation, author: caller.author, sha256: finished.sha256,
                container: finished.container))
        return finished.content
    }

    public func abort(_ upload: UploadID, as caller: Caller) async throws {
        try await uploads.abort(upload, by: caller.author)
    }

    /// What a player gets.
    public func mp3(of media: MediaID, in conversation: ConversationID, as caller: Caller) async throws -> MediaFile {
        let open = try await access.open(conversation, as: caller)
        guard let file = try await uploads.mp3(of: media, in: open.id) else { throw Rejection.notFound }
        return file
    }
}
