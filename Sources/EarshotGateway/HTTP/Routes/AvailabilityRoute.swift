import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird

/// Tells whether agents are available and when one would answer, for pages that show a chat button only then. Scripts
/// of other sites that the app allows may read it. It tells only what a consumer who wrote now would be told.
struct AvailabilityRoute: Sendable {
    private static let pageBytes = 2048
    private static let languageBytes = 64
    /// How long browsers may reuse an answer, so that a site may ask on every page.
    static let freshSeconds = 5

    let identity: IdentityService
    let routing: RoutingService

    var route: Route { Route(.get, "/v1/availability", allowance: .availability, judgesOrigin: true, .anyone(tell)) }

    @Sendable private func tell(_ request: CheckedRequest) async throws -> Response {
        let (account, name): (AccountID, AppID) = (
            try Self.identifier("account", request.query), try Self.identifier("app", request.query)
        )
        let facts = try Self.facts(request.query, app: name)
        let app = try await identity.app(name, of: account, from: request.foreignOrigin)
        if request.foreignOrigin != nil { try request.take(.availability) }
        let now = try await routing.outlook(for: facts, in: app.account)
        var response = try Response.json(Answer(now))
        response.headers[.cacheControl] = "public, max-age=\(Self.freshSeconds)"
        return response
    }

    /// What routing would know about a consumer who starts on this page.
    private static func facts(_ query: Query, app: AppID) throws(Rejection) -> RouteFacts {
        RouteFacts(
            page: try text("page", pageBytes, query), language: try text("language", languageBytes, query),
            channel: MessagingChannel.web.rawValue, app: app.rawValue)
    }

    private static func text(_ name: String, _ bytes: Int, _ query: Query) throws(Rejection) -> String? {
        let text = try query.text(name)
        guard (text?.utf8.count ?? 0) <= bytes else {
            throw Rejection(.badRequest, "?\(name)= is too long. At most \(bytes) bytes are allowed.", limit: bytes)
        }
        return text
    }

    /// A malformed id is treated as one that does not exist.
    private static func identifier<Tag>(_ name: String, _ query: Query) throws(Rejection) -> Identifier<Tag> {
        guard let text = try query.text(name) else { throw Rejection(.badRequest, "?\(name)= is missing.") }
        guard let identifier = Identifier<Tag>(text) else { throw .notFound }
        return identifier
    }
}

extension AvailabilityRoute {
    private struct Answer: Encodable {
        let open: Bool
        let hours: OpeningState
        let by: Int64?
        let within: Int64?
        let waiting: Int

        init(_ outlook: Outlook) {
            (open, hours, by, within, waiting) = (
                outlook.isOpen, outlook.hours, outlook.by?.milliseconds, outlook.withinSeconds, outlook.waiting
            )
        }
    }
}
