import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// What pages of other sites may do: act for a consumer with its token, where the consumer's app allows their origin.
/// The one judge of the header `Origin` for HTTP and for sockets. It also answers preflights and writes the CORS
/// headers.
///
/// A foreign page never acts with a cookie: no answer says `Access-Control-Allow-Credentials`.
struct ForeignPages: Sendable {
    private static let preflightSeconds = 600
    /// What requests of consumers carry: their token, a type, a digest, and what players ask for.
    private static let requestHeaders = "Authorization, Content-Digest, Content-Type, If-None-Match, If-Range, Range"
    private static let answerHeaders = "Accept-Ranges, Content-Disposition, Content-Range, ETag, Retry-After"
    private static let requestMethod = HTTPField.Name("Access-Control-Request-Method")

    let identity: IdentityService
    let own: OriginPolicy
    let cookie: SessionCookie

    /// Refuses pages that may not make a browser act. Of those that remain, an app must allow the origin.
    /// - Returns: the origin of a page of another site, for a route that such pages may use; it is yet to be checked
    ///   against the app.
    func origin(of head: HTTPRequest, for route: Route) throws(Rejection) -> String? {
        let given = head.headerFields[values: .origin]
        let mayBeForeign = Self.takesForeignPages(route, head)
        guard route.changesState || mayBeForeign else { return nil }
        guard let origin = given.first else {
            // Browsers send an origin with every request that changes anything, and only browsers have cookies.
            guard !route.changesState || cookie.value(in: head.headerFields) == nil else { throw Self.refused }
            return nil
        }
        if given.count == 1, own.isOwn(origin, host: head.authority) { return nil }
        guard given.count == 1, origin != "null", mayBeForeign else { throw Self.refused }
        return origin
    }

    /// - Throws: `origin_refused` where the consumer's app does not allow the origin of the page.
    func check(_ origin: String?, of consumer: ConsumerCaller) async throws {
        if let origin { try await identity.check(origin, of: consumer) }
    }

    /// Judges the page that requests a socket. The app is known only from `hello` on; until then the origin must be one
    /// that some app allows.
    /// - Returns: the page's origin where it is foreign.
    func judge(_ request: UpgradeRequest) throws(UpgradeRequest.Refusal) -> String? {
        guard let origin = request.origin, !own.isOwn(origin, host: request.host) else { return nil }
        guard identity.isAllowed(origin) else { throw .origin }
        return origin
    }

    /// Answers a preflight for the routes of a path.
    /// - Returns: `nil` where the request is no preflight of a page of another site, or none of the routes is for such
    ///   pages.
    /// - Throws: `origin_refused` where no app allows the origin.
    func preflight(_ head: HTTPRequest, _ routes: [Route]) async throws -> Response? {
        let methods = routes.filter(\.isForForeignPages).map(\.method.rawValue).sorted()
        guard let name = Self.requestMethod, head.headerFields.contains(name), !methods.isEmpty,
            case let given = head.headerFields[values: .origin], let origin = given.first,
            !own.isOwn(origin, host: head.authority)
        else { return nil }
        if given.count == 1, !identity.isAllowed(origin) { try await identity.refreshAllowedOrigins() }
        guard given.count == 1, identity.isAllowed(origin) else { throw Self.refused }
        var response = Response.nothing
        response.headers.complete(with: [
            ("access-control-allow-origin", origin), ("vary", "Origin"),
            ("access-control-allow-methods", methods.joined(separator: ", ")),
            ("access-control-allow-headers", Self.requestHeaders),
            ("access-control-max-age", String(Self.preflightSeconds)),
        ])
        return response
    }

    /// Lets the scripts of a page of another site read an answer, also a refusal, unless the page itself was refused.
    func share(_ fields: inout HTTPFields, of route: Route, to head: HTTPRequest, refused: Rejection.Code?) {
        guard route.isForForeignPages else { return }
        fields[.vary] = (fields[.vary].map { $0 + ", " } ?? "") + "Origin"
        let given = head.headerFields[values: .origin]
        guard given.count == 1, let origin = given.first, !own.isOwn(origin, host: head.authority),
            Self.takesForeignPages(route, head), refused != .originRefused, identity.isAllowed(origin)
        else { return }
        fields.complete(with: [
            ("access-control-allow-origin", origin), ("access-control-expose-headers", Self.answerHeaders),
        ])
    }

    /// Whether a page of another site may send this request: on a route that takes both, only with a consumer's token.
    private static func takesForeignPages(_ route: Route, _ head: HTTPRequest) -> Bool {
        route.isForForeignPages && (route.handler.isOpenToAnyone || head.headerFields.contains(.authorization))
    }

    private static let refused = Rejection(
        .originRefused, "Requests from this page are not allowed. Open Earshot on its own address.")
}
