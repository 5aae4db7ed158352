import EarshotModel

/// What a client has of one conversation: a pure reducer of what it was sent. The reference for every client that we
/// write.
struct ConversationCopy: Hashable, Sendable {
    /// The events that the client has, oldest first.
    private(set) var events: [Event] = []
    /// It has everything it may see up to here. Clients never count: what they may not see leaves holes.
    private(set) var through = 0
    /// The status after the newest event.
    private(set) var status = ConversationStatus.new
    /// The participants, by number.
    private(set) var people: [Participant] = []
    /// The watermarks of the participants.
    private(set) var marks: [Mark] = []
    /// How far voice messages were played, by number and participant.
    private(set) var playback: [Int: [ParticipantNumber: PlaybackProgress]] = [:]
    /// Older events exist than the first one here.
    private(set) var more = false

    /// Creates a copy without events.
    init() {}

    /// What a consumer's `ready` and an agent's `watching` have in common.
    struct Snapshot {
        let status: ConversationStatus
        let people: [Participant]
        let marks: [Mark]
        let events: [Event]
        let through: Int
        let more: Bool
        let played: [PlaybackProgress]
        /// Forget what you have.
        let fresh: Bool

        /// - Parameter isFirst: the client has nothing yet, which the server does not tell it.
        init(_ ready: ServerFrame.ConsumerReady, isFirst: Bool) {
            (status, people, marks, events) = (ready.status, ready.people, ready.marks, ready.events)
            (through, more, played) = (ready.through, ready.more, ready.played ?? [])
            fresh = isFirst || ready.fresh == true
        }

        init(_ watching: ServerFrame.Watching) {
            (status, people, marks, events) = (watching.status, watching.people, watching.marks, watching.events)
            (through, more, played) = (watching.through, watching.more, watching.played ?? [])
            fresh = watching.fresh
        }
    }

    /// Applies a snapshot: continues the copy, or replaces it if the snapshot is fresh.
    mutating func begin(_ snapshot: Snapshot) {
        if snapshot.fresh {
            self = ConversationCopy()
            more = snapshot.more
        }
        take(snapshot.events, through: snapshot.through)
        (status, people, marks) = (snapshot.status, snapshot.people, snapshot.marks)
        played(snapshot.played)
    }

    /// Takes what is new of a delivery. What is not, was delivered twice.
    mutating func take(_ delivered: [Event], through last: Int) {
        for event in delivered where event.sequence > through { append(event) }
        through = max(through, last)
    }

    /// What this client said itself was accepted; nobody sends it back on the same socket.
    mutating func said(_ event: Event) {
        take([event], through: event.sequence)
    }

    /// Puts a page of older events before the first event.
    mutating func prepend(_ older: [Event], more: Bool) {
        let first = events.first?.sequence ?? through + 1
        events = older.filter { $0.sequence < first } + events
        self.more = more
    }

    /// Replaces the watermarks.
    mutating func moved(_ marks: [Mark]) {
        self.marks = marks
    }

    /// Updates how far voice messages were played.
    mutating func played(_ played: [PlaybackProgress]) {
        for one in played { playback[one.sequence, default: [:]][one.by] = one }
    }

    private mutating func append(_ event: Event) {
        events.append(event)
        through = event.sequence
        switch event.kind {
        case .started, .resumed: status = .waiting
        case .assigned: status = .open
        case .closed: status = .closed
        case .queued: status = .waiting
        case .reopened(let reopened): status = reopened.to == nil ? .waiting : .open
        case .joined(let joined):
            people.removeAll { $0.by == event.by }
            people.append(
                Participant(
                    by: event.by, role: joined.role, name: joined.name, id: joined.id, quiet: joined.quiet == true))
            people.sort { $0.by < $1.by }
        default: break
        }
    }
}
