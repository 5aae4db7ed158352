import EarshotCore
import EarshotModel
import Hummingbird

/// Tells whether this server accepts work, and the state of its scanner. A scanner that is down does not make the
/// server unhealthy: text still works.
struct HealthRoute: Sendable {
    let readiness: Readiness
    /// The state of the scanner in one word; `nil` where there is none.
    let scanner: @Sendable () -> String?

    var routes: [Route] {
        [Route(.get, "/v1/health", isGuarded: false, .anyone(health))]
    }

    @Sendable private func health(_ request: CheckedRequest) async throws -> Response {
        guard readiness.isReady else { throw Rejection.unavailable }
        var health = ["status": "ok"]
        health["scanner"] = scanner()
        return try .json(health)
    }
}
