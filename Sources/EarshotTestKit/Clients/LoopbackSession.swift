public import EarshotCore
public import EarshotDomain
public import EarshotModel

/// The server's end of one client's socket, by the book: cursors, the doorbell's flags, and frames to send. Reads the store and nothing else.
public struct LoopbackSession: Sendable {
    public let actor: Actor
    private var cursors: [ConversationID: Int] = [:]
    /// Feed position through which the client knows what was heard.
    private var heardPositions: [ConversationID: Int64] = [:]
    private var rung: Set<ConversationID> = []
    private var marksRung: Set<ConversationID> = []
    private var position: Int64?
    private var rowsRung = false

    /// Events in a snapshot.
    private let window: Int

    public init(actor: Actor, window: Int) {
        (self.actor, self.window) = (actor, window)
    }

    private var viewer: Viewer { actor == .consumer ? .consumer : .brand }

    /// Whether the doorbell rang for something that was not read since.
    public var hasNews: Bool { !rung.isEmpty || !marksRung.isEmpty || rowsRung }

    public mutating func hear(_ rings: [Ring]) {
        for ring in rings {
            if position != nil { rowsRung = true }
            guard cursors[ring.conversation] != nil else { continue }
            rung.insert(ring.conversation)
            if ring.marksMoved { marksRung.insert(ring.conversation) }
        }
    }

    /// The snapshot of one conversation, after the client's cursor.
    public mutating func watch(_ conversation: ConversationID, after: Int?, in store: any ConversationStore) async throws -> LoopbackFrame {
        guard let view = try await store.view(conversation, after: after, limit: window) else {
            cursors[conversation] = 0
            return .snapshot(
                conversation, .init(status: .new, people: [], marks: [], events: [], through: 0, more: false, heard: [], fresh: true))
        }
        cursors[conversation] = view.state.sequence
        heardPositions[conversation] = view.marks.heardPosition
        // Also of what the client has already: it may have been heard while the client was away.
        let hearings = try await store.heard(conversation, from: 0, through: view.state.sequence)
        return .snapshot(
            conversation,
            .init(
                status: view.state.status, people: view.state.people.visible(to: viewer), marks: view.marks.visible(to: viewer),
                events: try shown(view.events), through: view.state.sequence, more: view.hasMore,
                heard: hearings.flatMap { $0.visible(to: viewer) }, fresh: !view.continuesCursor))
    }

    public mutating func openInbox(_ account: AccountID, after: Int64?, in store: any ConversationStore) async throws -> LoopbackFrame {
        let inbox = try await store.inbox(account, after: after)
        position = inbox.position
        return .inbox(rows: inbox.rows, position: inbox.position, fresh: after == nil)
    }

    public func page(_ conversation: ConversationID, before: Int, in store: any ConversationStore) async throws -> LoopbackFrame {
        let events = try await store.page(conversation, before: before, limit: window)
        let heard = try await store.heard(conversation, from: events.first?.sequence ?? 0, through: before - 1)
        return .page(
            try shown(events), of: conversation, more: (events.first?.sequence ?? 1) > 1, heard: heard.flatMap { $0.visible(to: viewer) })
    }

    /// Reads what the doorbell rang for.
    public mutating func pump(_ account: AccountID, in store: any ConversationStore) async throws -> [LoopbackFrame] {
        var frames: [LoopbackFrame] = []
        for conversation in rung.sorted() { frames += try await deliver(conversation, through: nil, isOwn: false, in: store) }
        rung = []
        if rowsRung, let after = position {
            rowsRung = false
            let inbox = try await store.inbox(account, after: after)
            position = inbox.position
            frames.append(.rows(inbox.rows, position: inbox.position))
        }
        return frames
    }

    /// The answer to a command, behind every event up to it. Its own event is not repeated, unless it was said on another socket.
    public mutating func answer(
        _ key: IdempotencyKey, _ command: Command, in conversation: ConversationID, _ result: Result<Accepted, ChangeFailure>,
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
    private mutating func deliver(_ conversation: ConversationID, through limit: Int?, isOwn: Bool, in store: any ConversationStore) async throws
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
        if marksRung.remove(conversation) != nil {
            frames.append(.marks(marks.visible(to: viewer), in: conversation))
            frames += try await heard(conversation, through: marks.heardPosition, in: store)
        }
        return frames
    }

    /// What was heard further since the client was told.
    private mutating func heard(_ conversation: ConversationID, through position: Int64, in store: any ConversationStore) async throws -> [LoopbackFrame] {
        let known = heardPositions[conversation] ?? 0
        guard position > known else { return [] }
        heardPositions[conversation] = position
        let hearings = try await store.heard(conversation, changedAfter: known)
        return [.heard(hearings.flatMap { $0.visible(to: viewer) }, in: conversation)]
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
