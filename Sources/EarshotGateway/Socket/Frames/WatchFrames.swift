import EarshotCore
import EarshotDomain
import EarshotModel

/// Performs the frames that read a conversation: `watch` and `page`.
struct WatchFrames {
    private let connection: SocketConnection

    init(_ connection: SocketConnection) { self.connection = connection }

    /// Sends a snapshot of the conversation and follows it from there.
    func watch(_ id: ConversationID, after: Int?) {
        guard let caller = connection.caller else { return }
        let (feed, services) = (connection.conversations, connection.services)
        feed.unsubscribe(id)
        guard feed.count < Limits.watches else {
            let rejection = Rejection(
                .tooManyWatches, "You can watch at most \(Limits.watches) conversations at a time. Unwatch one first.",
                limit: Limits.watches)
            return connection.refuse(FrameRefusal(rejection, conversation: id))
        }
        let subscription = feed.subscribe(id)
        connection.wait(for: .watch(id, after: after)) {
            let open = try await services.access.open(id, as: caller)
            guard let snapshot = try await Snapshot.read(id, after: after, from: services.store) else {
                throw Rejection.notFound
            }
            if case .agent(let agent) = caller, let state = snapshot.state, !state.has(agent.id) {
                if state.status == .closed {
                    try await services.audit.noteReading(of: id, by: agent)
                } else if state.assignee != nil {
                    try await services.audit.noteWatching(of: id, by: agent)
                }
            }
            let card = try await services.identity.card(
                of: open.identity.consumer, for: caller, by: services.access)
            return (open, snapshot, card)
        } then: { open, snapshot, card in
            let snapshot = snapshot.bounded(by: connection.limits.deliveryBytes)
            connection.write {
                $0.watching(
                    id, who: card, snapshot.parts(for: open.viewer), recorded: snapshot.state?.routing.recorded,
                    fresh: !snapshot.continuesCursor)
            }
            subscription.start(open, from: snapshot)
        } failed: {
            feed.unsubscribe(id)
        }
    }

    /// Sends older events.
    func page(of conversation: OpenConversation, before: Int, limit: Int?, for frame: ClientFrame) {
        let (store, room) = (connection.services.store, connection.limits.deliveryBytes)
        let limit = min(max(limit ?? Limits.pageEvents, 1), Limits.pageEventsMaximum)
        let settings = connection.services.settings
        connection.wait(for: frame) {
            let page = try await OlderPage.read(conversation.id, before: before, limit: limit, room: room, from: store)
            guard case .consumer(let consumer) = conversation.caller,
                !settings.showsAllHistory(of: consumer.account)
            else { return page }
            let state = try await store.view(conversation.id, after: nil, limit: 1)?.state
            return page.presented(from: try await settings.historyBegins(in: state, of: consumer.account))
        } then: { page in
            let viewer = conversation.viewer
            connection.write {
                $0.page(
                    page.events.compactMap { $0.bytes(for: viewer) }, of: conversation.frameID, more: page.hasMore,
                    played: page.playback.flatMap { $0.visible(to: viewer) })
            }
        }
    }
}

extension ConversationState {
    /// Whether this agent takes part in the conversation, or did.
    fileprivate func has(_ agent: AgentID) -> Bool { people.contains { $0.id == agent } }
}

/// Events before those that a client has.
struct OlderPage: Sendable {
    private(set) var events: [StoredEvent]
    let playback: [MessagePlayback]
    /// There are older events, but the brand does not show them.
    private var isCut = false

    var hasMore: Bool { !isCut && (events.first?.sequence ?? 1) > 1 }

    private init(events: [StoredEvent], playback: [MessagePlayback]) {
        self.events = events
        self.playback = playback
    }

    /// The same page without the events before a time.
    func presented(from begin: Timestamp?) -> OlderPage {
        var cut = self
        cut.events = events.presented(from: begin)
        cut.isCut = cut.events.count < events.count
        return cut
    }

    /// Reads as many events as there is room for, and at least one.
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
