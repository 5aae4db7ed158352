import EarshotCore
import EarshotDomain
import EarshotModel

/// Deliveries: reads the log after the cursor, and stops where the socket is full. Nothing is queued that the log has already.
extension SocketHandler {
    func pumpAll() {
        for subscription in subscriptions { pump(subscription) }
    }

    func pump(_ subscription: Subscription) {
        // Asked of the field and not of a copy: this runs for every message, and a copy of a `Follow` costs more than the asking.
        while subscription.follow?.isBehind == true, !subscription.isReading, let cursor = subscription.follow?.cursor {
            guard canWrite else {
                wantsRoom = true
                return
            }
            guard let tail = services.store.tail(subscription.id, after: cursor) else {
                return read(subscription, after: cursor)
            }
            guard advance(subscription, tail.events, tail.marks) else { return }
        }
    }

    /// - Returns: whether that got it any further.
    private func advance(_ subscription: Subscription, _ events: [StoredEvent], _ marks: Marks?) -> Bool {
        let (viewer, before) = (subscription.viewer, subscription.follow?.cursor)
        let outputs =
            subscription.follow?.advance(events, marks: marks?.visible(to: viewer), room: limits.deliveryBytes) {
                $0.bytes(for: viewer)
            } ?? []
        for output in outputs { write(output, subscription.frameID) }
        if let marks { tellPlayed(subscription, through: marks.playbackPosition) }
        return !outputs.isEmpty || subscription.follow?.cursor != before
    }

    /// What was played further since the client was told. Read from the log: it moves a few times a minute, and memory need not hold it.
    private func tellPlayed(_ subscription: Subscription, through position: Int64) {
        guard !subscription.isReadingPlayed, let known = subscription.follow?.playbackPosition, position > known else {
            return
        }
        subscription.isReadingPlayed = true
        let (store, id) = (services.store, subscription.id)
        loop.load {
            try await store.played(id, changedAfter: known)
        } then: { result in
            subscription.isReadingPlayed = false
            guard let cursor = subscription.follow?.cursor, case .success(let playback) = result else { return }
            guard self.canWrite else {
                subscription.follow?.rang()
                self.wantsRoom = true
                return
            }
            let played = playback.filter { $0.sequence <= cursor }
            self.write(played.flatMap { $0.visible(to: subscription.viewer) }, subscription.frameID)
            // What stands before its message waits for the message, whose delivery looks again.
            guard played.count == playback.count else { return }
            subscription.follow?.told(playedThrough: position)
            subscription.rang()
        }
    }

    private func write(_ played: [PlaybackProgress], _ conversation: ConversationID?) {
        guard !played.isEmpty else { return }
        loop.writer.clear()
        loop.writer.played(.init(played: played, conversation: conversation))
        writeFrame()
    }

    /// The brand changed its settings.
    func tell(_ settings: AccountSettings) {
        guard let caller = session.caller else { return }
        loop.writer.clear()
        loop.writer.settings(settings.view(for: caller.role, on: .web))
        writeFrame()
    }

    private func write(_ output: Follow.Output, _ conversation: ConversationID?) {
        switch output {
        case .deliver(let events, let through, let last):
            loop.writer.clear()
            loop.writer.events(events, in: conversation, through: through == last ? nil : through)
            writeFrame()
        case .ok(let key, let sequence, let at): writeOK(key, sequence, at, conversation)
        case .marks(let marks):
            loop.writer.clear()
            loop.writer.marks(.init(marks: marks, conversation: conversation))
            writeFrame()
        }
    }

    /// Memory does not hold what this one lacks: the database does.
    private func read(_ subscription: Subscription, after cursor: Int) {
        subscription.isReading = true
        let (store, id) = (services.store, subscription.id)
        loop.load {
            try await Missing.read(id, after: cursor, from: store)
        } then: { result in
            subscription.isReading = false
            guard subscription.follow != nil, case .success(let missing) = result else { return }
            let isFurther = self.deliver(missing, to: subscription)
            subscription.ringAgain()
            if isFurther { self.pump(subscription) }
        }
    }

    /// As much of what was read as there is room for: reading is dearer than writing.
    private func deliver(_ missing: Missing, to subscription: Subscription) -> Bool {
        var (rest, isFurther) = (missing.events, false)
        repeat {
            guard advance(subscription, rest, missing.marks) else { return isFurther }
            isFurther = true
            let cursor = subscription.follow?.cursor ?? .max
            rest.removeAll { $0.sequence <= cursor }
        } while !rest.isEmpty && canWrite && subscription.follow?.isBehind == true
        if missing.mayHaveMore { subscription.follow?.rang() }
        return isFurther
    }

    func say(_ signal: Signal, _ conversation: ConversationID?) {
        guard canWrite else { return }
        loop.writer.clear()
        loop.writer.typing(.init(by: signal.by, conversation: conversation, isOff: signal.isOff))
        writeFrame()
    }
}

/// What comes after a cursor, from the database.
private struct Missing: Sendable {
    let events: [StoredEvent]
    /// Known where this reaches the end.
    let marks: Marks?
    var mayHaveMore: Bool { marks == nil }

    private static let atOnce = 64

    /// Numbers have no gaps: so many below that number are the ones right after the cursor.
    static func read(_ conversation: ConversationID, after cursor: Int, from store: any ConversationStore) async throws
        -> Missing
    {
        let events = try await store.page(conversation, before: cursor + atOnce + 1, limit: atOnce).filter {
            $0.sequence > cursor
        }
        guard events.count < atOnce else { return Missing(events: events, marks: nil) }
        let view = try await store.view(conversation, after: cursor + events.count, limit: 1)
        return Missing(events: events, marks: view?.marks ?? Marks())
    }
}
