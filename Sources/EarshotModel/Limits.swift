/// The limits on everything that crosses a boundary. Each is defined here once, and has a test just under and just over
/// it.
public enum Limits {
    /// Text of one message on web and in-app, both directions, in Unicode scalars (CH-06).
    public static let webTextScalars = 2000
    /// A frame from a client, in bytes, assembled from its fragments.
    public static let frameBytes = 64 * 1024
    /// Fragments of one WebSocket message; the server closes the socket with 1008 if a client sends more.
    public static let frameFragments = 100
    /// The longest key of the wrong form that a refusal repeats, in UTF-8 bytes.
    public static let refusedKeyBytes = 256
    /// A recording, in bytes (AP-04).
    public static let audioBytes = 16 * 1024 * 1024
    /// One PATCH of an upload, in bytes.
    public static let uploadChunkBytes = 1024 * 1024
    /// A JSON body, in bytes.
    public static let jsonBodyBytes = 16 * 1024
    /// The range that a brand may set for the longest recording, in milliseconds (CA-08).
    public static let audioDurationMs = 15_000...120_000
    /// Conversations that one agent's socket may watch at a time.
    public static let watches = 50
    /// Events in a snapshot, and in a page unless the client asks for another number.
    public static let pageEvents = 50
    /// The most events that a client may ask for in one page.
    public static let pageEventsMaximum = 200
    /// Closed conversations in an agent's first inbox.
    public static let closedRows = 50
    /// Open conversations in an agent's first inbox.
    public static let openRows = 500
    /// Inbox rows that changed while an agent was away, or that one `rows` frame has. An agent who missed more gets the
    /// first inbox.
    public static let changedRows = openRows + closedRows
    /// How long a conversation may wait for an answer while nobody does anything in it, in days. Then Earshot closes
    /// it.
    public static let unansweredDays = 30
    /// Searches that run at a time, for all brands. A brand may run all but one of them, a person one.
    public static let searches = 3
    /// The most conversations in a list that a manager exports.
    public static let listedConversations = 10_000
    /// How long a search may run, in milliseconds.
    public static let searchMs = 2_000
    /// The shortest beginning of a word that a search completes, in Unicode scalars. Shorter words are whole words.
    public static let searchPrefixScalars = 3
    /// Characters of the last message's preview in an inbox row.
    public static let previewCharacters = 120
    /// The highest unread count; it means "99 or more".
    public static let unread = 99
    /// How many spans one `played` frame may have.
    public static let playedSpans = 1...64
    /// The range of a span's ends in a `played` frame, in milliseconds. It exceeds the longest voice message; the
    /// server cuts spans off at the message's end.
    public static let playedMs = 0...600_000
    /// How long an invitation to a call waits for an answer, in seconds.
    public static let invitationSeconds = 45
    /// How long a call waits for a device that is gone, in seconds.
    public static let callGoneSeconds = 10
    /// The same after a start of the server, which remembers no device.
    public static let callReturnSeconds = 30
    /// The session description of a call's device, in UTF-8 bytes.
    public static let descriptionBytes = 48 * 1024
    /// A network address (ICE candidate) of a call's device, in UTF-8 bytes.
    public static let candidateBytes = 1024
    /// How long a device may open the relay with the password that it got, in seconds.
    public static let relayCredentialSeconds = 600
    /// Signals that one device of a call may send at once, and per minute after that.
    public static let callSignals = 300
    /// Jitter and round trip that a device may report, in milliseconds.
    public static let callDelayMs = 0...60_000
    /// What a device may say of its network before a call, in kbit/s.
    public static let callDownKbits = 0...10_000_000
    /// Unplayed voice messages that a conversation counts. If there are more, only the newest count.
    public static let unplayedMessages = 1000
    /// The range that a brand may set for how many voice messages a consumer's device keeps.
    public static let keptMessages = 0...100
    /// The sender is told if the container's duration differs from the decoded one by more than this, in milliseconds.
    public static let containerDifferenceMs = 250
    /// Recordings that one person may have open at a time.
    public static let uploadsPerOwner = 8
    /// How long a recording is kept that was not finished, or that no message carries, in milliseconds.
    public static let unsentRecordingMs: Int64 = 24 * 3600 * 1000
    /// A private note, in Unicode scalars.
    public static let noteScalars = 4000
    /// Agents that one private note may mention.
    public static let mentions = 10
    /// Tags that one conversation may have.
    public static let tags = 20
    /// The length of one tag, in Unicode scalars.
    public static let tagScalars = 40
    /// How many days back a brand may let consumers see; 0 for everything.
    public static let historyDays = 0...400
    /// Attributes that one conversation may have.
    public static let attributes = 50
    /// The length of an attribute's value, in Unicode scalars.
    public static let attributeScalars = 500
    /// The range that a brand may set for how long a session of its people may be unused, in minutes. The upper bound
    /// is the lifetime of a session.
    public static let sessionIdleMinutes = 15...720
    /// The range of an agent's callback, in seconds: one minute to seven days.
    public static let callbackSeconds = 60...604_800
    /// How long who closed a conversation can take that back, in seconds.
    public static let reopenSeconds = 30
    /// How long after a close a consumer's message opens nothing, in seconds: it is an afterword.
    public static let afterwordSeconds = 300
    /// How long an afterword waits for someone to look at it, in seconds. Then it resumes the conversation.
    public static let afterwordHoldSeconds = 300
    /// The comment in a survey's answer, in Unicode scalars.
    public static let ratingScalars = 2000
    /// The body of a request that changes a section of the contact-centre settings, in bytes.
    public static let centreBodyBytes = 256 * 1024
}
