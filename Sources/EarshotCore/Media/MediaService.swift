import Crypto
import EarshotDomain
public import EarshotModel

/// Uploads, plays and scans recordings on behalf of callers, and manages the recorded clips of canned replies.
public struct MediaService: Sendable {
    private let files: any RecordingUploads & RecordingFiles
    private let recordings: any RecordingStore & AuditStore
    private let log: any ConversationLog
    private let access: ConversationAccess
    private let settings: SettingsService
    private let quota: UploadQuota
    private let now: @Sendable () -> Timestamp
    /// Removes recordings that nobody sent.
    public let cleanup: RecordingCleanup

    /// What recordings are kept in.
    struct Storage {
        let files: any RecordingUploads & RecordingFiles
        let recordings: any RecordingStore & AuditStore
        /// The log of the messages that carry them.
        let log: any ConversationStore
    }

    init(_ storage: Storage, settings: SettingsService, limits: UploadLimits, environment: SystemEnvironment) {
        files = storage.files
        recordings = storage.recordings
        log = storage.log
        access = ConversationAccess(conversations: storage.log)
        self.settings = settings
        quota = UploadQuota(limits)
        now = environment.now
        cleanup = RecordingCleanup(files: files, recordings: recordings, now: environment.now)
    }

    // MARK: Recording

    /// Opens the upload of a draft, or finds it.
    /// - Parameter address: the caller's network address, as limits name it.
    /// - Throws: `not_found`, `audio_off`, or a limit.
    public func begin(
        _ draft: DraftID, in conversation: ConversationID, as caller: Caller, from address: String?
    ) async throws -> UploadStatus {
        try await begin(draft, at: access.open(conversation, as: caller).id, as: caller, from: address)
    }

    /// Appends bytes to an upload.
    /// - Returns: how many bytes the server has now.
    /// - Throws: `digest_mismatch`, and keeps nothing, if the bytes do not have the stated hash.
    public func append(_ chunk: UploadChunk, to upload: UploadID, as caller: Caller) async throws -> Int {
        try await settings.checkAudio(for: caller)
        guard chunk.sha256.map({ $0 == Array(SHA256.hash(data: chunk.bytes)) }) ?? true else {
            throw Rejection(.digestMismatch, "The bytes were damaged in transit. Send them again.")
        }
        try quota.take(chunk.bytes.count, from: UploadSource(caller, address: chunk.address), at: now())
        return try await files.append(chunk.bytes, at: chunk.offset, to: upload, by: caller.author)
    }

    /// Lists the caller's uploads that are not finished, in the order in which they were begun.
    public func openUploads(as caller: Caller) async throws -> [OpenUpload] {
        try await files.openUploads(of: caller.author)
    }

    /// Returns the progress of an upload.
    public func status(of upload: UploadID, as caller: Caller) async throws -> UploadStatus {
        try await files.status(of: upload, by: caller.author)
    }

    /// Ends an upload and stores the recording's row, so that a message can carry it.
    public func finish(_ upload: UploadID, _ whole: WholeRecording, as caller: Caller) async throws
        -> FinishedRecording
    {
        try await settings.checkAudio(for: caller)
        let finished: FinishedUpload
        do {
            finished = try await files.finish(upload, whole, by: caller.author)
        } catch let rejection as Rejection where rejection.code == .audioBlocked {
            try await recordings.record(
                blockedEntry(MediaID(trusted: upload.rawValue), in: nil, of: caller.account))
            throw rejection
        }
        return FinishedRecording(
            content: try await keep(finished, as: caller), containerMs: finished.containerMs)
    }

    /// Removes an upload, also one that is finished or refused. Nothing of it remains.
    /// - Throws: `upload_sent` if a message carries the recording.
    public func abort(_ upload: UploadID, as caller: Caller) async throws {
        do {
            try await files.abort(upload, by: caller.author)
        } catch let rejection as Rejection where rejection.code == .uploadFinished {
            try await cleanup.remove(MediaID(trusted: upload.rawValue), by: caller.author)
        }
    }

    private func begin(
        _ draft: DraftID, at place: ConversationID, as caller: Caller, from address: String?
    ) async throws -> UploadStatus {
        let view = try await settings.view(for: caller)
        try view.checkAudio()
        let source = UploadSource(caller, address: address)
        try quota.take(0, from: source, at: now())
        try quota.checkStored(try await recordings.recordedBytes(of: caller.account))
        return try await files.begin(
            UploadRequest(
                conversation: place, draft: draft, author: caller.author, limitMs: view.audio.limitMs, at: now(),
                source: source))
    }

    private func keep(_ finished: FinishedUpload, as caller: Caller) async throws -> AudioContent {
        let kept = try await recordings.keep(
            RecordedMedia(
                content: finished.content, conversation: finished.conversation, author: caller.author,
                sha256: finished.sha256, container: finished.container, account: caller.account, at: now(),
                scan: finished.scan))
        try await files.confirm(finished.content.media)
        return kept.message
    }

    // MARK: Playing

    /// Finds a recording as one of the formats that the server encodes.
    /// - Parameter isNoted: whether to write an audit entry first, because the file is downloaded.
    public func rendition(
        _ rendition: Rendition, of media: MediaID, in conversation: ConversationID, isNoted: Bool, as caller: Caller
    ) async throws -> RecordingFile {
        let recording = try await playable(media, in: conversation, as: caller)
        guard let file = try await files.rendition(rendition, of: media, in: recording.conversation) else {
            throw Rejection.notFound
        }
        if isNoted { try await noteDownload(of: recording, rendition.rawValue, by: caller) }
        return RecordingFile(file: file, container: rendition.rawValue, at: recording.at ?? now())
    }

    /// Finds the uploaded file, byte for byte. Allowed if the scanner found it clean, or if the brand allows downloads
    /// of originals that were not scanned.
    /// - Parameter isNoted: whether to write an audit entry first.
    /// - Throws: `original_refused`.
    public func original(of media: MediaID, in conversation: ConversationID, isNoted: Bool, as caller: Caller)
        async throws -> RecordingFile
    {
        let recording = try await playable(media, in: conversation, as: caller)
        guard let file = try await originalFile(of: recording, in: caller.account) else { throw Rejection.notFound }
        if isNoted { try await noteDownload(of: recording, "original", by: caller) }
        return RecordingFile(file: file, container: recording.container, at: recording.at ?? now())
    }

    /// The uploaded file, where it may leave the server.
    /// - Throws: `original_refused`.
    private func originalFile(of recording: RecordedMedia, in account: AccountID) async throws -> MediaFile? {
        let allowsUnscanned = try await settings.settings(of: account).audio.originals
        guard recording.scan == .clean || (recording.scan == .unscanned && allowsUnscanned) else {
            throw Rejection(
                .originalRefused,
                "This recording was not scanned for malware, so its original cannot be downloaded. "
                    + "A manager can allow this in the settings.")
        }
        return try await files.original(of: recording.content.media, in: recording.conversation)
    }

    /// Finds everything that evidence of a conversation has of a recording. The caller has been allowed to export it.
    func evidence(of media: MediaID, in conversation: ConversationID, of account: AccountID) async throws
        -> RecordingEvidence
    {
        guard let row = try await recordings.recording(media, in: conversation) else {
            return RecordingEvidence(row: nil, files: [])
        }
        guard row.scan == .clean || row.scan == .unscanned else { return RecordingEvidence(row: row, files: []) }
        var found: [RecordingEvidence.File] = []
        let allowsUnscanned = try await settings.settings(of: account).audio.originals
        if row.scan == .clean || allowsUnscanned, let file = try await files.original(of: media, in: row.conversation) {
            found.append(RecordingEvidence.File(file: file, container: row.container, isOriginal: true))
        }
        for rendition in Rendition.allCases {
            guard let file = try await files.rendition(rendition, of: media, in: row.conversation) else { continue }
            found.append(RecordingEvidence.File(file: file, container: rendition.rawValue, isOriginal: false))
        }
        return RecordingEvidence(row: row, files: found)
    }

    /// Finds a recording that the caller may play: the conversation's gate first, then the scanner's.
    private func playable(_ media: MediaID, in conversation: ConversationID, as caller: Caller) async throws
        -> RecordedMedia
    {
        let open = try await access.open(conversation, as: caller)
        guard let recording = try await recordings.recording(media, in: open.id),
            recording.exists(for: caller.author, among: open.viewer)
        else { throw Rejection.notFound }
        try Self.checkScan(of: recording, isAuthor: recording.author == caller.author)
        return recording
    }

    private static func checkScan(of recording: RecordedMedia, isAuthor: Bool) throws(Rejection) {
        switch recording.scan {
        case .clean, .unscanned: return
        case .blocked: throw Rejection(.audioBlocked, "This voice message contained malware and was removed.")
        case .pending, .failed:
            guard isAuthor else {
                throw Rejection(.audioPending, "This voice message is being scanned. Try again in a moment.")
            }
        }
    }

    /// Finds a recording that was sent, for a program.
    /// - Parameters:
    ///   - rendition: the format; `nil` for the uploaded file, byte for byte.
    ///   - isNoted: whether to write an audit entry first, one for each key, recording, format and day.
    /// - Throws: `forbidden`, `not_found`, `audio_blocked`, `audio_pending`, `original_refused`.
    public func recording(
        _ media: MediaID, as rendition: Rendition?, isNoted: Bool, for program: ProgramCaller
    ) async throws -> RecordingFile {
        try program.require(.readRecordings)
        guard let place = try await recordings.conversation(of: media) else { throw Rejection.notFound }
        let open = try await access.open(place, for: .readRecordings, as: program)
        guard let recording = try await recordings.recording(media, in: open.id), recording.sent != nil,
            !recording.isPrivate || program.scopes.contains(.readNotes)
        else { throw Rejection.notFound }
        try Self.checkScan(of: recording, isAuthor: false)
        let file =
            if let rendition {
                try await files.rendition(rendition, of: media, in: open.id)
            } else {
                try await originalFile(of: recording, in: program.account)
            }
        guard let file else { throw Rejection.notFound }
        if isNoted { try await noteDownload(of: recording, rendition?.rawValue ?? "original", by: program) }
        return RecordingFile(
            file: file, container: rendition?.rawValue ?? recording.container, at: recording.at ?? now())
    }

    /// Writes the audit entry of a download. A consumer's own downloads are one entry per recording, format and day:
    /// entries are never removed, and anyone can be a consumer.
    private func noteDownload(of recording: RecordedMedia, _ format: String, by caller: Caller) async throws {
        let (at, media) = (now(), recording.content.media)
        let isConsumer = if case .consumer = caller { true } else { false }
        let day = at.milliseconds / Self.dayMs
        try await recordings.record(
            AuditEntry(
                account: caller.account, at: at, by: caller.author, what: .audioDownloaded,
                conversation: recording.conversation, media: media, detail: format,
                once: isConsumer ? "download \(caller.author) \(media) \(format) \(day)" : nil))
    }

    private func noteDownload(of recording: RecordedMedia, _ format: String, by program: ProgramCaller) async throws {
        let (at, media) = (now(), recording.content.media)
        try await recordings.record(
            AuditEntry(
                account: program.account, at: at, by: program.id.rawValue, what: .audioDownloaded,
                conversation: recording.conversation, media: media, detail: "\(format) \(program.name)",
                once: "download \(program.id) \(media) \(format) \(at.milliseconds / Self.dayMs)"))
    }

    private static let dayMs: Int64 = 86_400_000

    // MARK: Scanning

    /// Stores the scanner's verdict on a recording. Repeating the call changes nothing.
    ///
    /// If the recording was sent, everyone in the conversation gets the event `scanned`; otherwise the message will
    /// carry the verdict. A blocked recording is one audit entry.
    /// - Returns: whether this is the first verdict.
    @discardableResult
    public func apply(_ verdict: Verdict, to media: MediaID, in conversation: ConversationID) async throws -> Bool {
        guard let recording = try await recordings.recording(media, in: conversation) else { throw Rejection.notFound }
        var audit: AuditEntry?
        if verdict == .blocked, let account = recording.account {
            audit = blockedEntry(media, in: conversation, of: account)
        }
        return try await log.apply(
            ScanVerdict(media: media, conversation: conversation, verdict: verdict, at: now(), audit: audit))
    }

    /// The audit entry for a blocked recording. It is written once per recording.
    private func blockedEntry(_ media: MediaID, in conversation: ConversationID?, of account: AccountID) -> AuditEntry {
        AuditEntry(
            account: account, at: now(), by: AuditEntry.earshot, what: .audioBlocked, conversation: conversation,
            media: media, once: "blocked-\(media)")
    }

    // MARK: Clips of canned replies

    /// Opens the upload of a new clip.
    ///
    /// A clip is recorded once and sent in many conversations. It belongs to its account. What is sent is a copy that
    /// belongs to the conversation and to the agent who sends it, so that every rule for voice messages applies to it.
    /// - Throws: `forbidden` without the permission to change settings; `audio_off`.
    public func beginClip(_ draft: DraftID, as agent: AgentCaller, from address: String?) async throws -> UploadStatus {
        try agent.require(.changeSettings)
        return try await begin(draft, at: .clips(of: agent.account), as: .agent(agent), from: address)
    }

    /// Finds a clip as one of the formats that the server encodes.
    public func clip(_ media: MediaID, as rendition: Rendition, for agent: AgentCaller) async throws -> MediaFile {
        let clip = try await clip(media, for: agent)
        guard let file = try await files.rendition(rendition, of: media, in: clip.conversation) else {
            throw Rejection.notFound
        }
        return file
    }

    /// Copies a clip into a conversation as a recording of the agent. The same draft gets the same recording again.
    /// - Throws: `audio_off`, `audio_pending` until the whole file was scanned, `upload_finished` if the draft belongs
    ///   to another recording.
    public func copy(_ clip: MediaID, into conversation: ConversationID, draft: DraftID, as agent: AgentCaller)
        async throws -> AudioContent
    {
        let open = try await access.open(conversation, as: .agent(agent))
        try await settings.checkAudio(for: .agent(agent))
        let original = try await self.clip(clip, for: agent)
        let request = UploadRequest(
            conversation: open.id, draft: draft, author: agent.id.rawValue, limitMs: original.content.durationMs,
            at: now())
        return try await keep(files.copy(clip, in: original.conversation, as: request), as: .agent(agent))
    }

    /// Finds a clip that was scanned, or that no scanner was there to scan.
    private func clip(_ media: MediaID, for agent: AgentCaller) async throws -> RecordedMedia {
        guard agent.may(.readConversations),
            let clip = try await recordings.recording(media, in: .clips(of: agent.account))
        else { throw Rejection.notFound }
        switch clip.scan {
        case .clean, .unscanned: return clip
        case .blocked: throw Rejection(.audioBlocked, "This recording contained malware. Record it again.")
        case .failed: throw Rejection(.audioFailed, "This recording could not be scanned. Record it again.")
        case .pending: throw Rejection(.audioPending, "This recording is being scanned. Try again in a moment.")
        }
    }
}

/// The file of a recording, to be played or downloaded.
public struct RecordingFile: Hashable, Sendable {
    /// The file.
    public let file: MediaFile
    /// The file's container: `webm`, `ogg`, `mp4` …
    public let container: String
    /// When the recording was made. Downloads are named after it.
    public let at: Timestamp
}

/// A recording as evidence: its row, and the files that may leave the server.
struct RecordingEvidence {
    /// One of its files.
    struct File {
        let file: MediaFile
        let container: String
        /// Whether it is what was uploaded, byte for byte.
        let isOriginal: Bool
    }

    let row: RecordedMedia?
    let files: [File]
}

extension ConversationID {
    /// The place of an account's clips, used instead of a conversation. It is longer than the id of any conversation,
    /// so nobody can open it as one.
    public static func clips(of account: AccountID) -> ConversationID {
        ConversationID(
            trusted:
                "clips-\(ConversationID(random: Array(SHA256.hash(data: Array(account.rawValue.utf8)).prefix(16))))")
    }
}
