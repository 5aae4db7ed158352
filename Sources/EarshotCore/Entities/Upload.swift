public import EarshotModel

/// Where an upload comes from: whose share of the server's means it uses.
public struct UploadSource: Hashable, Sendable {
    /// The brand.
    public let account: AccountID
    /// The site or app; `nil` for an agent.
    public let app: AppID?
    /// The network address, or the network, that limits count by; `nil` if it is not known.
    public let address: String?

    /// Creates a source.
    public init(account: AccountID, app: AppID? = nil, address: String? = nil) {
        self.account = account
        self.app = app
        self.address = address
    }

    /// The source of a caller's upload.
    public init(_ caller: Caller, address: String?) {
        let app: AppID? = if case .consumer(let consumer) = caller { consumer.app } else { nil }
        self.init(account: caller.account, app: app, address: address)
    }
}

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
    /// Where the recording comes from; `nil` for a copy, which brings no bytes.
    public let source: UploadSource?

    /// Creates a request.
    public init(
        conversation: ConversationID, draft: DraftID, author: String, limitMs: Int, at: Timestamp,
        source: UploadSource? = nil
    ) {
        self.conversation = conversation
        self.draft = draft
        self.author = author
        self.limitMs = limitMs
        self.at = at
        self.source = source
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
    /// Why the recording was refused; nothing of it is kept then.
    public let refused: Rejection.Code?

    /// Creates a status.
    public init(upload: UploadID, received: Int, isFinished: Bool, isNew: Bool, refused: Rejection.Code? = nil) {
        self.upload = upload
        self.received = received
        self.isFinished = isFinished
        self.isNew = isNew
        self.refused = refused
    }
}

/// An upload that its author has not finished.
public struct OpenUpload: Hashable, Sendable {
    /// How far it is.
    public let status: UploadStatus
    /// The conversation that the recording will belong to.
    public let conversation: ConversationID
    /// The client's id of the draft.
    public let draft: DraftID
    /// When it was begun.
    public let begun: Timestamp

    /// Creates an open upload.
    public init(status: UploadStatus, conversation: ConversationID, draft: DraftID, begun: Timestamp) {
        self.status = status
        self.conversation = conversation
        self.draft = draft
        self.begun = begun
    }
}

/// A finished recording whose row may be missing.
public struct UnconfirmedRecording: Hashable, Sendable {
    /// The recording.
    public let media: MediaID
    /// The conversation that it belongs to.
    public let conversation: ConversationID

    /// Names a recording.
    public init(media: MediaID, conversation: ConversationID) {
        self.media = media
        self.conversation = conversation
    }
}

/// Bytes of an upload.
public struct UploadChunk: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// The position of the first byte.
    public let offset: Int
    /// The network address that they came from, as limits name it; `nil` if it is not known.
    public let address: String?
    /// The SHA-256 of the bytes, if their sender said it.
    public let sha256: [UInt8]?

    /// Creates a chunk.
    public init(_ bytes: [UInt8], at offset: Int, from address: String?, sha256: [UInt8]? = nil) {
        self.bytes = bytes
        self.offset = offset
        self.address = address
        self.sha256 = sha256
    }
}

/// What the sender says of a whole recording.
public struct WholeRecording: Hashable, Sendable {
    /// How many bytes it has.
    public let bytes: Int
    /// The SHA-256 of these bytes, if the sender said it.
    public let sha256: [UInt8]?

    /// Creates the statement.
    public init(bytes: Int, sha256: [UInt8]? = nil) {
        self.bytes = bytes
        self.sha256 = sha256
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
    /// The duration by the container's own times, if it differs much from the decoded one.
    public let containerMs: Int?

    /// Creates a finished upload.
    public init(
        conversation: ConversationID, content: AudioContent, sha256: [UInt8], container: String,
        scan: ScanState = .unscanned, containerMs: Int? = nil
    ) {
        self.conversation = conversation
        self.content = content
        self.sha256 = sha256
        self.container = container
        self.scan = scan
        self.containerMs = containerMs
    }
}

/// A recording that can be sent now.
public struct FinishedRecording: Hashable, Sendable, Encodable {
    /// What a message will carry.
    public let content: AudioContent
    /// The duration by the container's own times, if it differs much from the decoded one.
    public let containerMs: Int?

    private enum CodingKeys: CodingKey {
        case containerMs
    }

    /// The fields of the content, and beside them the container's duration.
    public func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(containerMs, forKey: .containerMs)
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
