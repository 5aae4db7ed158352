import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// What the sign-in page asks besides `POST /v1/login`: which brand it is for, and the demo's one-click links.
struct SignInPageRoutes: Sendable {
    private static let tokenBytes = 64

    let page: SignInPageService
    /// Finds the link of a token; `nil` if there is none that is valid.
    let link: @Sendable (String) -> SignInLink?
    let sessions: SessionRoutes

    var routes: [Route] {
        [
            Route(.get, "/v1/login", .anyone(brands)),
            Route(
                .post, "/v1/login/link", body: .json([.required("token", .text(bytes: Self.tokenBytes))]),
                .anyone(enter)),
        ]
    }

    @Sendable private func brands(_ request: CheckedRequest) async throws -> Response {
        switch try await page.brands() {
        case .none: try .json(Answer(brands: "none"))
        case .one(let account): try .json(Answer(brands: "one", account: account.id, name: account.name))
        case .several: try .json(Answer(brands: "several"))
        }
    }

    @Sendable private func enter(_ request: CheckedRequest) async throws -> Response {
        // Before the link is looked up: elsewhere nobody learns whether one exists.
        try LocalClient.check(request.head, request.peer)
        guard let link = link(request.fields.text("token")) else { throw SignInPageService.invalid }
        let headers = request.head.headerFields
        let session = try await page.enter(
            link, from: request.peer.throttleName, device: Device.describe(userAgent: headers[.userAgent]))
        return try await sessions.begin(session, headers)
    }

    private struct Answer: Encodable {
        let brands: String
        var account: AccountID?
        var name: String?
    }
}
