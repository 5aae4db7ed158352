public import EarshotModel

/// Where a recording stands with the scanner.
public enum ScanState: String, Hashable, Codable, Sendable, CaseIterable {
    /// The scanner has not answered yet: quarantined.
    case pending
    case clean
    /// It holds something harmful.
    case blocked
    /// It could not be scanned, and never will be.
    case failed
    /// No scanner was there to ask.
    case unscanned

    public init(_ verdict: Verdict) {
        switch verdict {
        case .clean: self = .clean
        case .blocked: self = .blocked
        case .failed: self = .failed
        }
    }
}

/// What is known of a recording once the worker has read it to its end.
public struct RecordedMedia: Hashable, Sendable {
    public let content: AudioContent
    public let conversation: ConversationID
    /// Who recorded it: only they may send it.
    public let author: String
    public let sha256: [UInt8]
    public let container: String
    /// Whose brand it belongs to; not known of recordings made before it was written down.
    public let account: AccountID?
    public var scan: ScanState
    /// When it was finished; not known of recordings made before it was written down.
    public let at: Timestamp?
    /// It was finished before the scanner answered: then the client that finished it was told `pending`.
    public let hasWaited: Bool
    /// Number of the message that carries it.
    public var sent: Int?
    /// A private note carries it: it does not exist for the consumer.
    public var isPrivate = false

    public init(
        content: AudioContent, conversation: ConversationID, author: String, sha256: [UInt8], container: String,
        account: AccountID? = nil,
        at: Timestamp? = nil, scan: ScanState = .unscanned, sent: Int? = nil
    ) {
        self.content = content.with(scan: nil)
        self.conversation = conversation
        self.author = author
        self.sha256 = sha256
        self.container = container
        self.account = account
        self.at = at
        self.scan = scan
        hasWaited = scan == .pending
        self.sent = sent
    }

    /// What a message that carries it says.
    public var message: AudioContent { content.with(scan: scan == .pending ? .pending : nil) }
}

extension RecordedMedia: Codable {
    private enum Key: String, CodingKey {
        case content, conversation, author, sha256, container, account, at, scan, hasWaited, sent, isPrivate
    }

    /// Recordings from before there was a scanner have no word of it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        content = try fields.decode(AudioContent.self, forKey: .content)
        conversation = try fields.decode(ConversationID.self, forKey: .conversation)
        author = try fields.decode(String.self, forKey: .author)
        sha256 = try fields.decode([UInt8].self, forKey: .sha256)
        container = try fields.decode(String.self, forKey: .container)
        account = try fields.decodeIfPresent(AccountID.self, forKey: .account)
        at = try fields.decodeIfPresent(Timestamp.self, forKey: .at)
        scan = try fields.decodeIfPresent(ScanState.self, forKey: .scan) ?? .unscanned
        hasWaited = try fields.decodeIfPresent(Bool.self, forKey: .hasWaited) ?? (scan == .pending)
        sent = try fields.decodeIfPresent(Int.self, forKey: .sent)
        isPrivate = try fields.decodeIfPresent(Bool.self, forKey: .isPrivate) ?? false
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(content, forKey: .content)
        try fields.encode(conversation, forKey: .conversation)
        try fields.encode(author, forKey: .author)
        try fields.encode(sha256, forKey: .sha256)
        try fields.encode(container, forKey: .container)
        try fields.encodeIfPresent(account, forKey: .account)
        try fields.encodeIfPresent(at, forKey: .at)
        try fields.encode(scan, forKey: .scan)
        try fields.encode(hasWaited, forKey: .hasWaited)
        try fields.encodeIfPresent(sent, forKey: .sent)
        if isPrivate { try fields.encode(isPrivate, forKey: .isPrivate) }
    }
}

/// A verdict on its way to the log.
public struct Settlement: Hashable, Sendable {
    public let media: MediaID
    public let conversation: ConversationID
    public let verdict: Verdict
    public let at: Timestamp
    /// Written with the verdict, once.
    public let audit: AuditEntry?

    public init(media: MediaID, conversation: ConversationID, verdict: Verdict, at: Timestamp, audit: AuditEntry?) {
        self.media = media
        self.conversation = conversation
        self.verdict = verdict
        self.at = at
        self.audit = audit
    }
}
