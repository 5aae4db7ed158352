public import EarshotCore
public import EarshotDomain
public import EarshotModel

/// The server's end of one client's socket, by the book: cursors, commit notifications, and frames to send.
/// Reads the store and nothing else.
public struct LoopbackSession: Sendable {
    /// The consumer or agent at the other end.
    public let actor: Actor
    private var cursors: [ConversationID: Int] = [:]
    /// Feed position through which the client knows what was played.
    private var playbackPosition: [ConversationID: Int64] = [:]
    private var pending: Set<ConversationID> = []
    private var pendingMarks: Set<ConversationID> = []
    private var position: Int64?
    private var areRowsPending = false

    /// Events in a snapshot.
    private let window: Int

    /// Creates a session whose snapshots and pages have at most `window` events.
    public init(actor: Actor, window: Int) {
        (self.actor, self.window) = (actor, window)
    }

    private var viewer: Viewer { actor == .consumer ? .consumer : .brand }

    /// Whether a commit was notified that has not been read yet.
    public var hasNews: Bool { !pending.isEmpty || !pendingMarks.isEmpty || areRowsPending }

    /// Remembers what the commit notifications announce, to be read by `pump`.
    public mutating func hear(_ notifications: [CommitNotification]) {
        for notification in notifications {
            if position != nil { areRowsPending = true }
            guard cursors[notification.conversation] != nil else { continue }
            pending.insert(notification.conversation)
            if notification.marksMoved { pendingMarks.insert(notification.conversation) }
        }
    }

    /// The snapshot of one conversation, after the client's cursor.
    public mutating func watch(_ conversation: ConversationID, after: Int?, in store: any ConversationStore)
        async throws -> LoopbackFrame
    {
        guard let view = try await store.view(conversation, after: after, limit: window) else {
            cursors[conversation] = 0
            return .snapshot(
                conversation,
                .init(status: .new, people: [], marks: [], events: [], through: 0, more: false, played: [], fresh: true)
            )
        }
        cursors[conversation] = view.state.sequence
        playbackPosition[conversation] = view.marks.playbackPosition
        // Also of what the client has already: it may have been played while the client was away.
        let playback = try await store.played(conversation, from: 0, through: view.state.sequence)
        return .snapshot(
            conversation,
            .init(
                status: view.state.status, people: view.state.people.visible(to: viewer),
                marks: view.marks.visible(to: viewer),
                events: try shown(view.events), through: view.state.sequence, more: view.hasMore,
                played: playback.flatMap { $0.visible(to: viewer) }, fresh: !view.continuesCursor))
    }

    /// The inbox of an account: all of it, or the rows that changed after a feed position.
    public mutating func openInbox(_ account: AccountID, after: Int64?, in store: any ConversationStore) async throws
        -> LoopbackFrame
    {
        let inbox = try await store.inbox(account, after: after)
        position = inbox.position
        return .inbox(rows: inbox.rows, position: inbox.position, fresh: !inbox.continuesPosition)
    }

    /// A page of the events before a number.
    public func page(_ conversation: ConversationID, before: Int, in store: any ConversationStore) async throws
        -> LoopbackFrame
    {
        let events = try await store.page(conversation, before: before, limit: window)
        let played = try await store.played(conversation, from: events.first?.sequence ?? 0, through: before - 1)
        return .page(
            try shown(events), of: conversation, more: (events.first?.sequence ?? 1) > 1,
            played: played.flatMap { $0.visible(to: viewer) })
    }

    /// Reads what the commit notifications announced.
    public mutating func pump(_ account: AccountID, in store: any ConversationStore) async throws -> [LoopbackFrame] {
        var frames: [LoopbackFrame] = []
        for conversation in pending.sorted() {
            frames += try await deliver(conversation, through: nil, isOwn: false, in: store)
        }
        pending = []
        if areRowsPending, let after = position {
            areRowsPending = false
            let inbox = try await store.changedRows(of: account, after: after, limit: Limits.changedRows)
            areRowsPending = inbox.rows.count == Limits.changedRows
            position = inbox.position
            frames.append(.rows(inbox.rows, position: inbox.position))
        }
        return frames
    }

    /// The answer to a command, behind every event up to it. Its own event is not repeated, unless it was said on
    /// another socket.
    public mutating func answer(
        _ key: IdempotencyKey, _ command: Command, in conversation: ConversationID,
        _ result: Result<Accepted, ChangeFailure>,
        store: any ConversationStore
    ) async throws -> [LoopbackFrame] {
        switch result {
        case .failure(.refused(let rejection)): return [.no(key: key, code: rejection.code)]
        case .failure(.failed(let failure)): throw failure
        case .success(let accepted):
            var isOwn = !accepted.isRepeat
            if case .send = command {} else { isOwn = false }
            let events = try await deliver(conversation, through: accepted.sequence, isOwn: isOwn, in: store)
            return events + [.ok(key: key, sequence: accepted.sequence, at: accepted.at, in: conversation)]
        }
    }

    /// Everything after the cursor, or up to `limit`; without that last one where it is the socket's own.
    private mutating func deliver(
        _ conversation: ConversationID, through limit: Int?, isOwn: Bool, in store: any ConversationStore
    ) async throws
        -> [LoopbackFrame]
    {
        guard let cursor = cursors[conversation], limit ?? .max > cursor else { return [] }
        var (events, marks): ([StoredEvent], Marks)
        if let tail = store.tail(conversation, after: cursor) {
            (events, marks) = (tail.events, tail.marks)
        } else {
            guard let view = try await store.view(conversation, after: cursor, limit: .max) else { return [] }
            (events, marks) = (view.events, view.marks)
        }
        events.removeAll { $0.sequence > limit ?? .max }
        let last = events.last?.sequence ?? cursor
        if isOwn { events.removeAll { $0.sequence == limit } }
        cursors[conversation] = last
        var frames: [LoopbackFrame] = []
        let through = isOwn ? last - 1 : last
        if through > cursor { frames.append(.events(try shown(events), in: conversation, through: through)) }
        if pendingMarks.remove(conversation) != nil {
            frames.append(.marks(marks.visible(to: viewer), in: conversation))
            frames += try await played(conversation, through: marks.playbackPosition, in: store)
        }
        return frames
    }

    /// What was played further since the client was told.
    private mutating func played(
        _ conversation: ConversationID, through position: Int64, in store: any ConversationStore
    ) async throws -> [LoopbackFrame] {
        let known = playbackPosition[conversation] ?? 0
        guard position > known else { return [] }
        playbackPosition[conversation] = position
        let playback = try await store.played(conversation, changedAfter: known)
        return [.played(playback.flatMap { $0.visible(to: viewer) }, in: conversation)]
    }

    private func shown(_ events: [StoredEvent]) throws -> [Event] {
        try events.compactMap { stored in
            let event = try stored.decoded()
            switch event.visible(to: viewer) {
            case .same: return event
            case .instead(let other): return other
            case .hidden: return nil
            }
        }
    }
}
