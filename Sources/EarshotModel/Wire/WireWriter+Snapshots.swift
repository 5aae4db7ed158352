/// The part that all snapshots share: one conversation as one viewer sees it at one moment.
public struct SnapshotParts: Sendable {
    /// The state of the conversation.
    public let status: ConversationStatus
    /// The participants whom the viewer may see.
    public let people: [Participant]
    /// The watermarks that the viewer may see.
    public let marks: [Mark]
    /// The events in their stored form.
    public let events: [[UInt8]]
    /// The sequence through which the snapshot is complete.
    public let through: Int
    /// Whether there are events older than these.
    public let more: Bool
    /// Playback progress of the voice messages among the events. Empty if none was played.
    public let played: [PlaybackProgress]

    /// Makes the parts; the caller has already filtered them for the viewer.
    public init(
        status: ConversationStatus, people: [Participant], marks: [Mark], events: [[UInt8]], through: Int, more: Bool,
        played: [PlaybackProgress] = []
    ) {
        self.status = status
        self.people = people
        self.marks = marks
        self.events = events
        self.through = through
        self.more = more
        self.played = played
    }
}

extension WireWriter {
    /// Appends a consumer's `ready` frame; `fresh` is omitted if it is `nil`.
    public mutating func ready(_ parts: SnapshotParts, epoch: String, me: ParticipantNumber, fresh: Bool?) {
        append(#"{"ready":{"epoch":"#, epoch)
        append(#","version":"#, EarshotVersion.current)
        append(#","me":"#, me.rawValue)
        append(#","status":"#, parts.status.rawValue)
        append(parts)
        append(#","fresh":"#, fresh)
        close()
        close()
    }

    /// Appends a `watching` frame, the snapshot for an agent who watches this conversation.
    public mutating func watching(
        _ conversation: ConversationID, who: ConsumerCard, _ parts: SnapshotParts, recorded: RecordedFacts?,
        fresh: Bool
    ) {
        append(#"{"watching":"#, conversation.rawValue)
        append(#","status":"#, parts.status.rawValue)
        append(raw: #","who":"#)
        append(who: who)
        append(parts)
        if let recorded { append(recorded: recorded) }
        append(#","fresh":"#, fresh)
        close()
    }

    /// Appends an agent's `ready` frame with the inbox.
    public mutating func inbox(
        _ rows: some Sequence<InboxRow>, epoch: String, agent: AgentID, position: Int64, fresh: Bool
    ) {
        append(#"{"ready":{"epoch":"#, epoch)
        append(#","version":"#, EarshotVersion.current)
        append(#","agent":"#, agent.rawValue)
        append(raw: #","rows":"#)
        append(rows: rows)
        append(#","position":"#, Int(position))
        append(#","fresh":"#, fresh)
        close()
        close()
    }

    private mutating func append(_ parts: SnapshotParts) {
        append(raw: #","people":"#)
        append(people: parts.people)
        append(raw: #","marks":"#)
        append(marks: parts.marks)
        append(raw: #","events":"#)
        append(events: parts.events)
        append(#","through":"#, parts.through)
        append(#","more":"#, parts.more)
        append(played: parts.played)
    }
}
