import EarshotDomain
import EarshotModel
import Synchronization

/// Routes the conversations of one account. It has its own lock and is processed by a task of its own, so that nothing
/// that fails or blocks here delays another account.
///
/// Commits are noted behind a second lock, so that the writer never waits for routing. The account's state is loaded
/// when it is first needed.
final class AccountRouter: Sendable {
    /// The most rounds of one pass. More would mean that the router and the log disagree for good, and that must not
    /// keep the machine busy.
    private static let mostRounds = 100
    /// When to try again after a failure.
    private static let retryMs: Int64 = 1_000
    /// The shortest time between two passes without a commit.
    private static let shortestWaitMs: Int64 = 50

    private struct Contents {
        var state: RouterState?
        /// What happened before the state was loaded, and may be missing in what is being loaded.
        var sockets: [AgentID: Int] = [:]
        var changedPeople: [AgentID: Agent] = [:]
        var changedSettings: ContactCentreSettings?
        var retryAt: Timestamp?
    }

    private struct Inbox {
        enum Phase { case idle, waiting, running, runningAgain }

        /// The last event of conversations that a commit changed since they were last applied.
        var commits: [ConversationID: Int] = [:]
        var phase = Phase.idle
        /// The brand's profiles may have changed since they were last read.
        var areProfilesStale = false
    }

    let account: AccountID
    private let dependencies: RoutingDependencies
    /// Tells the listener whose figures changed.
    private let notify: @Sendable (Set<ConversationID>, Set<AgentID>) -> Void
    private let contents = Mutex(Contents())
    private let inbox = Mutex(Inbox())

    init(
        _ account: AccountID, _ dependencies: RoutingDependencies,
        notify: @escaping @Sendable (Set<ConversationID>, Set<AgentID>) -> Void
    ) {
        (self.account, self.dependencies, self.notify) = (account, dependencies, notify)
    }

    // MARK: Reading and changing the state

    var isLoaded: Bool { contents.withLock { $0.state != nil } }

    /// Calls `body` with the state, behind the lock. - Returns: `nil` where the state is not loaded.
    @discardableResult
    func read<Value: Sendable>(_ body: @Sendable (RouterState) -> Value) -> Value? {
        contents.withLock { contents in contents.state.map { body($0) } }
    }

    func set(_ settings: ContactCentreSettings) {
        let now = dependencies.now()
        contents.withLock { contents in
            guard let state = contents.state else {
                contents.changedSettings = settings
                return
            }
            state.set(settings, now: now)
        }
        notifyAll()
    }

    /// - Parameter change: how many sockets were opened; negative: closed.
    func count(sockets change: Int, of agent: AgentID) {
        let now = dependencies.now()
        contents.withLock { contents in
            contents.sockets[agent, default: 0] += change
            if contents.sockets[agent] == 0 { contents.sockets[agent] = nil }
            contents.state?.count(sockets: change, of: agent, now: now)
        }
        notify([], [agent])
    }

    func update(_ agent: Agent) {
        let now = dependencies.now()
        contents.withLock { contents in
            guard let state = contents.state else {
                contents.changedPeople[agent.id] = agent
                return
            }
            state.update([(agent, nil)], now: now)
        }
        notify([], [agent.id])
    }

    /// - Parameter known: the agent's account, for agents who were added since the state was loaded.
    func choose(_ presence: Presence, of agent: AgentID, known: Agent?) {
        let now = dependencies.now()
        read { state in
            if let known, state.staff[agent] == nil { state.update([(known, presence)], now: now) }
            state.choose(presence, agent: agent, now: now)
        }
        notify([], [agent])
    }

    /// Tells the listener that the figures of all conversations and people may have changed.
    func notifyAll() {
        guard let (conversations, people) = read({ ($0.conversations, Set($0.staff.ids)) }) else { return }
        notify(conversations, people)
    }

    // MARK: Loading

    /// Loads settings, people and counts, unless they are loaded.
    func loadRouter() async throws {
        if isLoaded { return }
        let settings = try await dependencies.centres.centre(of: account)
        let people = try await dependencies.accounts.agents(of: account)
        let profiles = try await profiles()
        let presences = try await dependencies.source.presences(of: account)
        let accuracy = try await dependencies.source.etaAccuracy(of: account)
        let now = dependencies.now()
        contents.withLock { contents in
            guard contents.state == nil else { return }
            let state = RouterState(contents.changedSettings ?? settings, etaAccuracy: accuracy, now: now)
            _ = state.set(profiles, now: now)
            state.update(people.map { (contents.changedPeople[$0.id] ?? $0, presences[$0.id]) }, now: now)
            for agent in people {
                if let sockets = contents.sockets[agent.id] { state.count(sockets: sockets, of: agent.id, now: now) }
            }
            (contents.changedPeople, contents.changedSettings) = ([:], nil)
            contents.state = state
        }
    }

    /// At start: takes over an unfinished conversation.
    func recover(_ conversation: UnfinishedConversation) {
        let now = dependencies.now()
        read { $0.recover(conversation, now: now) }
    }

    // MARK: Processing

    /// Notes a commit. Called on the writer's thread.
    func noteCommit(of conversation: ConversationID, sequence: Int) {
        inbox.withLock { $0.commits[conversation] = sequence }
    }

    /// Notes that the brand's profiles may have changed: the next pass reads them.
    func noteProfileChange() { inbox.withLock { $0.areProfilesStale = true } }

    /// Reads which profiles let their people answer, if they may have changed.
    private func refreshProfiles() async throws {
        let areStale = inbox.withLock { inbox in
            defer { inbox.areProfilesStale = false }
            return inbox.areProfilesStale
        }
        guard areStale else { return }
        do {
            let (profiles, now) = (try await profiles(), dependencies.now())
            let people = read { $0.set(profiles, now: now) } ?? []
            if !people.isEmpty { notify([], people) }
        } catch {
            noteProfileChange()
            throw error
        }
    }

    /// Whether each of the brand's profiles lets its people answer.
    private func profiles() async throws -> [ProfileID: Bool] {
        let profiles = try await dependencies.profiles.profiles(of: account)
        return Dictionary(
            profiles.map { ($0.id, $0.permissions.contains(.answerConversations)) }, uniquingKeysWith: { $1 })
    }

    /// Asks for a pass. - Returns: whether the caller must see to it that `process` is called; otherwise it will be.
    func requestPass() -> Bool {
        inbox.withLock { inbox in
            switch inbox.phase {
            case .idle:
                inbox.phase = .waiting
                return true
            case .running:
                inbox.phase = .runningAgain
                return false
            case .waiting, .runningAgain: return false
            }
        }
    }

    /// Applies commits and performs actions until nothing is left to do now. While another task does so, only asks it
    /// for one more pass.
    /// - Returns: what failed. It is tried again in the next pass, after a second at the latest.
    func process() async -> [any Error] {
        let mayRun = inbox.withLock { inbox in
            let mayRun = inbox.phase == .idle || inbox.phase == .waiting
            inbox.phase = mayRun ? .running : .runningAgain
            return mayRun
        }
        guard mayRun else { return [] }
        var errors: [any Error] = []
        var isLast = false
        while !isLast {
            let failed = await pass()
            let retryAt = failed.isEmpty ? nil : dependencies.now().adding(milliseconds: Self.retryMs)
            contents.withLock { $0.retryAt = retryAt }
            errors += failed
            isLast = inbox.withLock { inbox in
                let isLast = inbox.phase == .running
                inbox.phase = isLast ? .idle : .running
                return isLast
            }
        }
        return errors
    }

    /// When `process` must be called again if nothing happens before.
    var nextMoment: Timestamp? {
        let (moment, retryAt) = contents.withLock { ($0.state?.nextMoment, $0.retryAt) }
        guard let next = [moment, retryAt].compactMap({ $0 }).min() else { return nil }
        return max(next, dependencies.now().adding(milliseconds: Self.shortestWaitMs))
    }

    /// Saves the counts of answers in time. - Parameter isLast: save also what was counted a moment ago.
    func saveEtaAccuracy(isLast: Bool) async throws {
        let now = dependencies.now()
        guard let accuracy = read({ $0.unsavedEtaAccuracy(now: now, isLast: isLast) }) ?? nil else { return }
        try await dependencies.source.save(accuracy, of: account)
        read { $0.noteSaved(accuracy, now: now) }
    }

    /// One conversation that fails does not keep the others from being routed.
    private func pass() async -> [any Error] {
        do { try await loadRouter() } catch { return [error] }
        var errors: [any Error] = []
        do { try await refreshProfiles() } catch { errors.append(error) }
        var failedCommits: [ConversationID: Int] = [:]
        var failedActions: [ProposedAction] = []
        let performer = ActionPerformer(self, dependencies)
        for _ in 0..<Self.mostRounds {
            let commits = await applyCommits()
            failedCommits.merge(commits.failed) { $1 }
            errors += commits.errors
            expireGracePeriods()
            let now = dependencies.now()
            let actions = read { $0.proposeActions(now: now) } ?? []
            if actions.isEmpty { break }
            for failure in await performer.perform(actions) {
                failedActions.append(failure.action)
                errors.append(failure.error)
            }
        }
        postpone(failedCommits, failedActions)
        do { try await saveEtaAccuracy(isLast: false) } catch { errors.append(error) }
        return errors
    }

    /// Leaves what failed to the next pass.
    private func postpone(_ commits: [ConversationID: Int], _ actions: [ProposedAction]) {
        inbox.withLock { $0.commits.merge(commits) { newer, _ in newer } }
        read { state in for action in actions { state.repeatAction(action) } }
    }

    /// Takes over the state of every conversation that a commit changed: from memory nearly always.
    private func applyCommits() async -> (failed: [ConversationID: Int], errors: [any Error]) {
        let commits = inbox.withLock { inbox in
            defer { inbox.commits = [:] }
            return inbox.commits
        }
        var (applied, failed, errors): (Set<ConversationID>, [ConversationID: Int], [any Error]) = ([], [:], [])
        for (id, sequence) in commits {
            do {
                guard let (state, marks) = try await state(of: id, atLeast: sequence) else { continue }
                let now = dependencies.now()
                read { $0.apply(state, unplayedMs: marks.unplayed.milliseconds, now: now) }
                applied.insert(id)
            } catch {
                failed[id] = sequence
                errors.append(error)
            }
        }
        if !applied.isEmpty { notify(applied, []) }
        return (failed, errors)
    }

    private func state(of id: ConversationID, atLeast sequence: Int) async throws -> (ConversationState, Marks)? {
        if let tail = dependencies.store.tail(id, after: sequence) { return (tail.state, tail.marks) }
        return try await dependencies.store.view(id, after: nil, limit: 1).map { ($0.state, $0.marks) }
    }

    private func expireGracePeriods() {
        let now = dependencies.now()
        guard let people = read({ $0.expireGracePeriods(now: now) }), !people.isEmpty else { return }
        notify([], people)
    }
}
