import EarshotCore
import EarshotDomain
import EarshotModel

/// The rate limits of HTTP routes: for each network address, and for each caller where there is one.
struct AllowanceBook: Sendable {
    /// What one kind of request is counted by.
    private struct Limit: Sendable {
        let callers: Throttle?
        let addresses: Throttle

        /// By address only.
        init(addresses: LeakyBucket.Rule) {
            callers = nil
            self.addresses = Throttle(addresses)
        }

        /// By caller, and by address at a higher rate.
        init(callers: LeakyBucket.Rule) {
            let many = GatewayConfiguration.Allowances.callersPerAddress
            self.callers = Throttle(callers)
            addresses = Throttle(
                .init(burst: callers.burst * many, refillMs: max(1, callers.refillMs / Int64(many))))
        }
    }

    private let programs: Throttle
    private let limits: [Route.Allowance: Limit]
    private let now: @Sendable () -> Timestamp

    init(_ rules: GatewayConfiguration.Allowances, now: @escaping @Sendable () -> Timestamp) {
        programs = Throttle(rules.programs)
        limits = [
            .newConsumers: Limit(addresses: rules.newConsumers),
            .consumerSignIns: Limit(addresses: rules.consumerSignIns),
            .availability: Limit(addresses: rules.availability),
            .uploads: Limit(callers: rules.uploads), .downloads: Limit(callers: rules.downloads),
            .requests: Limit(callers: rules.requests),
        ]
        self.now = now
    }

    /// Counts a request for its address, before anything is looked up for it.
    /// - Throws: `rate_limited` with the seconds to wait.
    func takeAddress(_ allowance: Route.Allowance, _ peer: Peer) throws(Rejection) {
        try limits[allowance]?.addresses.take(peer.throttleName, at: now())
    }

    /// Counts a request for the program that sent it.
    /// - Throws: `rate_limited` with the seconds to wait.
    func take(_ program: ProgramCaller) throws(Rejection) { try programs.take(program.id.rawValue, at: now()) }

    /// Counts a request for its caller.
    /// - Throws: `rate_limited` with the seconds to wait.
    func takeCaller(_ allowance: Route.Allowance, _ caller: Caller?) throws(Rejection) {
        guard let caller, let callers = limits[allowance]?.callers else { return }
        try callers.take("\(caller.account) \(caller.author)", at: now())
    }

    /// Counts a request for its caller and for its address.
    /// - Throws: `rate_limited` with the seconds to wait.
    func take(_ allowance: Route.Allowance, caller: Caller?, peer: Peer) throws(Rejection) {
        try takeCaller(allowance, caller)
        try takeAddress(allowance, peer)
    }
}
