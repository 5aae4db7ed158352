import EarshotDomain
public import EarshotModel
import Synchronization

/// Who gets what, and what Earshot says and does by itself: one floor for each account, in memory, rebuilt from the log at start and kept by its commits.
///
/// It proposes; the writer's transaction decides again (`ConversationState.decide(_: Step)`), so that whatever happened in between is seen. What was done is in the
/// log: after a crash the same conversations, rings, promises and timers stand there, and nothing is done twice. Times are the wall clock's, as they are stored.
public final class RoutingDesk: Doorbell, CentreListener, Sendable {
    let store: any ConversationStore
    let source: any RoutingSource
    let accounts: any AccountStore
    let centres: any CentreSource
    let now: @Sendable () -> Timestamp
    let memory = Mutex(Memory())
    /// Conversations that a commit changed, and the last of their events, since they were last looked at. Behind a lock of its own: the writer never waits for routing.
    private let rung = Mutex<[ConversationID: (account: AccountID, sequence: Int)]>([:])
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    struct Memory {
        var floors: [AccountID: AccountFloor] = [:]
        var listener: (any RoutingListener)?
        var sockets: [AgentID: Int] = [:]
        /// People who changed before their brand's floor was there.
        var changed: [AgentID: Agent] = [:]
    }

    /// The longest sleep. A clock that is set forward, or a machine that wakes up, is noticed within it.
    public static let longestSleep = Duration.seconds(1)

    public init(store: any ConversationStore, source: any RoutingSource, accounts: any AccountStore, centres: any CentreSource, surroundings: Surroundings) {
        self.store = store
        self.source = source
        self.accounts = accounts
        self.centres = centres
        now = surroundings.now
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func connect(_ listener: any RoutingListener) {
        memory.withLock { $0.listener = listener }
    }

    /// A commit. On the writer's thread: notes what changed and goes.
    public func ring(_ rings: [Ring]) {
        rung.withLock { rung in
            for ring in rings { rung[ring.conversation] = (ring.account, ring.sequence) }
        }
        waker.yield()
    }

    public func changed(_ centre: Centre, of account: AccountID) {
        let now = now()
        memory.withLock { $0.floors[account]?.set(centre, now: now) }
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
                memory.floors[account]?.recover(open.state)
                memory.floors[account]?.follow(open.state, unheardMs: open.unheardMs, now: now)
            }
        }
        // Whoever came while this was read has seen less.
        for account in memory.withLock({ Array($0.floors.keys) }) { tell(account, everything: true) }
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
        do { try await keepPunctuality(isLast: true) } catch { onFailure(error) }
    }

    /// Until the next thing is due, and no longer than a second. Never shorter than a twentieth, so that what cannot be done keeps no core busy.
    private func nap() -> Duration {
        let now = now()
        let next = memory.withLock { memory in Array(memory.floors.keys).compactMap { memory.floors[$0]?.nextMoment }.min() }
        guard let next else { return Self.longestSleep }
        return min(Self.longestSleep, max(.milliseconds(50), .milliseconds(next.milliseconds - now.milliseconds)))
    }

    /// Rounds of one turn: more would mean that the floor and the log disagree for good, and that must not keep a core busy.
    static let mostRounds = 100

    /// Takes over what was committed and does what should be done, until nothing is left to do now, or the log does not take it.
    public func turn() async throws {
        for _ in 0..<Self.mostRounds {
            try await follow()
            let tasks = memory.withLock { memory in Array(memory.floors.keys).flatMap { memory.tasks(of: $0, now: now()) } }
            guard !tasks.isEmpty else { return try await keepPunctuality(isLast: false) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (account, task) in tasks { group.addTask { try await self.perform(task, of: account) } }
                try await group.waitForAll()
            }
        }
    }

    /// Stores how right the promised times were, where that is another than was stored.
    private func keepPunctuality(isLast: Bool) async throws {
        let now = now()
        let all = memory.withLock { memory in
            memory.floors.compactMap { account, floor in floor.unstored(now: now, isLast: isLast).map { (account, $0) } }
        }
        for (account, punctuality) in all {
            try await source.save(punctuality, of: account)
            memory.withLock { $0.floors[account]?.noteStored(punctuality, now: now) }
        }
    }

    /// Reads the state of what rang: from memory nearly always.
    private func follow() async throws {
        let heard = rung.withLock { rung in
            defer { rung = [:] }
            return rung
        }
        var moved: [AccountID: Set<ConversationID>] = [:]
        for (id, ring) in heard {
            do {
                try await meet(ring.account)
                guard let (state, marks) = try await state(of: id, atLeast: ring.sequence) else { continue }
                memory.withLock { $0.floors[ring.account]?.follow(state, unheardMs: marks.unheard.milliseconds, now: now()) }
                moved[ring.account, default: []].insert(id)
            } catch {
                // It is not forgotten: the next turn asks again.
                rung.withLock { rung in if rung[id] == nil { rung[id] = ring } }
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
            Array(memory.floors.keys).reduce(into: [AccountID: Set<AgentID>]()) { $0[$1] = memory.floors[$1]?.lookAtTheLeaving(now: now) }
        }
        for (account, people) in gone where !people.isEmpty { tell(account, people: people) }
    }

    /// Makes the account's floor, the first time.
    func meet(_ account: AccountID) async throws {
        if memory.withLock({ $0.floors[account] != nil }) { return }
        let centre = try await centres.centre(of: account)
        let (agents, presences) = (try await source.agents(of: account), try await source.presences(of: account))
        let punctuality = try await source.punctuality(of: account)
        let now = now()
        memory.withLock { memory in
            guard memory.floors[account] == nil else { return }
            let floor = AccountFloor(account: account, centre: centre)
            floor.know(agents.map { (memory.changed.removeValue(forKey: $0.id) ?? $0, presences[$0.id]) }, now: now)
            floor.remember(punctuality, now: now)
            for agent in agents { if let sockets = memory.sockets[agent.id] { floor.count(sockets: sockets, of: agent.id, now: now) } }
            memory.floors[account] = floor
        }
    }

    func tell(_ account: AccountID, _ conversations: Set<ConversationID> = [], people: Set<AgentID> = [], everything: Bool = false) {
        let (listener, conversations, people) = memory.withLock { memory -> ((any RoutingListener)?, Set<ConversationID>, Set<AgentID>) in
            guard everything, let floor = memory.floors[account] else { return (memory.listener, conversations, people) }
            return (memory.listener, Set(floor.states.keys), Set(floor.staff.keys))
        }
        listener?.moved(in: account, conversations: conversations, people: people)
    }

    func wake() { waker.yield() }

    static func midnight(_ now: Timestamp) -> Timestamp { Timestamp(milliseconds: now.milliseconds - now.milliseconds % 86_400_000) }
}

extension RoutingDesk.Memory {
    fileprivate mutating func tasks(of account: AccountID, now: Timestamp) -> [(AccountID, AccountFloor.Task)] {
        floors[account]?.tasks(now: now).map { (account, $0) } ?? []
    }
}
