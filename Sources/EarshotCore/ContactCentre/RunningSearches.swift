import EarshotModel
import Synchronization

/// The searches that run: one for each person, `Limits.searches` in all.
final class RunningSearches: Sendable {
    private let people = Mutex<Set<AgentID>>([])

    /// - Throws: `rate_limited`; nothing is to be ended then.
    func begin(_ person: AgentID) throws(Rejection) {
        try people.withLock { people throws(Rejection) in
            guard !people.contains(person) else {
                throw Rejection(
                    .rateLimited, "Your last search is still running. Try again in a moment.", retryAfter: 1)
            }
            guard people.count < Limits.searches else {
                throw Rejection(
                    .rateLimited, "Several people are searching at the moment. Try again in a moment.", retryAfter: 1)
            }
            people.insert(person)
        }
    }

    func end(_ person: AgentID) {
        _ = people.withLock { $0.remove(person) }
    }
}
