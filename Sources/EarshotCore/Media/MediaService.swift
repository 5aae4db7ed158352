import EarshotDomain
public import EarshotModel

/// Recordings: uploading while someone speaks, finishing, throwing away. Playing is in `MediaService+Playing`, the scanner's word in `MediaService+Scanning`,
/// what is spoken once for many conversations in `MediaService+Clips`.
public struct MediaService: Sendable {
    let uploads: any RecordingUploads
    let accounts: any AccountStore
    let store: any ConversationStore
    let access: ConversationAccess
    let settings: SettingsService
    let now: @Sendable () -> Timestamp

    public init(
        uploads: any RecordingUploads, accounts: any AccountStore, store: any ConversationStore,
        settings: SettingsService, environment: SystemEnvironment
    ) {
        self.uploads = uploads
        self.accounts = accounts
        self.store = store
        access = ConversationAccess(store: store)
        self.settings = settings
        self.now = environment.now
    }

    public func begin(_ draft: DraftID, in conversation: ConversationID, as caller: Caller) async throws -> UploadStatus
    {
        try await begin(draft, at: access.open(conversation, as: caller).id, as: caller)
    }

    /// Opens an upload at a place that the caller may use.
    func begin(_ draft: DraftID, at place: ConversationID, as caller: Caller) async throws -> UploadStatus {
        let view = try await settings.view(for: caller)
        try view.checkAudio()
        return try await uploads.begin(
            UploadRequest(
                conversation: place, draft: draft, author: caller.author, limitMs: view.audio.limitMs, at: now()))
    }

    public func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, as caller: Caller) async throws -> Int {
        try await settings.checkAudio(for: caller)
        return try await uploads.append(bytes, at: offset, to: upload, by: caller.author)
    }

    public func status(of upload: UploadID, as caller: Caller) async throws -> UploadStatus {
        try await uploads.status(of: upload, by: caller.author)
    }

    /// Ends the upload and remembers the recording, so that a message can carry it.
    public func finish(_ upload: UploadID, bytes: Int, as caller: Caller) async throws -> AudioContent {
        try await settings.checkAudio(for: caller)
        let finished: FinishedUpload
        do {
            finished = try await uploads.finish(upload, bytes: bytes, by: caller.author)
        } catch let rejection as Rejection where rejection.code == .audioBlocked {
            try await accounts.record(blocked(MediaID(trusted: upload.rawValue), in: nil, of: caller.account))
            throw rejection
        }
        return try await accounts.keep(
            RecordedMedia(finished, author: caller.author, account: caller.account, at: now())
        ).message
    }

    public func abort(_ upload: UploadID, as caller: Caller) async throws {
        try await uploads.abort(upload, by: caller.author)
    }
}

extension RecordedMedia {
    init(_ finished: FinishedUpload, author: String, account: AccountID, at: Timestamp) {
        self.init(
            content: finished.content, conversation: finished.conversation, author: author, sha256: finished.sha256,
            container: finished.container,
            account: account, at: at, scan: finished.scan)
    }
}
