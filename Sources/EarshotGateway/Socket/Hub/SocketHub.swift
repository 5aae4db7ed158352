public import EarshotCore
public import EarshotModel
public import NIOCore
public import ServiceLifecycle

/// All sockets of this server, by event loop. Hears of commits, and says so to those whom they concern: one wake for each event loop and commit.
public final class SocketHub: Doorbell, SettingsListener, SessionListener, Service {
    let desks: SocketDesks
    let limits: SocketLimits
    let group: any EventLoopGroup
    private let mailboxes: [ObjectIdentifier: LoopMailbox]

    /// - Parameter group: the event loops that the server's connections live on.
    public init(desks: SocketDesks, group: any EventLoopGroup, limits: SocketLimits = SocketLimits()) {
        self.desks = desks
        self.limits = limits
        self.group = group
        mailboxes = Dictionary(uniqueKeysWithValues: group.makeIterator().map { (ObjectIdentifier($0), LoopMailbox($0, limits: limits)) })
    }

    public func ring(_ rings: [Ring]) {
        for mailbox in mailboxes.values { mailbox.post(.rings(rings)) }
    }

    /// Tells every socket of the account what applies to it now.
    public func changed(_ settings: AccountSettings, of account: AccountID) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.tell(settings, of: account) })
        }
    }

    /// Closes every socket of a session that ended.
    public func ended(_ session: [UInt8]) {
        for mailbox in mailboxes.values {
            mailbox.post(.turn { $0.end(session) })
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
public struct SocketDesks: Sendable {
    let identity: IdentityDesk
    let access: ConversationAccess
    let conversations: ConversationDesk
    let settings: SettingsDesk
    let store: any ConversationStore

    public init(identity: IdentityDesk, conversations: ConversationDesk, settings: SettingsDesk, store: any ConversationStore) {
        self.identity = identity
        access = ConversationAccess(store: store)
        self.conversations = conversations
        self.settings = settings
        self.store = store
    }
}
