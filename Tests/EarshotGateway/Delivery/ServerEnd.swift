import EarshotCore
import EarshotDomain
import EarshotModel
import Foundation

@testable import EarshotGateway

/// The server's end of one client's line: the gateway's own snapshots, delivery cursors and frames, without a socket.
/// Frames are bytes, as a client gets them. The test decides when something is read, and what arrives.
struct ServerEnd {
    private let caller: Caller
    private let store: any ConversationStore
    private let account: AccountID
    /// Bytes of events in one delivery.
    private let room: Int
    private var cursors: [ConversationID: DeliveryCursor] = [:]
    private var inboxPosition: Int64?
    private var areRowsPending = false

    init(_ caller: Caller, account: AccountID, room: Int, store: any ConversationStore) {
        (self.caller, self.account, self.room, self.store) = (caller, account, room, store)
    }

    /// Whether a commit was notified that has not been read yet.
    var hasNews: Bool { areRowsPending || cursors.values.contains(where: \.isBehind) }

    func follows(_ conversation: ConversationID) -> Bool { cursors[conversation] != nil }

    /// Remembers what the commit notifications announce, to be read by `pump`.
    mutating func hear(_ notifications: [CommitNotification]) {
        for notification in notifications {
            if inboxPosition != nil { areRowsPending = true }
            cursors[notification.conversation]?.logAdvanced()
        }
    }

    // MARK: - Snapshots

    /// The `ready` of a consumer, or the `watching` of an agent; `nil` where an agent watches what has not begun.
    mutating func open(_ id: ConversationID, after: Int?) async throws -> [UInt8]? {
        guard let conversation = try? await ConversationAccess(conversations: store).open(id, as: caller) else {
            return nil
        }
        let snapshot = (try await Snapshot.read(id, after: after, from: store) ?? .empty).bounded(by: room)
        cursors[id] = DeliveryCursor(
            conversation, position: snapshot.through, marks: snapshot.marks.visible(to: conversation.viewer),
            playbackPosition: snapshot.marks.playbackPosition)
        if snapshot.through < snapshot.state?.sequence ?? 0 { cursors[id]?.logAdvanced() }
        let parts = snapshot.parts(for: conversation.viewer)
        var writer = WireWriter()
        switch caller {
        case .consumer:
            let isFresh = after != nil && !snapshot.continuesCursor
            writer.ready(parts, epoch: store.epoch, me: .consumer, fresh: isFresh ? true : nil)
        case .agent:
            let card = ConsumerCard(
                name: "Visitor", app: conversation.identity.app, since: Timestamp(milliseconds: 0), page: nil,
                language: nil, device: nil)
            writer.watching(id, who: card, parts, recorded: nil, fresh: !snapshot.continuesCursor)
        }
        return writer.bytes
    }

    /// The `ready` of an agent.
    mutating func openInbox(after: Int64?) async throws -> [UInt8]? {
        guard case .agent(let agent) = caller else { return nil }
        let inbox = try await store.inbox(account, after: after)
        inboxPosition = inbox.position
        return written {
            $0.inbox(
                inbox.rows, epoch: store.epoch, agent: agent.id, position: inbox.position,
                fresh: !inbox.continuesPosition)
        }
    }

    /// Older events.
    func page(_ id: ConversationID, before: Int, limit: Int) async throws -> [UInt8] {
        let page = try await OlderPage.read(id, before: before, limit: limit, room: .max, from: store)
        guard let conversation = cursors[id]?.conversation else { return [] }
        return written {
            $0.page(
                page.events.compactMap { $0.bytes(for: conversation.viewer) }, of: conversation.frameID,
                more: page.hasMore, played: page.playback.flatMap { $0.visible(to: conversation.viewer) })
        }
    }

    // MARK: - Commands

    mutating func commandStarted(in id: ConversationID) { cursors[id]?.commandStarted() }

    /// The answer to a command, in order with the events of its conversation.
    mutating func answer(
        _ key: IdempotencyKey, _ command: Command, in id: ConversationID, _ result: Result<Accepted, ChangeFailure>
    ) async throws -> [[UInt8]] {
        var isMessage = false
        if case .send = command { isMessage = true }
        let frameID = cursors[id]?.conversation.frameID ?? id
        switch result {
        case .failure(.failed(let failure)): throw failure
        case .failure(.refused(let rejection)):
            cursors[id]?.commandRefused()
            let refusal = ServerFrame.Refusal(
                key: key, code: rejection.code.rawValue, text: rejection.text, conversation: frameID,
                limit: rejection.limit)
            return [written { $0.no(refusal) }] + (try await deliver(id))
        case .success(let accepted):
            guard cursors[id] != nil else {
                return [ok(key, accepted.sequence, accepted.at, frameID)]
            }
            cursors[id]?.commandAccepted(key, accepted, isMessage: isMessage)
            return try await deliver(id)
        }
    }

    // MARK: - Delivery

    /// Reads what the commit notifications announced.
    mutating func pump() async throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for id in cursors.keys.sorted() { frames += try await deliver(id) }
        guard areRowsPending, let position = inboxPosition else { return frames }
        areRowsPending = false
        let inbox = try await store.changedRows(of: account, after: position, limit: Limits.changedRows)
        areRowsPending = inbox.rows.count == Limits.changedRows
        inboxPosition = inbox.position
        return frames + [written { $0.rows(inbox.rows, position: inbox.position) }]
    }

    /// Moves a conversation's cursor as far as the log and the commands in flight allow.
    private mutating func deliver(_ id: ConversationID) async throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while let cursor = cursors[id], cursor.isBehind {
            let missing = try await missingEvents(id, after: cursor.position)
            let (viewer, position) = (cursor.conversation.viewer, cursor.position)
            var next = cursor
            let outputs = next.advance(missing.events, marks: missing.marks?.visible(to: viewer), room: room) {
                $0.bytes(for: viewer)
            }
            cursors[id] = next
            frames += outputs.map { bytes(of: $0, cursor.conversation.frameID) }
            if let marks = missing.marks { frames += try await played(id, through: marks.playbackPosition) }
            if missing.hasMore { cursors[id]?.logAdvanced() }
            guard !outputs.isEmpty || next.position != position else { break }
        }
        return frames
    }

    /// From memory where the log's tail is cached, otherwise from the database.
    private func missingEvents(_ id: ConversationID, after position: Int) async throws
        -> (events: [StoredEvent], marks: Marks?, hasMore: Bool)
    {
        if let tail = store.tail(id, after: position) { return (tail.events, tail.marks, false) }
        let missing = try await MissingEvents.read(id, after: position, from: store)
        return (missing.events, missing.marks, missing.mayHaveMore)
    }

    private mutating func played(_ id: ConversationID, through position: Int64) async throws -> [[UInt8]] {
        guard let cursor = cursors[id], position > cursor.playbackPosition else { return [] }
        let playback = try await store.played(id, changedAfter: cursor.playbackPosition)
        let due = playback.filter { $0.sequence <= cursor.position }
        if due.count == playback.count { cursors[id]?.playbackDelivered(through: position) }
        let visible = due.flatMap { $0.visible(to: cursor.conversation.viewer) }
        guard !visible.isEmpty else { return [] }
        return [written { $0.played(.init(played: visible, conversation: cursor.conversation.frameID)) }]
    }

    private func bytes(of output: DeliveryCursor.Output, _ frameID: ConversationID?) -> [UInt8] {
        switch output {
        case .deliver(let events, let through, let last):
            written { $0.events(events, in: frameID, through: through == last ? nil : through) }
        case .ok(let key, let sequence, let at): ok(key, sequence, at, frameID)
        case .marks(let marks): written { $0.marks(.init(marks: marks, conversation: frameID)) }
        }
    }

    private func ok(_ key: IdempotencyKey, _ sequence: Int, _ at: Timestamp, _ frameID: ConversationID?) -> [UInt8] {
        written { $0.ok(.init(key: key, sequence: sequence, at: at, conversation: frameID)) }
    }

    private func written(_ compose: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        compose(&writer)
        return writer.bytes
    }
}
