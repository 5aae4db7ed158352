import EarshotDomain
public import EarshotModel
import Synchronization

/// Decides who gets which conversation, and sends and does what Earshot itself sends and does: one `AccountRouter` for
/// each account, in memory, rebuilt from the log at start and kept up to date by its commits.
///
/// A router proposes; the writer's transaction decides again (`ConversationState.decide(_: RoutingAction)`), so that
/// whatever happened in between counts. What was done is in the log: after a crash the same conversations, offers,
/// callbacks and timers are found there, and nothing is done twice. Times are those of the wall clock, as they are
/// stored.
///
/// A commit marks only its own account's router, which is then processed in a child task of its own. One more task
/// sleeps until the first moment at which any router has something to do, at most `longestSleep`, and wakes only the
/// routers that are due. Idle accounts have no task and cost nothing: with 1,000 of them there is one sleep and one
/// look at the first entry of a heap each second. (A sleeping task for each account would cost 1,000 wake-ups each
/// second for the same precision.)
public final class RoutingService: CommitListener, ContactCentreListener, Sendable {
    /// The longest sleep. A clock that is set forward, or a machine that wakes up, is noticed within it.
    public static let longestSleep = Duration.seconds(1)
    /// Conversations that are read at once at start.
    private static let pageSize = 500
    private static let shortestSleep = Duration.milliseconds(50)
    /// A clock that was set back by more wakes every router.
    private static let clockToleranceMs: Int64 = 1_000

    /// Whom conversations go to and come from, and what the brand's people may do.
    public struct People {
        let accounts: any AccountStore & AgentStore & ConsumerStore
        let profiles: any ProfileStore

        /// Takes the stores.
        public init(accounts: any AccountStore & AgentStore & ConsumerStore, profiles: any ProfileStore) {
            (self.accounts, self.profiles) = (accounts, profiles)
        }
    }

    private struct Timer {
        var moments = TimedHeap<AccountID>()
        var lastLook = Timestamp(milliseconds: .min)
    }

    private let dependencies: RoutingDependencies
    private let routers = Mutex<[AccountID: AccountRouter]>([:])
    private let listener = Mutex<(any RoutingListener)?>(nil)
    private let timer = Mutex(Timer())
    /// Routers that wait for a pass, each once.
    private let ready = Mutex<[AccountRouter]>([])
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// Makes the service. Call `begin` before anything else.
    public init(
        store: any ConversationStore, source: any RoutingSource, people: People, centres: any ContactCentreSource,
        environment: SystemEnvironment
    ) {
        dependencies = RoutingDependencies(
            store: store, source: source, accounts: people.accounts, centres: centres, profiles: people.profiles,
            now: environment.now)
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sets who is told about changes of routing that are not events.
    public func connect(_ listener: any RoutingListener) {
        self.listener.withLock { $0 = listener }
    }

    // MARK: Routers

    /// The account's router, made if there is none. Its state is loaded when it is first needed.
    func router(of account: AccountID) -> AccountRouter {
        routers.withLock { routers in
            if let router = routers[account] { return router }
            let router = AccountRouter(account, dependencies) { [weak self] conversations, people in
                let listener = self?.listener.withLock { $0 }
                listener?.moved(in: account, conversations: conversations, people: people)
            }
            routers[account] = router
            return router
        }
    }

    /// The account's router with its state loaded.
    func loadedRouter(of account: AccountID) async throws -> AccountRouter {
        let router = router(of: account)
        try await router.loadRouter()
        return router
    }

    /// Calls `body` with the account's state, behind its lock. - Returns: `nil` where it is not loaded.
    func read<Value: Sendable>(_ account: AccountID, _ body: @Sendable (RouterState) -> Value) -> Value? {
        routers.withLock { $0[account] }?.read(body)
    }

    /// The time now.
    var now: Timestamp { dependencies.now() }
    var counts: RoutingMetrics { dependencies.metrics }
    var source: any RoutingSource { dependencies.source }
    var accounts: any AccountStore & AgentStore & ConsumerStore { dependencies.accounts }
    var centres: any ContactCentreSource { dependencies.centres }

    // MARK: What happened

    /// Notes commits and wakes their accounts' routers. Called on the writer's thread.
    public func committed(_ notifications: [CommitNotification]) {
        for notification in notifications {
            let router = router(of: notification.account)
            router.noteCommit(of: notification.conversation, sequence: notification.sequence)
            wake(router)
        }
    }

    /// A brand changed its contact centre's settings.
    public func changed(_ centre: ContactCentreSettings, of account: AccountID) {
        let router = router(of: account)
        router.set(centre)
        wake(router)
    }

    /// Has a router processed soon.
    func wake(_ router: AccountRouter) {
        guard router.requestPass() else { return }
        ready.withLock { $0.append(router) }
        waker.yield()
    }

    // MARK: Running

    /// Loads every account and its unfinished conversations. Call it once, before `run` or `turn`.
    /// - Parameter onFailure: told of an account that cannot be loaded; the others are.
    public func begin(onFailure: @Sendable (any Error) -> Void = { _ in }) async throws {
        var loaded: [AccountID: AccountRouter] = [:]
        for account in try await Self.persistently({ try await self.source.accounts() }) {
            do {
                loaded[account] = try await Self.persistently { try await self.loadedRouter(of: account) }
            } catch {
                onFailure(error)
            }
        }
        let midnight = loaded.values.compactMap { $0.read { $0.today.lowerBound } }.min() ?? now
        let ids = try await Self.persistently { try await self.source.unfinishedConversations(closedSince: midnight) }
        for first in stride(from: 0, to: ids.count, by: Self.pageSize) {
            let page = Array(ids[first..<min(first + Self.pageSize, ids.count)])
            for open in try await Self.persistently({ try await self.source.unfinished(page) }) {
                loaded[open.state.identity.account]?.recover(open)
            }
        }
        // Clients that connected while this was loaded have seen less.
        for router in all { router.notifyAll() }
    }

    /// Reads again what failed for a moment, a few times, so that a short problem of the disk does not end the start.
    private static func persistently<Value>(_ read: () async throws -> Value) async throws -> Value {
        for pause in startPauses {
            do { return try await read() } catch let failure as AdapterFailure where failure.isRetryable {
                try await Task.sleep(for: pause)
            }
        }
        return try await read()
    }

    private static let startPauses: [Duration] = [.milliseconds(100), .milliseconds(400), .milliseconds(1_600)]

    /// Routes until its task is cancelled. Call it once. - Parameter onFailure: told what failed; it is tried again.
    public func run(onFailure: @escaping @Sendable (any Error) -> Void) async {
        for router in all { wake(router) }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.wakeDueRouters() }
            for await _ in wakes {
                for router in takeReady() {
                    // Immediate: most passes end without waiting for anything, and need no other thread to be woken.
                    group.addImmediateTask { for error in await self.process(router) { onFailure(error) } }
                }
            }
            group.cancelAll()
        }
        for router in all {
            do { try await router.saveEtaAccuracy(isLast: true) } catch { onFailure(error) }
        }
    }

    /// Processes every router until nothing is left to do now. For tests and tools that do not call `run`.
    /// - Throws: the first failure, after all routers were processed.
    public func turn() async throws {
        _ = takeReady()
        let errors = await withTaskGroup(of: [any Error].self) { group in
            for router in all { group.addTask { await self.process(router) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        if let first = errors.first { throw first }
    }

    var all: [AccountRouter] { routers.withLock { Array($0.values) } }

    private func takeReady() -> [AccountRouter] {
        ready.withLock { ready in
            defer { ready = [] }
            return ready
        }
    }

    private func process(_ router: AccountRouter) async -> [any Error] {
        let errors = await router.process()
        timer.withLock { $0.moments.set(router.nextMoment, for: router.account) }
        return errors
    }

    /// Wakes routers when their moments come, until its task is cancelled.
    private func wakeDueRouters() async {
        while !Task.isCancelled {
            let now = now
            for router in takeDue(now) { wake(router) }
            let next = timer.withLock { $0.moments.next }
            let untilNext = next.map { Duration.milliseconds($0.milliseconds - now.milliseconds) }
            try? await Task.sleep(for: min(Self.longestSleep, max(Self.shortestSleep, untilNext ?? Self.longestSleep)))
        }
    }

    /// The routers whose moment has come. All of them after the clock was set back: their moments are those of the
    /// clock before.
    private func takeDue(_ now: Timestamp) -> [AccountRouter] {
        let (due, wasSetBack) = timer.withLock { timer -> ([AccountID], Bool) in
            defer { timer.lastLook = now }
            if now.adding(milliseconds: Self.clockToleranceMs) < timer.lastLook { return ([], true) }
            var due: [AccountID] = []
            while let account = timer.moments.takeFirst(until: now) { due.append(account) }
            return (due, false)
        }
        return wasSetBack ? all : due.map { router(of: $0) }
    }
}
