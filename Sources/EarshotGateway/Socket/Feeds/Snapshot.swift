import EarshotCore
import EarshotDomain
import EarshotModel

/// A conversation at one moment, before it is written into a frame.
struct Snapshot: Sendable {
    /// `nil` where the conversation has not started.
    let state: ConversationState?
    let marks: Marks
    private(set) var events: [StoredEvent]
    private(set) var hasMore: Bool
    let continuesCursor: Bool
    /// Everything through this number is in the snapshot or before it.
    private(set) var through: Int
    /// The playback progress of the newest voice messages, including those that the client has.
    private(set) var playback: [MessagePlayback] = []

    static let empty = Snapshot(
        state: nil, marks: Marks(), events: [], hasMore: false, continuesCursor: false, through: 0)

    private init(
        state: ConversationState?, marks: Marks, events: [StoredEvent], hasMore: Bool, continuesCursor: Bool,
        through: Int
    ) {
        self.state = state
        self.marks = marks
        self.events = events
        self.hasMore = hasMore
        self.continuesCursor = continuesCursor
        self.through = through
    }

    /// Makes a snapshot from memory; `nil` where memory does not hold everything after the cursor or it is too much.
    init?(tail: ConversationTail?, after: Int) {
        guard let tail, after >= 0, after <= tail.state.sequence, tail.events.count <= Limits.pageEventsMaximum else {
            return nil
        }
        self.init(
            state: tail.state, marks: tail.marks, events: tail.events, hasMore: after > 0, continuesCursor: true,
            through: tail.state.sequence)
    }

    init(_ view: ConversationView, after: Int?) {
        self.init(
            state: view.state, marks: view.marks, events: view.events, hasMore: view.hasMore,
            continuesCursor: after != nil && view.continuesCursor,
            through: view.state.sequence)
    }

    /// Reads a snapshot: after the cursor if that is not too far back, otherwise the newest events. `nil` where the
    /// conversation has not started.
    static func read(_ conversation: ConversationID, after: Int?, from store: any ConversationStore) async throws
        -> Snapshot?
    {
        if let after, after >= 0,
            let view = try await store.view(conversation, after: after, limit: Limits.pageEventsMaximum),
            view.continuesCursor, after <= view.state.sequence
        {
            return try await Snapshot(view, after: after).withPlayback(of: conversation, from: store)
        }
        let view = try await store.view(conversation, after: nil, limit: Limits.pageEvents)
        return try await view.map { Snapshot($0, after: nil) }?.withPlayback(of: conversation, from: store)
    }

    /// The same snapshot with the playback progress, where there is any.
    func withPlayback(of conversation: ConversationID, from store: any ConversationStore) async throws -> Snapshot {
        guard marks.playbackPosition > 0, let last = state?.sequence else { return self }
        var whole = self
        whole.playback = try await store.played(
            conversation, from: max(1, last - Limits.pageEventsMaximum + 1), through: last)
        return whole
    }

    /// The same snapshot without the events before a time, for a consumer whose brand shows no earlier ones.
    func presented(from begin: Timestamp?) -> Snapshot {
        var cut = self
        cut.events = events.presented(from: begin)
        if cut.events.count < events.count || events.isEmpty { cut.hasMore = false }
        return cut
    }

    /// The same snapshot with at most so many bytes of events. After a cursor the last events are dropped, because they
    /// are delivered later; otherwise the oldest are dropped.
    func bounded(by room: Int) -> Snapshot {
        guard events.reduce(0, { $0 + $1.encoded.count }) > room else { return self }
        var cut = self
        if continuesCursor {
            cut.events = Array(events.prefix(max(1, Self.count(events, within: room))))
            cut.through = cut.events.last?.sequence ?? through
        } else {
            cut.events = events.suffix(max(1, Self.count(events.reversed(), within: room)))
            cut.hasMore = true
        }
        return cut
    }

    private static func count(_ events: some Sequence<StoredEvent>, within room: Int) -> Int {
        var room = room
        return events.prefix { event in
            room -= event.encoded.count
            return room >= 0
        }.count
    }

    func parts(for viewer: Viewer) -> SnapshotParts {
        SnapshotParts(
            status: state?.status ?? .new, people: state?.people.visible(to: viewer) ?? [],
            marks: marks.visible(to: viewer),
            events: events.compactMap { $0.bytes(for: viewer) }, through: through, more: hasMore,
            played: playback.flatMap { $0.visible(to: viewer) })
    }
}
