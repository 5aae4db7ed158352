import EarshotCore
import EarshotModel
import NIOCore

/// The sockets of one event loop, and who of them follows what. Lives on its event loop only, so nothing here is locked.
final class SocketLoop {
    let eventLoop: any EventLoop
    let limits: SocketLimits
    /// Frames are put together here: one buffer for all sockets.
    var writer = WireWriter()
    /// A frame's payload while it is read.
    var payload: [UInt8] = []

    private var sockets: [ObjectIdentifier: SocketHandler] = [:]
    private var followers: [ConversationID: [Subscription]] = [:]
    private var feeds: [AccountID: InboxFeed] = [:]
    /// Sockets with something to flush at the end of this turn.
    private var touched: [SocketHandler] = []
    private var depth = 0
    private var isTicking = false
    /// Accounts that routing moved something of.
    var standings: [AccountID: Standings] = [:]

    static let tickMs: Int64 = 1_000

    init(_ eventLoop: any EventLoop, _ limits: SocketLimits) {
        self.eventLoop = eventLoop
        self.limits = limits
    }

    var now: Timestamp { Timestamp(milliseconds: Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000)) }
    var count: Int { sockets.count }

    /// Everything that writes happens in a turn: at its end each socket that has something is flushed once.
    func turn(_ body: (SocketLoop) -> Void) {
        depth += 1
        body(self)
        depth -= 1
        guard depth == 0 else { return }
        while !touched.isEmpty {
            let sockets = touched
            touched.removeAll(keepingCapacity: true)
            for socket in sockets { socket.flush() }
        }
    }

    func touch(_ socket: SocketHandler) { touched.append(socket) }

    func take(_ item: LoopMailbox.Item) {
        switch item {
        case .notifications(let notifications): for notification in notifications { hear(notification) }
        case .signal(let signal): followers[signal.conversation]?.forEach { $0.hear(signal) }
        case .turn(let body): body(self)
        }
    }

    private func hear(_ notification: CommitNotification) {
        followers[notification.conversation]?.forEach { $0.rang() }
        feeds[notification.account]?.rang(position: notification.position)
    }
}

extension SocketLoop {
    func add(_ socket: SocketHandler) {
        sockets[ObjectIdentifier(socket)] = socket
        if !isTicking { scheduleTick() }
    }

    func remove(_ socket: SocketHandler) {
        sockets[ObjectIdentifier(socket)] = nil
    }

    func follow(_ subscription: Subscription) {
        followers[subscription.id, default: []].append(subscription)
    }

    func unfollow(_ subscription: Subscription) {
        followers[subscription.id]?.removeAll { $0 === subscription }
        if followers[subscription.id]?.isEmpty == true { followers[subscription.id] = nil }
    }

    /// The inbox feed of an account, shared by its agents' sockets here.
    func feed(of account: AccountID, store: any ConversationStore, routing: RoutingService) -> InboxFeed {
        if let feed = feeds[account] { return feed }
        let feed = InboxFeed(account, self, store, routing)
        feeds[account] = feed
        return feed
    }

    func feed(known account: AccountID) -> InboxFeed? { feeds[account] }

    /// From now on this account's standings are looked at.
    func expect(of account: AccountID) {
        if standings[account] == nil { standings[account] = Standings() }
    }

    func agents(of account: AccountID) -> some Sequence<SocketHandler> {
        (feeds[account]?.sockets ?? []).lazy.filter { $0.agent != nil }
    }

    func consumers(of conversation: ConversationID) -> some Sequence<SocketHandler> {
        (followers[conversation] ?? []).lazy.map(\.socket).filter { $0.consumer != nil }
    }

    /// Consumers who await something, as far as they were told.
    func waiting(of account: AccountID) -> [SocketHandler] {
        sockets.values.filter { $0.isExpecting && $0.consumer?.account == account }
    }

    func remove(_ feed: InboxFeed) { feeds[feed.account] = nil }

    func tell(_ settings: AccountSettings, of account: AccountID) {
        for socket in Array(sockets.values) where socket.session.caller?.account == account { socket.tell(settings) }
    }

    func end(_ session: [UInt8]) {
        for socket in Array(sockets.values) where socket.owner?.session == session {
            socket.end(.notSignedIn, .notSignedIn)
        }
    }

    func end(_ agent: AgentID, mayComeBack: Bool) {
        for socket in Array(sockets.values) where socket.owner?.agent == agent {
            if mayComeBack { socket.end(.goingAway, .otherwise) } else { socket.end(.notSignedIn, .notSignedIn) }
        }
    }

    /// Consumers are told otherwise than people of the brand: their tokens stay good, and they must not throw them away.
    func suspend(_ account: AccountID) {
        for socket in Array(sockets.values) where socket.owner?.account == account {
            if socket.owner?.agent == nil {
                socket.end(.refused, .suspended)
            } else {
                socket.end(.notSignedIn, .notSignedIn)
            }
        }
    }

    /// Says farewell to everyone.
    func drain() {
        for socket in Array(sockets.values) { socket.drain() }
    }

    /// One timer for all sockets; none while there are no sockets.
    private func scheduleTick() {
        isTicking = !sockets.isEmpty
        guard isTicking else { return }
        eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Self.tickMs)) { self.tick() }
    }

    private func tick() {
        defer { scheduleTick() }
        let now = now
        turn { _ in
            let all = Array(sockets.values)
            for socket in all { socket.examine(at: now) }
            if let routing = all.first?.services.routing { tellStandings(routing: routing, at: now) }
        }
    }
}
