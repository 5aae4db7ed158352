import EarshotModel
import Synchronization

/// The brands that are suspended, known by heart: every request asks.
final class Suspensions: Sendable {
    private let known = Mutex<Set<AccountID>>([])

    func contains(_ account: AccountID) -> Bool { known.withLock { $0.contains(account) } }

    /// - Returns: those that were not suspended before.
    func replace(by now: Set<AccountID>) -> Set<AccountID> {
        known.withLock { known in
            defer { known = now }
            return now.subtracting(known)
        }
    }
}
