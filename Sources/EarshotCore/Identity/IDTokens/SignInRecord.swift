import EarshotModel
import Synchronization

/// What became of the ID tokens since the server started: how many were refused for which reason, and when a key was
/// used last. It has no content of a token, and is bounded by the brands, the reasons and the keys.
final class SignInRecord: Sendable {
    private struct Brand {
        var refusals: [IDTokenFailure: ConsumerSignInService.Refusals] = [:]
        var uses: [String?: Timestamp] = [:]
    }

    private let brands = Mutex([AccountID: Brand]())

    func note(_ failure: IDTokenFailure, of account: AccountID, at now: Timestamp) {
        brands.withLock { brands in
            let count = brands[account]?.refusals[failure]?.count ?? 0
            brands[account, default: Brand()].refusals[failure] = .init(
                reason: failure.rawValue, count: count + 1, last: now)
        }
    }

    /// Notes that a key verified a token.
    /// - Parameter key: its id, which the brand's settings have.
    func note(use key: String?, of account: AccountID, at now: Timestamp) {
        brands.withLock { $0[account, default: Brand()].uses[key] = now }
    }

    /// Forgets what was noted of keys that were replaced.
    func forget(_ account: AccountID) {
        brands.withLock { $0[account] = nil }
    }

    /// The refusals of a brand, the newest first.
    func refusals(of account: AccountID) -> [ConsumerSignInService.Refusals] {
        brands.withLock { $0[account]?.refusals.values.sorted { ($1.last, $0.reason) < ($0.last, $1.reason) } ?? [] }
    }

    /// When a key verified a token last.
    func use(of key: String?, _ account: AccountID) -> Timestamp? { brands.withLock { $0[account]?.uses[key] } }
}
