import EarshotDomain
public import EarshotModel
import Synchronization

/// Who gets what, and what Earshot says and does by itself: one router for each account, in memory, rebuilt from the log at start and kept by its commits.
///
/// It proposes; the writer's transaction decides again (`ConversationState.decide(_: Step)`), so that whatever happened in between is seen. What was done is in the
/// log: after a crash the same conversations, notifications, promises and timers stand there, and nothing is done twice. Times are the wall clock's, as they are stored.
public final class RoutingService: CommitListener, ContactCentreListener, Sendable {
    let store: any ConversationStore
    let source: any RoutingSource
    let accounts: any AccountStore & AgentStore & ConsumerStore
    let centres: any ContactCentreSource
    let now: @Sendable () -> Timestamp
    let memory = Mutex(Memory())
    /// Conversations that a commit changed, and the last of their events, since they were last looked at. Behind a lock of its own: the writer never waits for routing.
    private let pending = Mutex<[ConversationID: (account: AccountID, sequence: Int)]>([:])
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    struct Memory {
        var routers: [AccountID: AccountRouter] = [:]
        var listener: (any RoutingListener)?
        var sockets: [AgentID: Int] = [:]
        /// People who changed before their brand's router was there.
        var changed: [AgentID: Agent] = [:]
    }

    /// The longest sleep. A clock that is set forward, or a machine that wakes up, is noticed within it.
    public static let longestSleep = Duration.seconds(1)

    public init(
        store: any ConversationStore, source: any RoutingSource,
        accounts: any AccountStore & AgentStore & ConsumerStore,
        centres: any ContactCentreSource, environment: SystemEnvironment
    ) {
        self.store = store
        self.source = source
        self.accounts = accounts
        self.centres = centres
        now = environment.now
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func connect(_ listener: any RoutingListener) {
        memory.withLock { $0.listener = listener }
    }

    /// A commit. On the writer's thread: notes what changed and goes.
    public func committed(_ notifications: [CommitNotification]) {
        pending.withLock { pending in
            for notification in notifications {
                pending[notification.conversation] = (notification.account, notification.sequence)
            }
        }
        waker.yield()
    }

    public func changed(_ centre: ContactCentreSettings, of account: AccountID) {
        let now = now()
        memory.withLock { $0.routers[account]?.set(centre, now: now) }
        tell(account, everything: true)
        waker.yield()
    }

    /// Reads what stands in the log. Once, before the first turn.
    public func begin() async throws {
        let now = now()
        for account in try await source.accounts() { try await meet(account) }
        for open in try await source.unfinished(closedSince: Self.midnight(now)) {
            let account = open.state.identity.account
            try await meet(account)
            memory.withLock { memory in
                memory.routers[account]?.recover(open.state)
                memory.routers[account]?.follow(open.state, unplayedMs: open.unplayedMs, now: now)
            }
        }
        // Whoever came while this was read has seen less.
        for account in memory.withLock({ Array($0.routers.keys) }) { tell(account, everything: true) }
    }

    /// Works until its task is cancelled: at once after a commit, and when a time has come. Once: a stream that was left is over.
    public func run(onFailure: @escaping @Sendable (any Error) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    self.wake()
                    try? await Task.sleep(for: self.nap())
                }
            }
            for await _ in wakes {
                do { try await turn() } catch { onFailure(error) }
            }
            group.cancelAll()
        }
        do { try await keepEtaAccuracy(isLast: true) } catch { onFailure(error) }
    }

    /// Until the next thing is due, and no longer than a second. Never shorter than a twentieth, so that what cannot be done keeps no core busy.
    private func nap() -> Duration {
        let now = now()
        let next = memory.withLock { memory in
            Array(memory.routers.keys).compactMap { memory.routers[$0]?.nextMoment }.min()
        }
        guard let next else { return Self.longestSleep }
        return min(Self.longestSleep, max(.milliseconds(50), .milliseconds(next.milliseconds - now.milliseconds)))
    }

    /// Rounds of one turn: more would mean that the router and the log disagree for good, and that must not keep a core busy.
    static let mostRounds = 100

    /// Takes over what was committed and does what should be done, until nothing is left to do now, or the log does not take it.
    public func turn() async throws {
        for _ in 0..<Self.mostRounds {
            try await follow()
            let tasks = memory.withLock { memory in
                Array(memory.routers.keys).flatMap { memory.tasks(of: $0, now: now()) }
            }
            guard !tasks.isEmpty else { return try await keepEtaAccuracy(isLast: false) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (account, task) in tasks { group.addTask { try await self.perform(task, of: account) } }
                try await group.waitForAll()
            }
        }
    }

    /// Stores how right the promised times were, where that is another than was stored.
    private func keepEtaAccuracy(isLast: Bool) async throws {
        let now = now()
        let all = memory.withLock { memory in
            memory.routers.compactMap { account, router in
                router.unstored(now: now, isLast: isLast).map { (account, $0) }
            }
        }
        for (account, etaAccuracy) in all {
            try await source.save(etaAccuracy, of: account)
            memory.withLock { $0.routers[account]?.noteStored(etaAccuracy, now: now) }
        }
    }

    /// Reads the state of what rang: from memory nearly always.
    private func follow() async throws {
        let played = pending.withLock { pending in
            defer { pending = [:] }
            return pending
        }
        var moved: [AccountID: Set<ConversationID>] = [:]
        for (id, notification) in played {
            do {
                try await meet(notification.account)
                guard let (state, marks) = try await state(of: id, atLeast: notification.sequence) else { continue }
                memory.withLock {
                    $0.routers[notification.account]?.follow(state, unplayedMs: marks.unplayed.milliseconds, now: now())
                }
                moved[notification.account, default: []].insert(id)
            } catch {
                // It is not forgotten: the next turn asks again.
                pending.withLock { pending in if pending[id] == nil { pending[id] = notification } }
                throw error
            }
        }
        for (account, conversations) in moved { tell(account, conversations) }
        leave()
    }

    private func state(of id: ConversationID, atLeast sequence: Int) async throws -> (ConversationState, Marks)? {
        if let tail = store.tail(id, after: sequence) { return (tail.state, tail.marks) }
        return try await store.view(id, after: nil, limit: 1).map { ($0.state, $0.marks) }
    }

    /// Whoever's time of grace is over is gone.
    private func leave() {
        let now = now()
        let gone = memory.withLock { memory in
            Array(memory.routers.keys).reduce(into: [AccountID: Set<AgentID>]()) {
                $0[$1] = memory.routers[$1]?.lookAtTheLeaving(now: now)
            }
        }
        for (account, people) in gone where !people.isEmpty { tell(account, people: people) }
    }

    /// Makes the account's router, the first time.
    func meet(_ account: AccountID) async throws {
        if memory.withLock({ $0.routers[account] != nil }) { return }
        let centre = try await centres.centre(of: account)
        let (agents, presences) = (try await source.agents(of: account), try await source.presences(of: account))
        let etaAccuracy = try await source.etaAccuracy(of: account)
        let now = now()
        memory.withLock { memory in
            guard memory.routers[account] == nil else { return }
            let router = AccountRouter(account: account, centre: centre)
            router.know(agents.map { (memory.changed.removeValue(forKey: $0.id) ?? $0, presences[$0.id]) }, now: now)
            router.remember(etaAccuracy, now: now)
            for agent in agents {
                if let sockets = memory.sockets[agent.id] { router.count(sockets: sockets, of: agent.id, now: now) }
            }
            memory.routers[account] = router
        }
    }

    func tell(
        _ account: AccountID, _ conversations: Set<ConversationID> = [], people: Set<AgentID> = [],
        everything: Bool = false
    ) {
        let (listener, conversations, people) = memory.withLock {
            memory -> ((any RoutingListener)?, Set<ConversationID>, Set<AgentID>) in
            guard everything, let router = memory.routers[account] else {
                return (memory.listener, conversations, people)
            }
            return (memory.listener, Set(router.states.keys), Set(router.staff.keys))
        }
        listener?.moved(in: account, conversations: conversations, people: people)
    }

    func wake() { waker.yield() }

    static func midnight(_ now: Timestamp) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds - now.milliseconds % 86_400_000)
    }
}

extension RoutingService.Memory {
    fileprivate mutating func tasks(of account: AccountID, now: Timestamp) -> [(AccountID, AccountRouter.Task)] {
        routers[account]?.tasks(now: now).map { (account, $0) } ?? []
    }
}
