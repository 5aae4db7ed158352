import EarshotCore
import Hummingbird

/// What supervisors and load balancers ask. Nothing here tells anyone how the server is built.
///
/// - `/v1/live`: the process answers. If not, restart it.
/// - `/v1/ready`: it takes work. If not, send it none.
struct ProbeRoutes: Sendable {
    let readiness: Readiness

    var routes: [Route] {
        [
            Route(.get, "/v1/live", isGuarded: false, .anyone(live)),
            Route(.get, "/v1/ready", isGuarded: false, .anyone(ready)),
        ]
    }

    private struct Answer: Encodable {
        let status: String
        var reasons: [String]?
    }

    @Sendable private func live(_ request: CheckedRequest) async throws -> Response {
        try .json(Answer(status: "live"))
    }

    @Sendable private func ready(_ request: CheckedRequest) async throws -> Response {
        let reasons = readiness.reasons.filter(\.isBlocking)
        guard !reasons.isEmpty else { return try .json(Answer(status: "ready")) }
        return try .json(
            Answer(status: "not_ready", reasons: reasons.map(\.rawValue)), status: .serviceUnavailable)
    }
}
