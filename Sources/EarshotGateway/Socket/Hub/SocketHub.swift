public import EarshotCore
public import EarshotModel
public import Logging
public import NIOCore
public import ServiceLifecycle
import Synchronization

/// All sockets of this server, by event loop. Listens to commits and other changes and notifies the event loops: one
/// wake-up for each loop and commit.
public final class SocketHub: CommitListener, SettingsListener, SessionListener, ContactCentreListener, RoutingListener,
    Service
{
    /// Changes of routing that are not sent yet.
    private struct PendingChanges {
        var accounts: [AccountID: RoutingChanges] = [:]
        var isScheduled = false
    }

    let services: SocketDependencies
    let group: any EventLoopGroup
    /// What persons and addresses may send and hold open over all sockets.
    let allowances: SocketAllowances
    /// Counts and logs for the sockets.
    let monitor: SocketMonitor
    /// What the sockets and the gateway on this hub count.
    public var metrics: GatewayMetrics { monitor.metrics }
    private let limits: SocketLimits
    private let mailboxes: [ObjectIdentifier: LoopMailbox]
    private let pending = Mutex(PendingChanges())

    private static let drainPollMs: Int64 = 50

    /// Creates the hub of a server.
    /// - Parameters:
    ///   - services: the use cases that sockets call.
    ///   - group: the event loops that the server's connections live on.
    ///   - limits: what one socket may cost.
    public init(
        services: SocketDependencies, group: any EventLoopGroup, limits: SocketLimits = SocketLimits(),
        logger: Logger = Logger(label: "sockets") { _ in SwiftLogNoOpLogHandler() }
    ) {
        let monitor = SocketMonitor(logger: logger)
        self.monitor = monitor
        self.services = services
        self.limits = limits
        allowances = SocketAllowances(limits)
        self.group = group
        mailboxes = Dictionary(
            uniqueKeysWithValues: group.makeIterator().map {
                (ObjectIdentifier($0), LoopMailbox($0, limits: limits, metrics: monitor.metrics))
            })
    }

    // MARK: - Listening

    /// Delivers what was committed to the sockets that follow it.
    public func committed(_ notifications: [CommitNotification]) {
        let now = NIODeadline.now()
        for mailbox in mailboxes.values { mailbox.post(.notifications(notifications, at: now)) }
    }

    /// Sends the changed settings to every socket of the account.
    public func changed(_ settings: AccountSettings, of account: AccountID) {
        post { $0.send(settings, of: account) }
    }

    /// Tells every agent of the account which version of the contact-centre settings is in force, and sends their rows
    /// again, because due times may have changed.
    public func changed(_ centre: ContactCentreSettings, of account: AccountID) {
        let version = centre.version
        post { $0.sendSettingsVersion(version, of: account) }
    }

    /// Sends what routing changed. Changes are gathered for a moment, because one change causes many.
    public func moved(in account: AccountID, conversations: Set<ConversationID>, people: Set<AgentID>) {
        let isFirst = pending.withLock { pending in
            defer { pending.isScheduled = true }
            pending.accounts[account, default: RoutingChanges()].add(conversations, people)
            return !pending.isScheduled
        }
        if isFirst { group.any().scheduleTask(in: .milliseconds(limits.movesMs)) { self.sendPendingChanges() } }
    }

    private func sendPendingChanges() {
        let accounts = pending.withLock { pending in
            defer { pending = PendingChanges() }
            return pending.accounts
        }
        let routing = services.routing
        post { loop in
            for (account, changes) in accounts { loop.send(changes, in: account, routing: routing) }
        }
    }

    /// Closes every socket of a session that ended.
    public func ended(_ session: [UInt8]) { post { $0.end(session) } }

    /// Closes every socket of an agent who changed.
    public func ended(_ agent: AgentID, mayComeBack: Bool) { post { $0.end(agent, mayComeBack: mayComeBack) } }

    /// Closes every socket of an agent whose session is not among these.
    public func ended(_ agent: AgentID, except sessions: [[UInt8]]) { post { $0.end(agent, except: sessions) } }

    /// Closes every socket of a blocked consumer.
    public func blocked(_ consumer: ConsumerID) { post { $0.block(consumer) } }

    /// Closes every socket of a consumer who was signed out everywhere.
    public func signedOut(_ consumer: ConsumerID) { post { $0.signOut(consumer) } }

    /// Closes every socket of a suspended account.
    public func suspended(_ account: AccountID) { post { $0.suspend(account) } }

    // MARK: - Running

    /// Runs until the server shuts down, then ends every socket and waits, for a bounded time, until all are closed.
    public func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }

    private func drain() async {
        post { $0.drain() }
        let deadline = ContinuousClock.now + .milliseconds(limits.drainMs + limits.farewellMs + SocketLoop.tickMs)
        while ContinuousClock.now < deadline, await count() > 0 {
            try? await Task.sleep(for: .milliseconds(Self.drainPollMs))
        }
    }

    /// The number of open sockets.
    public func count() async -> Int {
        var count = 0
        for mailbox in mailboxes.values {
            count += (try? await mailbox.eventLoop.submit { mailbox.sockets.count }.get()) ?? 0
        }
        return count
    }

    // MARK: - Event loops

    func mailbox(of eventLoop: any EventLoop) -> LoopMailbox {
        guard let mailbox = mailboxes[ObjectIdentifier(eventLoop)] else {
            preconditionFailure("connections live on the event loops that the hub was given")
        }
        return mailbox
    }

    /// Sends a notice to those who follow its conversation.
    func send(_ signal: Signal) {
        for mailbox in mailboxes.values { mailbox.post(.signal(signal)) }
    }

    /// Runs `body` on every event loop, in a turn.
    private func post(_ body: @escaping @Sendable (SocketLoop) -> Void) {
        for mailbox in mailboxes.values { mailbox.post(.turn(body)) }
    }
}
