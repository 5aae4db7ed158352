import Hummingbird

/// Where the demo shop gets an ID token for its "Sign in", as a real shop gets one from its own server. Only the demo
/// has this route.
struct DemoSignInRoute: Sendable {
    let idToken: @Sendable () throws -> String

    var route: Route { Route(.post, "/demo/id-token", body: .json([]), allowance: .consumerSignIns, .anyone(sign)) }

    @Sendable private func sign(_ request: CheckedRequest) async throws -> Response {
        try .json(["idToken": try idToken()])
    }
}
