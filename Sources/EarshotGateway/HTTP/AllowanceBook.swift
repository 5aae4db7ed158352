import EarshotCore
import EarshotDomain
import EarshotModel

/// The rate limits of HTTP routes.
struct AllowanceBook: Sendable {
    private let newConsumers: Throttle
    private let uploads: Throttle
    private let availability: Throttle
    private let now: @Sendable () -> Timestamp

    init(_ rules: GatewayConfiguration.Allowances, now: @escaping @Sendable () -> Timestamp) {
        newConsumers = Throttle(rules.newConsumers)
        uploads = Throttle(rules.uploads)
        availability = Throttle(rules.availability)
        self.now = now
    }

    /// - Throws: `rate_limited` with the seconds to wait.
    func take(_ allowance: Route.Allowance, caller: Caller?, peer: Peer) throws(Rejection) {
        switch allowance {
        case .newConsumers: try newConsumers.take(peer.throttleName, at: now())
        case .availability: try availability.take(peer.throttleName, at: now())
        case .uploads: try uploads.take(caller.map { "\($0.account) \($0.author)" } ?? peer.throttleName, at: now())
        }
    }
}
