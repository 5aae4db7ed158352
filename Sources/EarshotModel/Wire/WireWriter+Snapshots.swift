/// What a conversation is at one moment, for one viewer: the part that all snapshots share.
public struct SnapshotParts: Sendable {
    public let status: ConversationStatus
    public let people: [Participant]
    public let marks: [Mark]
    /// Events as they are stored.
    public let events: [[UInt8]]
    public let through: Int
    public let more: Bool
    /// How far the voice messages among the events were played.
    public let played: [PlaybackProgress]

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

    public mutating func watching(
        _ conversation: ConversationID, who: ConsumerCard, _ parts: SnapshotParts, fresh: Bool
    ) {
        append(#"{"watching":"#, conversation.rawValue)
        append(#","status":"#, parts.status.rawValue)
        append(raw: #","who":"#)
        append(who: who)
        append(parts)
        append(#","fresh":"#, fresh)
        close()
    }

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
