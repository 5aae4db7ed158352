import EarshotCore
import EarshotModel
import NIOCore

/// The connections of one event loop, and which of them follows what. It lives on its event loop only, so nothing here
/// is locked.
final class SocketLoop {
    let eventLoop: any EventLoop
    let limits: SocketLimits
    let metrics: GatewayMetrics
    /// Frames are composed here: one buffer for all connections.
    private var writer = WireWriter()
    /// The payload of the frame that was parsed last.
    private(set) var payload: [UInt8] = []

    private var connections: [ObjectIdentifier: SocketConnection] = [:]
    private var subscriptions: [ConversationID: [Subscription]] = [:]
    private var inboxFeeds: [AccountID: InboxFeed] = [:]
    private lazy var statuses = StatusBroadcaster(self)
    private lazy var uses = SessionUses(self)
    /// Connections with something to flush at the end of this turn.
    private var unflushed: [SocketConnection] = []
    private var turnDepth = 0
    private var isTicking = false

    static let tickMs: Int64 = 1_000

    init(_ eventLoop: any EventLoop, _ limits: SocketLimits, _ metrics: GatewayMetrics) {
        self.metrics = metrics
        self.eventLoop = eventLoop
        self.limits = limits
    }

    /// The monotonic time.
    var now: Timestamp { Timestamp(milliseconds: Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000)) }
    /// The number of open connections.
    var count: Int { connections.count }

    // MARK: - Turns

    /// Runs `body` in a turn. Everything that writes does so in a turn: at its end, each connection with new frames is
    /// flushed once.
    func turn(_ body: (SocketLoop) -> Void) {
        turnDepth += 1
        body(self)
        turnDepth -= 1
        guard turnDepth == 0 else { return }
        while !unflushed.isEmpty {
            let connections = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for connection in connections { connection.flush() }
        }
    }

    func flushAtEndOfTurn(_ connection: SocketConnection) { unflushed.append(connection) }

    /// Performs asynchronous work, and continues in a turn of this event loop.
    func load<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, then: @escaping (Result<Value, any Error>) -> Void
    ) {
        eventLoop.makeFutureWithTask(work).assumeIsolated().whenComplete { result in
            self.turn { _ in then(result) }
        }
    }

    // MARK: - Frames

    /// Composes one frame in the shared buffer.
    func compose(_ compose: (inout WireWriter) -> Void) {
        writer.clear()
        compose(&writer)
    }

    /// The bytes of the frame that was composed last.
    var composed: [UInt8] { writer.bytes }

    /// Parses the next frame of a connection; its payload is then in `payload`.
    func parse(_ input: inout ByteBuffer, with parser: inout FrameParser) -> FrameParser.Output? {
        parser.next(from: &input, payload: &payload)
    }

    // MARK: - Notifications

    func handle(_ item: LoopMailbox.Item) {
        switch item {
        case .notifications(let notifications, _): for notification in notifications { notify(notification) }
        case .signal(let signal): subscriptions[signal.conversation]?.forEach { $0.notify(signal) }
        case .turn(let body): body(self)
        }
    }

    private func notify(_ notification: CommitNotification) {
        subscriptions[notification.conversation]?.forEach { $0.notify() }
        inboxFeeds[notification.account]?.notify(position: notification.position)
    }

    /// Sends what routing changed.
    func send(_ changes: RoutingChanges, in account: AccountID, routing: RoutingService) {
        statuses.send(changes, in: account, routing: routing)
    }

    /// Sends the brand's settings after a change.
    func send(_ settings: AccountSettings, of account: AccountID) {
        for connection in Array(connections.values) where connection.caller?.account == account {
            connection.send(settings)
        }
    }

    /// Tells agents that another version of the contact-centre settings is in force.
    func sendSettingsVersion(_ version: Int, of account: AccountID) {
        // Who does not see everything comes back with what the skills of the new settings show.
        for connection in Array(connections.values) {
            guard connection.owner?.account == account, connection.owner?.agent != nil else { continue }
            // Who signs in at this moment may have read the skills from before.
            if case .agent(let agent)? = connection.caller, agent.scope == .everything { continue }
            connection.end(.goingAway, .accountChanged)
        }
        statuses.sendSettingsVersion(version, of: account)
    }

    // MARK: - Registry

    func add(_ connection: SocketConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if !isTicking { scheduleTick() }
    }

    func remove(_ connection: SocketConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    func add(_ subscription: Subscription) {
        subscriptions[subscription.id, default: []].append(subscription)
    }

    func remove(_ subscription: Subscription) {
        subscriptions[subscription.id]?.removeAll { $0 === subscription }
        if subscriptions[subscription.id]?.isEmpty == true { subscriptions[subscription.id] = nil }
    }

    /// The inbox feed of an account, shared by its agents' connections on this event loop; made where there is none.
    func inboxFeed(of account: AccountID, store: any ConversationStore, routing: RoutingService) -> InboxFeed {
        if let feed = inboxFeeds[account] { return feed }
        let feed = InboxFeed(account, self, store, routing)
        inboxFeeds[account] = feed
        return feed
    }

    func inboxFeed(of account: AccountID) -> InboxFeed? { inboxFeeds[account] }

    func remove(_ feed: InboxFeed) { inboxFeeds[feed.account] = nil }

    /// From now on this account's status is checked once a second.
    func trackStatus(of account: AccountID) { statuses.track(account) }

    /// The status feeds of an account's agents.
    func agentStatuses(of account: AccountID) -> [AgentStatusFeed] {
        (inboxFeeds[account]?.subscribers ?? []).compactMap(\.agentStatus)
    }

    /// The status feeds of the consumer who follows a conversation.
    func consumerStatuses(of conversation: ConversationID) -> some Sequence<ConsumerStatusFeed> {
        (subscriptions[conversation] ?? []).lazy.compactMap(\.consumerStatus)
    }

    /// The accounts that have connections here, and the status feeds of their consumers who wait for an answer. One
    /// walk over all connections, however many accounts there are.
    func waitingConsumers() -> [AccountID: [ConsumerStatusFeed]] {
        var waiting: [AccountID: [ConsumerStatusFeed]] = [:]
        for connection in connections.values {
            guard let account = connection.owner?.account else { continue }
            let feed = connection.consumerStatus.flatMap { $0.isWaiting ? $0 : nil }
            waiting[account, default: []] += feed.map { [$0] } ?? []
        }
        return waiting
    }

    // MARK: - Ending

    /// Ends the connections of a session that ended.
    func end(_ session: [UInt8]) {
        for connection in Array(connections.values) where connection.owner?.session == session {
            connection.end(.notSignedIn, .notSignedIn)
        }
    }

    /// Ends the connections of an agent who changed.
    func end(_ agent: AgentID, mayComeBack: Bool) {
        for connection in Array(connections.values) where connection.owner?.agent == agent {
            if mayComeBack {
                connection.end(.goingAway, .accountChanged)
            } else {
                connection.end(.notSignedIn, .notSignedIn)
            }
        }
    }

    /// Ends the connections of an agent whose session is not among these.
    func end(_ agent: AgentID, except sessions: [[UInt8]]) {
        for connection in Array(connections.values) where connection.owner?.agent == agent {
            guard let session = connection.owner?.session, !sessions.contains(session) else { continue }
            connection.end(.notSignedIn, .notSignedIn)
        }
    }

    /// Ends the connections of a blocked consumer. The token stays valid for the day when the block is lifted.
    func block(_ consumer: ConsumerID) {
        for connection in Array(connections.values) where connection.owner?.consumer == consumer {
            connection.end(.refused, .blocked)
        }
    }

    /// Ends the connections of a consumer who was signed out everywhere.
    func signOut(_ consumer: ConsumerID) {
        for connection in Array(connections.values) where connection.owner?.consumer == consumer {
            connection.end(.notSignedIn, .notSignedIn)
        }
    }

    /// Ends all connections of a suspended account. Consumers get another code than agents: their tokens stay valid,
    /// and they must keep them.
    func suspend(_ account: AccountID) {
        for connection in Array(connections.values) where connection.owner?.account == account {
            if connection.owner?.agent == nil {
                connection.end(.refused, .suspended)
            } else {
                connection.end(.notSignedIn, .notSignedIn)
            }
        }
    }

    /// Drains every connection.
    func drain() {
        for connection in Array(connections.values) { connection.drain() }
    }

    // MARK: - The timer

    /// One timer serves all connections; without connections there is none.
    private func scheduleTick() {
        isTicking = !connections.isEmpty
        guard isTicking else { return }
        eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Self.tickMs)) { self.tick() }
    }

    private func tick() {
        defer { scheduleTick() }
        let now = now
        turn { _ in
            let all = Array(connections.values)
            for connection in all { connection.check(at: now) }
            if let routing = all.first?.services.routing { statuses.check(routing: routing, at: now) }
            uses.note(of: all)
        }
    }
}
