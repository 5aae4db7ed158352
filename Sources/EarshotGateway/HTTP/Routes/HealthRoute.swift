import EarshotModel
import Hummingbird

/// Whether this server takes work.
struct HealthRoute: Sendable {
    let drain: Drain

    var routes: [Route] {
        [Route(.get, "/v1/health", isGuarded: false, .anyone(health))]
    }

    @Sendable private func health(_ inquiry: Inquiry) async throws -> Response {
        guard !drain.isDraining else { throw Rejection.unavailable }
        return try .json(["status": "ok"])
    }
}
