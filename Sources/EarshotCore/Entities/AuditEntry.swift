public import EarshotModel

/// An action that the audit log records.
public enum AuditAction: String, Hashable, Codable, Sendable, CaseIterable {
    /// Someone downloaded a voice message.
    case audioDownloaded = "audio.downloaded"
    /// A person of the brand listened to the whole of a voice message. Written once per person and message.
    case audioPlayed = "audio.played"
    /// The scanner found malware in a recording.
    case audioBlocked = "audio.blocked"
    /// Someone changed the account's audio settings.
    case settingsChanged = "settings.changed"
    /// Someone changed the contact-centre settings.
    case centreChanged = "centre.changed"
    /// A manager changed a person's role, name or sign-in permission.
    case personChanged = "person.changed"
    /// A person of the brand was added.
    case personAdded = "person.added"
    /// A person was invited to the brand.
    case personInvited = "person.invited"
    /// A link was made with which a person can set the password.
    case linkMade = "person.linkMade"
    /// Such a link was revoked.
    case linkRevoked = "person.linkRevoked"
    /// A person of the brand was removed.
    case personRemoved = "person.removed"
    /// A person signed in.
    case signedIn = "person.signedIn"
    /// An attempt to sign in failed. Written once per person, address and hour.
    case signInFailed = "person.signInFailed"
    /// A person signed out, or one of the person's sessions was ended.
    case signedOut = "person.signedOut"
    /// A person's password was changed.
    case passwordChanged = "person.passwordChanged"
    /// A person set up a second factor.
    case secondFactorAdded = "person.secondFactorAdded"
    /// The second factor of a person was removed.
    case secondFactorRemoved = "person.secondFactorRemoved"
    /// A person signed in with a recovery code.
    case recoveryCodeUsed = "person.recoveryCodeUsed"
    /// A manager changed whether the brand requires a second factor.
    case secondFactorRuleChanged = "brand.secondFactorRuleChanged"
    /// A manager changed after how many minutes without use a session ends.
    case sessionRuleChanged = "brand.sessionRuleChanged"
    /// Someone signed a consumer out everywhere.
    case consumerSignedOut = "consumer.signedOut"
    /// A consumer was blocked.
    case consumerBlocked = "consumer.blocked"
    /// The block of a consumer was lifted.
    case consumerUnblocked = "consumer.unblocked"
    /// Someone searched the brand's conversations. Written once per person and day.
    case historySearched = "history.searched"
    /// Someone read a closed conversation of others. Written once per person, conversation and day.
    case historyRead = "history.read"
    /// Someone watched an open conversation that a colleague answers. Written once per person, conversation and day.
    case conversationWatched = "conversation.watched"
    /// Someone exported the transcript of a conversation.
    case transcriptExported = "transcript.exported"
    /// Someone exported a list of conversations.
    case historyExported = "history.exported"
    /// Someone exported a conversation with its recordings, as evidence.
    case evidenceExported = "evidence.exported"
    /// A manager took a conversation over.
    case conversationTakenOver = "conversation.takenOver"
    /// The time of closed conversations had passed, and they were removed.
    case conversationsPurged = "conversations.purged"
    /// Someone asked that a consumer be erased.
    case erasureRequested = "consumer.erasureRequested"
    /// A consumer was erased, with the consumer's conversation.
    case consumerErased = "consumer.erased"
    /// The ID token of a consumer was refused. Written once per reason, address and hour, for 20 addresses.
    case consumerSignInFailed = "consumer.signInFailed"
    /// A manager set or removed the identity provider that signs consumers in.
    case identityProviderChanged = "identityProvider.changed"
    /// An operator exported everything about a consumer.
    case consumerExported = "consumer.exported"
    /// Someone placed a legal hold on a conversation.
    case holdPlaced = "hold.placed"
    /// Someone lifted the legal hold of a conversation.
    case holdLifted = "hold.lifted"
    /// Someone changed how long conversations are kept.
    case retentionChanged = "retention.changed"
    /// An operator confirmed the clock after it jumped.
    case clockConfirmed = "retention.clockConfirmed"
    /// An operator added the brand.
    case brandAdded = "brand.added"
    /// A manager changed the brand's name, colour or welcome text.
    case brandChanged = "brand.changed"
    /// An operator removed the brand.
    case brandRemoved = "brand.removed"
    /// An operator added or changed an app, or a manager changed it.
    case appChanged = "app.changed"
    /// An operator removed an app.
    case appRemoved = "app.removed"
    /// Someone made an API key.
    case keyMade = "key.made"
    /// Someone revoked an API key.
    case keyRevoked = "key.revoked"
    /// A manager made, changed or removed a profile.
    case profileChanged = "profile.changed"
    /// A manager made, changed or removed a group.
    case groupChanged = "group.changed"
    /// An operator suspended the brand.
    case brandSuspended = "brand.suspended"
    /// An operator lifted the brand's suspension.
    case brandResumed = "brand.resumed"
}

/// One entry of the audit log: who did what, and when. Entries are never changed and never removed.
public struct AuditEntry: Hashable, Codable, Sendable {
    /// The brand that the entry belongs to.
    public let account: AccountID
    /// When it happened.
    public let at: Timestamp
    /// The id of a consumer or an agent, or `AuditEntry.earshot` or `AuditEntry.operator_`.
    public let by: String
    /// The action.
    public let what: AuditAction
    /// The conversation it concerns, if any.
    public let conversation: ConversationID?
    /// The recording it concerns, if any.
    public let media: MediaID?
    /// Further details. Never contains what a consumer wrote.
    public let detail: String?
    /// The network address of an attempt to sign in.
    public let address: String?
    /// A key that makes the entry unique in its account: a second entry with the same key is not written.
    public let once: String?

    /// The author of what Earshot does automatically.
    public static let earshot = "earshot"
    /// The author of what is done with the command line on the server.
    public static let operator_ = "operator"

    /// Creates an entry.
    public init(
        account: AccountID, at: Timestamp, by: String, what: AuditAction, conversation: ConversationID? = nil,
        media: MediaID? = nil, detail: String? = nil, address: String? = nil, once: String? = nil
    ) {
        self.account = account
        self.at = at
        self.by = by
        self.what = what
        self.conversation = conversation
        self.media = media
        self.detail = detail
        self.address = address
        self.once = once
    }
}

/// An audit entry with the number under which it is stored.
public struct AuditRow: Hashable, Sendable {
    /// The entry's number. Later entries have higher numbers.
    public let id: Int64
    /// The entry.
    public let entry: AuditEntry

    /// Creates a row.
    public init(id: Int64, entry: AuditEntry) {
        self.id = id
        self.entry = entry
    }
}

/// Which entries of an audit log to read.
public struct AuditQuery: Hashable, Sendable {
    /// Only entries with a lower number.
    public var before: Int64?
    /// Only what this author did.
    public var by: String?
    /// Only what concerns this conversation.
    public var conversation: ConversationID?
    /// Only these actions; any if empty.
    public var actions: Set<AuditAction>
    /// Only what happened then or later.
    public var from: Timestamp?
    /// Only what happened before then.
    public var to: Timestamp?
    /// The most entries to read.
    public var limit: Int

    /// Creates a query.
    public init(
        before: Int64? = nil, by: String? = nil, actions: Set<AuditAction> = [], limit: Int
    ) {
        self.before = before
        self.by = by
        self.actions = actions
        self.limit = limit
    }
}

/// What a check of an audit log found. Each entry is stored with a hash of itself and of the hash before it, so that
/// no entry can be changed, inserted or removed without breaking every later hash.
public struct AuditVerification: Hashable, Sendable {
    /// How many entries there are.
    public let entries: Int
    /// The hash of the newest entry, 32 bytes; empty without entries. A copy of it, kept elsewhere, proves later that
    /// the newest entries were not removed.
    public let head: [UInt8]
    /// The number of the first entry that is not what was written.
    public let firstBroken: Int64?
    /// Whether an entry has the hash that was asked for; `true` if none was.
    public let holdsKnown: Bool

    /// Creates a result.
    public init(entries: Int, head: [UInt8], firstBroken: Int64?, holdsKnown: Bool) {
        self.entries = entries
        self.head = head
        self.firstBroken = firstBroken
        self.holdsKnown = holdsKnown
    }

    /// Whether every entry is what was written, and the hash that was asked for is among them.
    public var isIntact: Bool { firstBroken == nil && holdsKnown }
}
