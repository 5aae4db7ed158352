public import EarshotModel

/// A request to open an upload, or to copy a recording into a new one.
public struct UploadRequest: Hashable, Sendable {
    /// The conversation that the recording will belong to.
    public let conversation: ConversationID
    /// The client's id of the draft. One draft of one author is one upload.
    public let draft: DraftID
    /// The id of the consumer or agent who records.
    public let author: String
    /// The longest accepted recording, in milliseconds.
    public let limitMs: Int
    /// When the upload is opened.
    public let at: Timestamp

    /// Creates a request.
    public init(conversation: ConversationID, draft: DraftID, author: String, limitMs: Int, at: Timestamp) {
        self.conversation = conversation
        self.draft = draft
        self.author = author
        self.limitMs = limitMs
        self.at = at
    }
}

/// The progress of an upload.
public struct UploadStatus: Hashable, Sendable {
    /// The upload's id.
    public let upload: UploadID
    /// How many bytes the server has.
    public let received: Int
    /// Whether the upload was finished.
    public let isFinished: Bool
    /// Whether `begin` created the upload, rather than finding it.
    public let isNew: Bool

    /// Creates a status.
    public init(upload: UploadID, received: Int, isFinished: Bool, isNew: Bool) {
        self.upload = upload
        self.received = received
        self.isFinished = isFinished
        self.isNew = isNew
    }
}

/// The format of a file that the server encodes from the decoded samples of a recording.
public enum Rendition: String, Hashable, Sendable, CaseIterable {
    /// MP3.
    case mp3
    /// Opus in Ogg.
    case ogg
    /// AAC in MP4.
    case m4a

    /// The media type with which the file is served.
    public var mediaType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .ogg: "audio/ogg"
        case .m4a: "audio/mp4"
        }
    }
}

/// An upload that was decoded to its end and whose files are kept.
public struct FinishedUpload: Hashable, Sendable {
    /// The conversation that the recording belongs to.
    public let conversation: ConversationID
    /// Duration, waveform and size, as measured by the media worker.
    public let content: AudioContent
    /// SHA-256 of the uploaded bytes.
    public let sha256: [UInt8]
    /// The container, detected from the bytes: `webm`, `ogg`, `mp4`, `mp3` or `wav`.
    public let container: String
    /// The scanner's state. It is never `blocked`: `finish` throws `audio_blocked` and removes the files.
    public let scan: ScanState

    /// Creates a finished upload.
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

/// A file on disk that is served by byte range.
public struct MediaFile: Hashable, Sendable {
    /// The file's path.
    public let path: String
    /// The file's size in bytes.
    public let size: Int
    /// A strong validator, without quotes.
    public let etag: String

    /// Creates a file.
    public init(path: String, size: Int, etag: String) {
        self.path = path
        self.size = size
        self.etag = etag
    }
}
