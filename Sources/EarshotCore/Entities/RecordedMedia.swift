public import EarshotModel

/// The state of a recording with regard to the malware scanner.
public enum ScanState: String, Hashable, Codable, Sendable, CaseIterable {
    /// The scanner has not answered yet; the recording is quarantined.
    case pending
    /// The scanner found nothing.
    case clean
    /// The scanner found malware.
    case blocked
    /// The recording could not be scanned, and will not be scanned again.
    case failed
    /// No scanner was configured when the recording was finished.
    case unscanned

    /// The state after a verdict.
    public init(_ verdict: Verdict) {
        switch verdict {
        case .clean: self = .clean
        case .blocked: self = .blocked
        case .failed: self = .failed
        }
    }
}

/// A finished recording: what the media worker measured, who recorded it, and whether it was sent.
public struct RecordedMedia: Hashable, Codable, Sendable {
    /// Duration, waveform and size, without a scan state.
    public let content: AudioContent
    /// The conversation that the recording belongs to.
    public let conversation: ConversationID
    /// The id of the person who recorded it. Only they may send it.
    public let author: String
    /// SHA-256 of the uploaded bytes.
    public let sha256: [UInt8]
    /// The container of the original, detected from its bytes: `webm`, `ogg`, `mp4`, `mp3` or `wav`.
    public let container: String
    /// The brand that the recording belongs to.
    public let account: AccountID?
    /// The scanner's state.
    public var scan: ScanState
    /// When the recording was finished.
    public let at: Timestamp?
    /// Whether the recording was finished before the scanner answered, so that its sender was told `pending`.
    public let hasWaited: Bool
    /// The number of the message that carries the recording; `nil` until it is sent.
    public var sent: Int?
    /// Whether a private note carries the recording. The consumer cannot play it.
    public var isPrivate = false
    /// The duration by the container's own times, in milliseconds, if it differs from the decoded one by more than
    /// `Limits.containerDifferenceMs`: a part may be missing or damaged.
    public let containerMs: Int?

    /// Creates the row of a finished recording.
    public init(
        content: AudioContent, conversation: ConversationID, author: String, sha256: [UInt8], container: String,
        account: AccountID? = nil, at: Timestamp? = nil, scan: ScanState = .unscanned, sent: Int? = nil,
        containerMs: Int? = nil
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
        self.containerMs = containerMs
    }

    /// The content for a message that carries the recording: marked as pending while the scanner has not answered.
    public var message: AudioContent { content.with(scan: scan == .pending ? .pending : nil) }
}

/// The scanner's verdict on one recording, to be written to the log.
public struct ScanVerdict: Hashable, Sendable {
    /// The recording.
    public let media: MediaID
    /// The conversation that the recording belongs to.
    public let conversation: ConversationID
    /// What the scanner found.
    public let verdict: Verdict
    /// When the scanner answered.
    public let at: Timestamp
    /// The audit entry to write with the verdict, if any.
    public let audit: AuditEntry?

    /// Creates a verdict.
    public init(media: MediaID, conversation: ConversationID, verdict: Verdict, at: Timestamp, audit: AuditEntry?) {
        self.media = media
        self.conversation = conversation
        self.verdict = verdict
        self.at = at
        self.audit = audit
    }
}
