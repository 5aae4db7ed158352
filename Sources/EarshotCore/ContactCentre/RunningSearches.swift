import EarshotModel
import Synchronization

/// The searches that run: one for each person and each program, `Limits.searches` in all. Programs leave one to people.
final class RunningSearches: Sendable {
    /// Who searches.
    enum Searcher: Hashable {
        case person(AgentID)
        case program(APIKeyID)

        var isProgram: Bool {
            if case .program = self { true } else { false }
        }
    }

    private let searchers = Mutex<Set<Searcher>>([])

    /// - Throws: `rate_limited`; nothing is to be ended then.
    func begin(_ searcher: Searcher) throws(Rejection) {
        try searchers.withLock { searchers throws(Rejection) in
            guard !searchers.contains(searcher) else {
                throw Rejection(
                    .rateLimited, "Your last search is still running. Try again in a moment.", retryAfter: 1)
            }
            let programs = searchers.count { $0.isProgram }
            guard searchers.count < Limits.searches, !searcher.isProgram || programs < Limits.searches - 1 else {
                throw Rejection(
                    .rateLimited, "Other searches are running at the moment. Try again in a moment.", retryAfter: 1)
            }
            searchers.insert(searcher)
        }
    }

    func end(_ searcher: Searcher) {
        _ = searchers.withLock { $0.remove(searcher) }
    }
}
