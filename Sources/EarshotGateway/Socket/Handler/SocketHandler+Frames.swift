import EarshotCore
import EarshotDomain
import EarshotModel
import NIOCore

/// What each frame does.
extension SocketHandler {
    func perform(_ frame: ClientFrame, in conversation: ConversationID?) {
        switch frame {
        case .presence(let state, let reason): return choose(state, reason, frame)
        case .team(let isOn): return want(team: isOn)
        case .wall(let isOn): return want(wall: isOn)
        default: break
        }
        guard let conversation else { return refuse(frame.refused(FrameRefusal.malformed)) }
        switch frame {
        case .hello, .presence, .team, .wall: refuse(FrameRefusal(FrameRefusal.unknownKind))
        case .ask(let key, _, let ask): open(conversation, for: frame) { $0.ask(ask, key, frame, in: $1) }
        case .send(let send): open(conversation, for: frame) { $0.say(send, in: $1) }
        case .take(let key, _): open(conversation, for: frame) { $0.command(.take, key, in: $1, isWord: false) }
        case .close(let key, _): open(conversation, for: frame) { $0.command(.close, key, in: $1, isWord: false) }
        case .typing(let isTyping, _): type(isTyping, in: conversation)
        case .got(let sequence, _):
            open(conversation, for: frame) { $0.services.conversations.mark(delivered: sequence, read: 0, in: $1) }
        case .read(let sequence, _):
            open(conversation, for: frame) {
                $0.services.conversations.mark(delivered: sequence, read: sequence, in: $1)
            }
        case .played(let played): open(conversation, for: frame) { $0.services.conversations.played(played, in: $1) }
        case .watch(_, let after): watch(conversation, after: after)
        case .unwatch: unsubscribe(conversation)
        case .page(_, let before, let limit):
            open(conversation, for: frame) { $0.page(of: $1, before: before, limit: limit) }
        }
    }

    /// Passes the gate, which remembers nothing for a conversation that is followed: it was passed there.
    private func open(
        _ id: ConversationID, for frame: ClientFrame, then: @escaping (SocketHandler, OpenConversation) -> Void
    ) {
        if let open = subscription(id)?.follow?.conversation ?? (lastOpened?.id == id ? lastOpened : nil) {
            return then(self, open)
        }
        guard case .live(let caller) = session.phase else { return }
        let access = services.access
        wait(for: frame) {
            try await access.open(id, as: caller)
        } then: { handler, open in
            handler.lastOpened = open
            then(handler, open)
        }
    }

    private func subscription(_ id: ConversationID) -> Subscription? {
        subscriptions.first { $0.id == id }
    }

    private func say(_ send: ClientFrame.Send, in conversation: OpenConversation) {
        if let read = send.read { services.conversations.mark(delivered: read, read: read, in: conversation) }
        switch send.body {
        case .text(let text): command(.send(.text(text)), send.key, in: conversation, isWord: true)
        case .audio(let media):
            let service = services.conversations
            wait(for: .send(send)) {
                try await service.recording(media, in: conversation)
            } then: { handler, recording in
                // One that waited for the scanner may be another by now than its sender knows: then it is delivered as any other event.
                handler.command(
                    .send(.audio(recording.message)), send.key, in: conversation, isWord: !recording.hasWaited)
            }
        }
    }

    /// A recording that it carries is looked up first, as that of a message is.
    private func ask(_ ask: Command, _ key: IdempotencyKey, _ frame: ClientFrame, in conversation: OpenConversation) {
        guard let media = ask.recording else { return command(ask, key, in: conversation, isWord: false) }
        let service = services.conversations
        wait(for: frame) {
            try await service.recording(media, in: conversation)
        } then: { handler, _ in
            handler.command(ask, key, in: conversation, isWord: false)
        }
    }

    private func type(_ isTyping: Bool, in conversation: ConversationID) {
        guard let follow = subscription(conversation)?.follow else { return }
        let state = services.store.tail(conversation, after: follow.cursor)?.state
        guard let by = state?.openParticipant(follow.conversation.actor) else { return }
        hub.send(
            Signal(conversation: conversation, by: by, isOff: !isTyping, author: follow.conversation.caller.author))
    }

    private func watch(_ id: ConversationID, after: Int?) {
        guard case .live(let caller) = session.phase else { return }
        unsubscribe(id)
        guard subscriptions.count < Limits.watches else {
            let rejection = Rejection(
                .tooManyWatches, "At most \(Limits.watches) conversations at a time.", limit: Limits.watches)
            return refuse(FrameRefusal(rejection, conversation: id))
        }
        let subscription = subscribe(id)
        let services = services
        wait(for: .watch(id, after: after)) {
            let open = try await services.access.open(id, as: caller)
            guard let snapshot = try await Snapshot.read(id, after: after, from: services.store) else {
                throw Rejection.notFound
            }
            return (open, snapshot, try await services.identity.card(of: open.identity.consumer))
        } then: { handler, found in
            handler.watching(subscription, found.0, found.1.bounded(by: handler.limits.deliveryBytes), found.2)
        } failed: { handler in
            handler.unsubscribe(id)
        }
    }

    private func watching(
        _ subscription: Subscription, _ conversation: OpenConversation, _ snapshot: Snapshot, _ who: ConsumerCard
    ) {
        loop.writer.clear()
        loop.writer.watching(
            conversation.id, who: who, snapshot.parts(for: conversation.viewer), fresh: !snapshot.continuesCursor)
        writeFrame()
        begin(subscription, conversation, snapshot)
    }

    private func page(of conversation: OpenConversation, before: Int, limit: Int?) {
        let (store, room) = (services.store, limits.deliveryBytes)
        let limit = min(max(limit ?? Limits.pageEvents, 1), Limits.pageEventsMaximum)
        wait(for: .page(conversation.id, before: before, limit: limit)) {
            try await OlderPage.read(conversation.id, before: before, limit: limit, room: room, from: store)
        } then: { handler, page in
            let viewer = conversation.viewer
            handler.loop.writer.clear()
            handler.loop.writer.page(
                page.events.compactMap { $0.bytes(for: viewer) }, of: conversation.frameID, more: page.hasMore,
                played: page.playback.flatMap { $0.visible(to: viewer) })
            handler.writeFrame()
        }
    }
}

/// Events before those that a client has.
private struct OlderPage: Sendable {
    let events: [StoredEvent]
    let playback: [MessagePlayback]

    var hasMore: Bool { (events.first?.sequence ?? 1) > 1 }

    /// As many as there is room for, and one at least.
    static func read(_ id: ConversationID, before: Int, limit: Int, room: Int, from store: any ConversationStore)
        async throws -> OlderPage
    {
        let events = before > 1 ? try await store.page(id, before: before, limit: limit) : []
        var room = room
        let fitting = events.reversed().enumerated().prefix { index, event in
            room -= event.encoded.count
            return room >= 0 || index == 0
        }.map(\.element).reversed()
        guard let first = fitting.first, let last = fitting.last else { return OlderPage(events: [], playback: []) }
        return OlderPage(
            events: Array(fitting), playback: try await store.played(id, from: first.sequence, through: last.sequence))
    }
}

extension OpenConversation {
    /// Its id in a frame: a consumer has one conversation, and no frame names it.
    var frameID: ConversationID? {
        viewer == .consumer ? nil : id
    }
}
