import EarshotCore
import EarshotDomain
import EarshotModel

/// One connection's subscription to one conversation: reads the log after the client's position and writes what is new,
/// as long as there is room. Nothing is queued that the log has already.
final class Subscription {
    let id: ConversationID
    private unowned let connection: SocketConnection
    /// `nil` until the snapshot is sent, and after the subscription ended.
    private var cursor: DeliveryCursor?
    /// Who reads, and how frames name the conversation: known once the snapshot is sent.
    private var viewer = Viewer.consumer
    private var frameID: ConversationID?
    /// A commit was notified before the snapshot was sent or while the log was read.
    private var hasPendingNotification = false
    private var isReadingEvents = false
    private var isReadingPlayback = false

    init(_ id: ConversationID, _ connection: SocketConnection) {
        self.id = id
        self.connection = connection
    }

    /// The conversation once it is followed.
    var conversation: OpenConversation? { cursor?.conversation }

    /// The client has everything through this number; `nil` where it does not follow yet.
    var position: Int? { cursor?.position }

    /// The consumer's status feed, where a consumer follows.
    var consumerStatus: ConsumerStatusFeed? { connection.consumerStatus }

    // MARK: - Start and end

    /// Follows the conversation from its snapshot on.
    func start(_ conversation: OpenConversation, from snapshot: Snapshot) {
        cursor = DeliveryCursor(
            conversation, position: snapshot.through, marks: snapshot.marks.visible(to: conversation.viewer),
            playbackPosition: snapshot.marks.playbackPosition)
        viewer = conversation.viewer
        frameID = conversation.frameID
        if snapshot.through < snapshot.state?.sequence ?? 0 { hasPendingNotification = true }
        deliverPendingNotification()
    }

    func end() { cursor = nil }

    // MARK: - Notifications

    /// The conversation has new events or marks.
    func notify() {
        guard let commands = cursor?.commandsInFlight, !isReadingEvents else {
            hasPendingNotification = true
            return
        }
        cursor?.logAdvanced()
        // Nothing is delivered beyond an answer in flight, and the answer delivers again.
        if commands == 0 { deliver() }
    }

    /// Something happens that is not in the log.
    func notify(_ signal: Signal) {
        guard let caller = cursor?.conversation.caller, connection.canWrite else { return }
        let (id, frameID) = (id, frameID)
        switch signal.what {
        case .typing(let by, let isOff, let author):
            guard caller.author != author else { return }
            connection.write { $0.typing(.init(by: by, conversation: frameID, isOff: isOff)) }
        case .check(let check):
            if caller.leg == .consumer { connection.write { $0.rare(.check(check)) } }
        case .readiness(let readiness):
            if caller.leg == .agent { connection.write { $0.rare(.checked(.init(readiness, in: id))) } }
        }
    }

    /// What was committed while the log was read may not have been in it.
    private func deliverPendingNotification() {
        guard hasPendingNotification else { return }
        hasPendingNotification = false
        cursor?.logAdvanced()
        deliver()
    }

    // MARK: - Commands of this connection

    func commandStarted() { cursor?.commandStarted() }

    /// - Returns: whether the answer is written here, in order with the events; else the caller writes it.
    func commandAccepted(_ key: IdempotencyKey, _ accepted: Accepted, isMessage: Bool) -> Bool {
        guard cursor != nil else { return false }
        cursor?.commandAccepted(key, accepted, isMessage: isMessage)
        return true
    }

    func commandRefused() { cursor?.commandRefused() }

    // MARK: - Delivery

    /// Writes what the client does not have yet, from memory where the log's tail is cached.
    func deliver() {
        // Reads the fields and not a copy: this runs for every message, and a copy of a `DeliveryCursor` costs more
        // than these reads.
        while cursor?.isBehind == true, !isReadingEvents, let position = cursor?.position {
            guard connection.canWrite else { return connection.resumeAfterFlush() }
            guard let tail = connection.services.store.tail(id, after: position) else {
                return readEvents(after: position)
            }
            guard cursor?.conversation.isInScope(tail.state) != false else { return connection.conversations.lose(id) }
            guard advance(tail.events, tail.marks) else { return }
        }
    }

    /// - Returns: whether there was progress.
    private func advance(_ events: [StoredEvent], _ marks: Marks?) -> Bool {
        let (viewer, before) = (viewer, cursor?.position)
        let outputs =
            cursor?.advance(events, marks: marks?.visible(to: viewer), room: connection.limits.deliveryBytes) {
                $0.bytes(for: viewer)
            } ?? []
        for output in outputs { write(output) }
        if let marks { deliverPlayback(through: marks.playbackPosition) }
        return !outputs.isEmpty || cursor?.position != before
    }

    private func write(_ output: DeliveryCursor.Output) {
        let frameID = frameID
        switch output {
        case .deliver(let events, let through, let last):
            connection.write { $0.events(events, in: frameID, through: through == last ? nil : through) }
        case .ok(let key, let sequence, let at): connection.answer(key, sequence, at, in: frameID)
        case .marks(let marks): connection.write { $0.marks(.init(marks: marks, conversation: frameID)) }
        }
    }

    /// Reads the database, because memory does not hold what this client lacks.
    private func readEvents(after position: Int) {
        guard let conversation = cursor?.conversation else { return }
        isReadingEvents = true
        let (store, access, id) = (connection.services.store, connection.services.access, id)
        connection.load {
            if !conversation.isAlwaysInScope { _ = try await access.open(id, as: conversation.caller) }
            return try await MissingEvents.read(id, after: position, from: store)
        } then: { result in
            self.isReadingEvents = false
            guard self.cursor != nil else { return }
            if case .failure(let rejection as Rejection) = result, rejection.code == .notFound {
                return self.connection.conversations.lose(id)
            }
            guard case .success(let missing) = result else { return }
            let hasAdvanced = self.deliver(missing)
            self.deliverPendingNotification()
            if hasAdvanced { self.deliver() }
        }
    }

    /// Writes as much of what was read as there is room for: reading costs more than writing.
    private func deliver(_ missing: MissingEvents) -> Bool {
        var (rest, hasAdvanced) = (missing.events, false)
        repeat {
            guard advance(rest, missing.marks) else { return hasAdvanced }
            hasAdvanced = true
            let position = cursor?.position ?? .max
            rest.removeAll { $0.sequence <= position }
        } while !rest.isEmpty && connection.canWrite && cursor?.isBehind == true
        if missing.mayHaveMore { cursor?.logAdvanced() }
        return hasAdvanced
    }

    /// Writes the playback progress since the last time. Read from the database: it changes a few times a minute, so
    /// memory need not hold it.
    private func deliverPlayback(through position: Int64) {
        guard !isReadingPlayback, let delivered = cursor?.playbackPosition, position > delivered else { return }
        isReadingPlayback = true
        let (store, id) = (connection.services.store, id)
        connection.load {
            try await store.played(id, changedAfter: delivered)
        } then: { result in
            self.isReadingPlayback = false
            guard let last = self.cursor?.position, case .success(let playback) = result else { return }
            guard self.connection.canWrite else {
                self.cursor?.logAdvanced()
                return self.connection.resumeAfterFlush()
            }
            let played = playback.filter { $0.sequence <= last }
            self.write(played.flatMap { $0.visible(to: self.viewer) })
            // Progress of a message that is not delivered yet waits for that delivery, which reads it again.
            guard played.count == playback.count else { return }
            self.cursor?.playbackDelivered(through: position)
            self.notify()
        }
    }

    private func write(_ played: [PlaybackProgress]) {
        guard !played.isEmpty else { return }
        let frameID = frameID
        connection.write { $0.played(.init(played: played, conversation: frameID)) }
    }
}

/// The events after a position, from the database.
struct MissingEvents: Sendable {
    let events: [StoredEvent]
    /// Known where the events reach the end of the log.
    let marks: Marks?
    var mayHaveMore: Bool { marks == nil }

    private static let limit = 64

    /// Reads the next events. Numbers have no gaps, so a page that ends `limit` numbers later begins right after the
    /// position.
    static func read(_ conversation: ConversationID, after position: Int, from store: any ConversationStore)
        async throws -> MissingEvents
    {
        let events = try await store.page(conversation, before: position + limit + 1, limit: limit).filter {
            $0.sequence > position
        }
        guard events.count < limit else { return MissingEvents(events: events, marks: nil) }
        let view = try await store.view(conversation, after: position + events.count, limit: 1)
        return MissingEvents(events: events, marks: view?.marks ?? Marks())
    }
}

extension OpenConversation {
    /// The conversation's id in frames: a consumer has one conversation, and no frame to a consumer names it.
    var frameID: ConversationID? {
        viewer == .consumer ? nil : id
    }
}
