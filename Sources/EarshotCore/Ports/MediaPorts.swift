public import EarshotModel

/// Recordings on their way in, and their files. The server owns the bytes, the length and the waveform; it believes no client.
///
/// Every method throws a `Rejection` (the sender's fault or a limit) or an `AdapterFailure`. An upload belongs to its author and its conversation from
/// the first byte; for anyone else it does not exist.
public protocol RecordingUploads: Sendable {
    /// Opens an upload, or finds the one that this author's draft already has.
    func begin(_ request: UploadRequest) async throws -> UploadStatus

    /// Takes bytes that begin at `offset`. Bytes already received are skipped, a gap is refused (`upload_gap`). What it answers is how many bytes
    /// there are now.
    func append(_ bytes: [UInt8], at offset: Int, to upload: UploadID, by author: String) async throws -> Int

    func status(of upload: UploadID, by author: String) async throws -> UploadStatus

    /// Ends an upload of `bytes` bytes: waits for the worker, keeps original and MP3. The same again gives the same answer.
    func finish(_ upload: UploadID, bytes: Int, by author: String) async throws -> FinishedUpload

    /// Removes everything of it. Once it was finished only `discard` of its media does.
    func abort(_ upload: UploadID, by author: String) async throws

    /// A recording as one of the formats that we make; `nil` where there is no such recording, or no such rendition of it.
    func rendition(_ rendition: Rendition, of media: MediaID, in conversation: ConversationID) async throws
        -> MediaFile?

    /// What was uploaded, byte for byte; `nil` where there is no such recording.
    func original(of media: MediaID, in conversation: ConversationID) async throws -> MediaFile?

    /// A finished recording once more: one of `request.conversation` and `request.author`, over the same bytes, so that either may go without the other. The
    /// same draft again gives the same answer.
    /// - Throws: `not_found` where there is no such recording, `audio_pending` until its whole file was scanned, `upload_finished` where the draft is of another.
    func copy(_ media: MediaID, in conversation: ConversationID, as request: UploadRequest) async throws
        -> FinishedUpload

    /// Removes uploads that were begun before `limit` and never finished.
    func sweep(begunBefore limit: Timestamp) async throws
}

public struct UploadRequest: Hashable, Sendable {
    public let conversation: ConversationID
    public let draft: DraftID
    /// Who records: a consumer's or an agent's id.
    public let author: String
    /// Longest sound that will be accepted, in milliseconds.
    public let limitMs: Int
    public let at: Timestamp

    public init(conversation: ConversationID, draft: DraftID, author: String, limitMs: Int, at: Timestamp) {
        self.conversation = conversation
        self.draft = draft
        self.author = author
        self.limitMs = limitMs
        self.at = at
    }
}

public struct UploadStatus: Hashable, Sendable {
    public let upload: UploadID
    public let received: Int
    public let isFinished: Bool
    /// Whether `begin` made it just now.
    public let isNew: Bool

    public init(upload: UploadID, received: Int, isFinished: Bool, isNew: Bool) {
        self.upload = upload
        self.received = received
        self.isFinished = isFinished
        self.isNew = isNew
    }
}

/// A format that we make of the decoded samples.
public enum Rendition: String, Hashable, Sendable, CaseIterable {
    case mp3
    /// Opus in Ogg.
    case ogg
    /// AAC in MP4.
    case m4a

    /// The media type it is served with.
    public var mediaType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .ogg: "audio/ogg"
        case .m4a: "audio/mp4"
        }
    }
}

public struct FinishedUpload: Hashable, Sendable {
    public let conversation: ConversationID
    public let content: AudioContent
    public let sha256: [UInt8]
    /// `webm`, `ogg`, `mp4`, `mp3` or `wav`, by its bytes.
    public let container: String
    /// Where it stands with the scanner. One that is blocked is no finished upload: `finish` throws `audio_blocked`, and nothing remains of it.
    public let scan: ScanState

    public init(
        conversation: ConversationID, content: AudioContent, sha256: [UInt8], container: String,
        scan: ScanState = .unscanned
    ) {
        self.conversation = conversation
        self.content = content
        self.sha256 = sha256
        self.container = container
        self.scan = scan
    }
}

/// A file to be served by byte range.
public struct MediaFile: Hashable, Sendable {
    public let path: String
    public let size: Int
    /// Strong validator, without quotes.
    public let etag: String

    public init(path: String, size: Int, etag: String) {
        self.path = path
        self.size = size
        self.etag = etag
    }
}
