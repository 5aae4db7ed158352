import EarshotModel
import Synchronization

/// The suspended brands, cached because every request asks.
final class SuspendedAccounts: Sendable {
    private let accounts = Mutex<Set<AccountID>>([])

    /// Whether a brand is suspended.
    func contains(_ account: AccountID) -> Bool { accounts.withLock { $0.contains(account) } }

    /// Replaces the set.
    /// - Returns: the brands that were not suspended before.
    func replace(with new: Set<AccountID>) -> Set<AccountID> {
        accounts.withLock { accounts in
            defer { accounts = new }
            return new.subtracting(accounts)
        }
    }
}
