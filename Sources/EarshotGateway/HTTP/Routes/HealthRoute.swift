import EarshotModel
import Hummingbird

/// Whether this server takes work, and how its scanner is. A scanner that is down is no reason to send people elsewhere: text goes on.
struct HealthRoute: Sendable {
    let drain: Drain
    /// One word on how the scanner is; `nil` where there is none.
    let scanner: @Sendable () -> String?

    var routes: [Route] {
        [Route(.get, "/v1/health", isGuarded: false, .anyone(health))]
    }

    @Sendable private func health(_ request: CheckedRequest) async throws -> Response {
        guard !drain.isDraining else { throw Rejection.unavailable }
        var health = ["status": "ok"]
        health["scanner"] = scanner()
        return try .json(health)
    }
}
