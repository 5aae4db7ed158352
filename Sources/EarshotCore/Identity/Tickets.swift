import EarshotModel
import Synchronization

/// Tickets: each opens one socket, once, within a minute. They let a page authenticate in the first frame though its cookie is out of its reach.
final class Tickets: Sendable {
    static let lifetimeMs: Int64 = 60_000
    static let capacity = 10_000

    private struct Entry {
        let caller: AgentCaller
        let expires: Timestamp
    }

    private let entries = Mutex<[String: Entry]>([:])

    func issue(_ ticket: String, to caller: AgentCaller, at now: Timestamp) throws(Rejection) {
        let isKept = entries.withLock { entries -> Bool in
            if entries.count >= Self.capacity { entries = entries.filter { $0.value.expires > now } }
            guard entries.count < Self.capacity else { return false }
            entries[ticket] = Entry(caller: caller, expires: now.adding(milliseconds: Self.lifetimeMs))
            return true
        }
        if !isKept { throw .unavailable }
    }

    func redeem(_ ticket: String, at now: Timestamp) throws(Rejection) -> AgentCaller {
        guard let entry = entries.withLock({ $0.removeValue(forKey: ticket) }), entry.expires > now else { throw .notSignedIn }
        return entry.caller
    }
}
