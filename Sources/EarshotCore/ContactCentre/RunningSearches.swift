import EarshotModel
import Synchronization

/// The searches that run: one for each person and each program, `Limits.searches` in all. A brand leaves one to other
/// brands, and programs leave one to people, among all and within their brand.
///
/// A list is many searches. Between two of them it lets others run, so a search waits for a list instead of being
/// refused.
final class RunningSearches: Sendable {
    /// Who searches.
    struct Searcher: Hashable {
        private enum Caller: Hashable {
            case person(AgentID)
            case program(APIKeyID)
        }

        let account: AccountID
        let isProgram: Bool
        private let caller: Caller

        init(_ agent: AgentCaller) { (account, isProgram, caller) = (agent.account, false, .person(agent.id)) }

        init(_ program: ProgramCaller) { (account, isProgram, caller) = (program.account, true, .program(program.id)) }
    }

    private struct State {
        /// Those that run or wait, and whether each is a list.
        private var searchers: [Searcher: Bool] = [:]
        private var running: Set<Searcher> = []
        private var waiting: [(searcher: Searcher, run: CheckedContinuation<Void, Never>)] = []

        /// How many wait for a list to let them run.
        var waitingCount: Int { waiting.count }

        /// Takes a search in.
        /// - Returns: whether it has to wait.
        /// - Throws: `rate_limited`.
        mutating func begin(_ searcher: Searcher, isList: Bool) throws(Rejection) -> Bool {
            guard searchers[searcher] == nil else {
                throw Rejection(
                    .rateLimited, "Your last search is still running. Try again in a moment.", retryAfter: 1)
            }
            let fits = fits(searcher, beside: running)
            guard fits || fitsBetweenLists(searcher) && searchers.count - running.count < Limits.searches else {
                throw Rejection(
                    .rateLimited, "Other searches are running at the moment. Try again in a moment.", retryAfter: 1)
            }
            searchers[searcher] = isList
            if fits { running.insert(searcher) }
            return !fits
        }

        /// A list lets others run, and is going to wait.
        mutating func pause(_ list: Searcher) -> [CheckedContinuation<Void, Never>] {
            running.remove(list)
            return next()
        }

        mutating func wait(_ searcher: Searcher, _ run: CheckedContinuation<Void, Never>)
            -> [CheckedContinuation<Void, Never>]
        {
            waiting.append((searcher, run))
            return next()
        }

        mutating func end(_ searcher: Searcher) -> [CheckedContinuation<Void, Never>] {
            searchers[searcher] = nil
            running.remove(searcher)
            return next()
        }

        /// Whether a search may run beside these.
        private func fits(_ searcher: Searcher, beside others: Set<Searcher>) -> Bool {
            let own = others.filter { $0.account == searcher.account }
            guard others.count < Limits.searches, own.count < Limits.searches - 1 else { return false }
            return !searcher.isProgram
                || others.count(where: \.isProgram) < Limits.searches - 1
                    && own.count(where: \.isProgram) < Limits.searches - 2
        }

        /// Whether a search may run as soon as the lists let others run.
        private func fitsBetweenLists(_ searcher: Searcher) -> Bool {
            fits(searcher, beside: running.filter { searchers[$0] == false })
        }

        /// Takes out those that may run now, in the order in which they came.
        private mutating func next() -> [CheckedContinuation<Void, Never>] {
            var next: [CheckedContinuation<Void, Never>] = []
            for waiter in waiting where fits(waiter.searcher, beside: running) {
                running.insert(waiter.searcher)
                next.append(waiter.run)
            }
            waiting.removeAll { running.contains($0.searcher) }
            return next
        }
    }

    private let state = Mutex(State())

    /// How many wait for a list to let them run.
    var waiting: Int { state.withLock { $0.waitingCount } }

    /// Returns when the search may run. It waits only where a list will let it run.
    /// - Throws: `rate_limited`; nothing is to be ended then.
    func begin(_ searcher: Searcher, isList: Bool = false) async throws(Rejection) {
        let mustWait = try state.withLock { state throws(Rejection) in try state.begin(searcher, isList: isList) }
        if mustWait { await wait(searcher) }
    }

    /// Lets those run that wait, and returns when the list may go on.
    func letOthersRun(_ list: Searcher) async {
        for other in state.withLock({ $0.pause(list) }) { other.resume() }
        await wait(list)
    }

    func end(_ searcher: Searcher) {
        for other in state.withLock({ $0.end(searcher) }) { other.resume() }
    }

    private func wait(_ searcher: Searcher) async {
        await withCheckedContinuation { run in
            for other in state.withLock({ $0.wait(searcher, run) }) { other.resume() }
        }
    }
}
