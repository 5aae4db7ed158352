/// A limit on everything that crosses a boundary. Named here once; every one has a test at it, just under and just
/// over.
public enum Limits {
    /// Text of one message on web and in-app, both directions, in Unicode scalars (CH-06).
    public static let webTextScalars = 2000
    /// A frame from a client, in bytes, assembled from its fragments.
    public static let frameBytes = 64 * 1024
    public static let frameFragments = 100
    /// A recording, in bytes (AP-04).
    public static let audioBytes = 16 * 1024 * 1024
    /// One PATCH of an upload, in bytes.
    public static let uploadChunkBytes = 1024 * 1024
    /// A JSON body, in bytes.
    public static let jsonBodyBytes = 16 * 1024
    /// What a brand may set as the longest recording, in milliseconds (CA-08).
    public static let audioDurationMs = 15_000...120_000
    /// Conversations that one agent's socket follows at a time.
    public static let watches = 50
    /// Events in a snapshot, and in a page unless it asks for another number.
    public static let pageEvents = 50
    public static let pageEventsMaximum = 200
    /// Closed conversations in an agent's first inbox.
    public static let closedRows = 50
    /// Open conversations in an agent's first inbox.
    public static let openRows = 500
    /// Characters of the last message in an inbox row.
    public static let previewCharacters = 120
    /// Unread counts stop here ("99 or more").
    public static let unread = 99
    /// Spans of one `played` frame.
    public static let playedSpans = 1...64
    /// Where a span of a `played` frame may begin and end, in milliseconds. Longer than any voice message: what lies
    /// beyond its end is cut off there.
    public static let playedMs = 0...600_000
    /// Voice messages that a conversation counts as unplayed; of more, the newest count.
    public static let unplayedMessages = 1000
    /// Voice messages that a brand may have its consumers' devices keep.
    public static let keptMessages = 0...100
    /// Recordings that one person may have open at a time.
    public static let uploadsPerOwner = 8
    /// A private note, in Unicode scalars.
    public static let noteScalars = 4000
    public static let mentions = 10
    /// Tags of one conversation, and Unicode scalars of one.
    public static let tags = 20
    public static let tagScalars = 40
    public static let attributes = 50
    public static let attributeScalars = 500
    /// What an agent may promise, in seconds.
    public static let callbackSeconds = 60...604_800
    /// Words of a survey's answer, in Unicode scalars.
    public static let ratingScalars = 2000
    /// The body of a section of the centre, in bytes.
    public static let centreBodyBytes = 256 * 1024
}
