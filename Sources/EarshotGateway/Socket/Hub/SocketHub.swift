public import EarshotCore
public import EarshotModel
public import NIOCore
public import ServiceLifecycle
import Synchronization

/// All sockets of this server, by event loop. Hears of commits, and says so to those whom they concern: one wake for each event loop and commit.
public final class SocketHub: CommitListener, SettingsListener, SessionListener, ContactCentreListener, RoutingListener,
    Service
{
    let services: SocketDependencies
    let limits: SocketLimits
    let group: any EventLoopGroup
    /// What a person may ask for, however many sockets they have.
    let commands: Throttle
    private let mailboxes: [ObjectIdentifier: LoopMailbox]
    private let moves = Mutex(Moves())

    /// - Parameter group: the event loops that the server's connections live on.
    public init(services: SocketDependencies, group: any EventLoopGroup, limits: SocketLimits = SocketLimits()) {
        self.services = services
        self.limits = limits
        commands = Throttle(limits.commands, capacity: Self.personsCounted)
        self.group = group
        mailboxes = Dictionary(
            uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), LoopMailbox($0, limits: limits)) })
    }

    public func committed(_ notifications: [CommitNotification]) {
        for mailbox in mailboxes.values { mailbox.post(.notifications(notifications)) }
    }

    /// Tells every socket of the account what applies to it now.
    public func changed(_ settings: AccountSettings, of account: AccountID) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.tell(settings, of: account) })
        }
    }

    /// Tells every agent of the account which version of the centre is in force, and sends their rows anew: due times may be others now.
    public func changed(_ centre: ContactCentreSettings, of account: AccountID) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.tell(centre.version, of: account) })
        }
    }

    /// Routing moved something: gathered for a moment, for one change moves many.
    public func moved(in account: AccountID, conversations: Set<ConversationID>, people: Set<AgentID>) {
        let isFirst = moves.withLock { moves in
            defer { moves.isAwake = true }
            moves.all[account, default: Moved()].add(conversations, people)
            return !moves.isAwake
        }
        if isFirst { group.any().scheduleTask(in: .milliseconds(limits.movesMs)) { self.tellMoves() } }
    }

    private func tellMoves() {
        let all = moves.withLock { moves in
            defer { moves = Moves() }
            return moves.all
        }
        for mailbox in mailboxes.values {
            mailbox.post(
                .turn { loop in
                    for (account, moved) in all { loop.take(moved, in: account, routing: self.services.routing) }
                })
        }
    }

    /// Closes every socket of a session that ended.
    public func ended(_ session: [UInt8]) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.end(session) })
        }
    }

    public func ended(_ agent: AgentID, mayComeBack: Bool) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.end(agent, mayComeBack: mayComeBack) })
        }
    }

    public func suspended(_ account: AccountID) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.suspend(account) })
        }
    }

    /// Waits for the end, then says farewell to every socket and waits, for a bounded time, until all are gone.
    public func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }

    func mailbox(of eventLoop: any EventLoop) -> LoopMailbox {
        guard let mailbox = mailboxes[ObjectIdentifier(eventLoop)] else {
            preconditionFailure("connections live on the event loops that the hub was given")
        }
        return mailbox
    }

    func send(_ signal: Signal) {
        for mailbox in mailboxes.values { mailbox.post(.signal(signal)) }
    }
}

extension SocketHub {
    private static let drainPollMs: Int64 = 50
    /// Those who said nothing for as long as their allowance takes to fill are forgotten.
    fileprivate static let personsCounted = 1_000_000

    func drain() async {
        for mailbox in mailboxes.values { mailbox.post(.turn { $0.drain() }) }
        let deadline = ContinuousClock.now + .milliseconds(limits.drainMs + limits.farewellMs + SocketLoop.tickMs)
        while ContinuousClock.now < deadline, await count() > 0 {
            try? await Task.sleep(for: .milliseconds(Self.drainPollMs))
        }
    }

    /// Sockets that are open now.
    public func count() async -> Int {
        var count = 0
        for mailbox in mailboxes.values {
            count += (try? await mailbox.eventLoop.submit { mailbox.sockets.count }.get()) ?? 0
        }
        return count
    }
}

/// What a socket needs of Core.
public struct SocketDependencies: Sendable {
    let identity: IdentityService
    let access: ConversationAccess
    let conversations: ConversationService
    let settings: SettingsService
    let routing: RoutingService
    let store: any ConversationStore

    public init(
        identity: IdentityService, conversations: ConversationService, settings: SettingsService,
        routing: RoutingService, store: any ConversationStore
    ) {
        self.routing = routing
        self.identity = identity
        access = ConversationAccess(conversations: store)
        self.conversations = conversations
        self.settings = settings
        self.store = store
    }
}

/// What routing moved and nobody was told of yet.
private struct Moves {
    var all: [AccountID: Moved] = [:]
    var isAwake = false
}

/// Conversations and people of one account that stand differently now.
struct Moved: Sendable {
    private(set) var conversations: Set<ConversationID> = []
    private(set) var people: Set<AgentID> = []

    mutating func add(_ conversations: Set<ConversationID>, _ people: Set<AgentID>) {
        self.conversations.formUnion(conversations)
        self.people.formUnion(people)
    }
}
