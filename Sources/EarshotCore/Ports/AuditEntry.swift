public import EarshotModel

/// What is written down for good: who did what, when.
public enum AuditAction: String, Hashable, Codable, Sendable, CaseIterable {
    case audioDownloaded = "audio.downloaded"
    case audioBlocked = "audio.blocked"
    case settingsChanged = "settings.changed"
    case centreChanged = "centre.changed"
    case personChanged = "person.changed"
    case brandSuspended = "brand.suspended"
    case brandResumed = "brand.resumed"
}

/// One line of the audit log. It is never changed and never removed.
public struct AuditEntry: Hashable, Codable, Sendable {
    public let account: AccountID
    public let at: Timestamp
    /// A consumer's or an agent's id, or one of the names below.
    public let by: String
    public let what: AuditAction
    public let conversation: ConversationID?
    public let media: MediaID?
    /// More about it. Never a consumer's words.
    public let detail: String?
    /// Names the one occasion that may be written once only.
    public let once: String?

    /// Earshot itself.
    public static let earshot = "earshot"
    /// Whoever has a shell on the server.
    public static let operator_ = "operator"

    public init(
        account: AccountID, at: Timestamp, by: String, what: AuditAction, conversation: ConversationID? = nil,
        media: MediaID? = nil,
        detail: String? = nil, once: String? = nil
    ) {
        self.account = account
        self.at = at
        self.by = by
        self.what = what
        self.conversation = conversation
        self.media = media
        self.detail = detail
        self.once = once
    }
}

/// An entry with the number it got.
public struct AuditRow: Hashable, Sendable {
    public let id: Int64
    public let entry: AuditEntry

    public init(id: Int64, entry: AuditEntry) {
        self.id = id
        self.entry = entry
    }
}
