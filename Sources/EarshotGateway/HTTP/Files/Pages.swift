import EarshotModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The web front ends and the API description: an exact map from paths to the files that were read at start.
struct Pages: Sendable {
    enum Entry: Sendable {
        case page(Page)
        /// Redirected: a folder's path without its last slash, where relative links would not resolve, or `/`.
        case moved(String)
    }

    private let entries: [String: Entry]
    private let embedding: Embedding
    /// The page of an address where nothing is.
    private let notFound: Page
    private let refusal: RefusalPage?

    /// - Parameter refusal: the page instead of the widget for pages that may not embed it.
    init(entries: [String: Entry], embedding: Embedding, notFound: Page, refusal: RefusalPage? = nil) {
        (self.entries, self.embedding, self.notFound, self.refusal) = (entries, embedding, notFound, refusal)
    }

    /// The embed script, without the settings of an app.
    var loader: Page? {
        guard case .page(let page) = entries["/loader.js"] else { return nil }
        return page
    }

    subscript(path: Substring) -> Entry? { entries[String(path)] }

    func answer(_ entry: Entry, _ request: Request, _ query: Query) async throws -> Response {
        switch entry {
        case .moved(let place):
            var headers: HTTPFields = [.location: place, .cacheControl: "no-cache"]
            headers.complete(with: [("content-security-policy", "default-src 'none'; frame-ancestors 'none'")])
            return Response(status: .permanentRedirect, headers: headers)
        case .page(let page):
            let judged =
                page.isHTML && page.place == .widget ? try await embedding.judgeWidget(query, request.head) : nil
            if let refused = judged?.refusal {
                guard let refusal else { throw Rejection(refused.code, "The widget is not available on this page.") }
                return refusal.answer(refused, at: embedding.origins.address(host: request.head.authority))
            }
            let policy = PagePolicy(
                page: page, sockets: embedding.origins.webSocketSources(host: request.head.authority),
                framers: PageIdentity.framers(of: judged?.app))
            return answer(page, request.headers, policy.headers)
        }
    }

    /// The page for a browser that was led to an address where nothing is; `nil` for a program, which gets JSON.
    func notFound(_ request: Request) -> Response? {
        guard request.method == .get || request.method == .head, Self.takesHTML(request.headers) else { return nil }
        var headers: HTTPFields = [.contentType: notFound.contentType, .cacheControl: "no-store"]
        headers.complete(with: PagePolicy(page: notFound, sockets: [], framers: []).headers)
        return Response(status: .notFound, headers: headers, body: ResponseBody(byteBuffer: notFound.bytes))
    }

    private func answer(_ page: Page, _ fields: HTTPFields, _ policy: [(String, String)]) -> Response {
        let gzip = Self.takesGzip(fields) ? page.gzip : nil
        let tag = gzip == nil ? page.tag : String(page.tag.dropLast()) + "-gz\""
        var headers: HTTPFields = [
            .contentType: page.contentType, .eTag: tag,
            .cacheControl: page.cacheControl,
        ]
        if page.gzip != nil { headers[.vary] = "accept-encoding" }
        if gzip != nil { headers[.contentEncoding] = "gzip" }
        headers.complete(with: policy)
        if EntityTags.isKnown(tag, to: fields) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: gzip ?? page.bytes))
    }

    static func takesGzip(_ fields: HTTPFields) -> Bool { accepts("gzip", fields[values: .acceptEncoding]) }

    /// Browsers name it where a person goes to an address. Scripts, and most programs, accept everything alike.
    private static func takesHTML(_ fields: HTTPFields) -> Bool { accepts("text/html", fields[values: .accept]) }

    /// Whether the lists of a header name something, with another weight than 0.
    private static func accepts(_ name: String, _ values: [String]) -> Bool {
        values.flatMap { $0.split(separator: ",") }.contains { one in
            let parts = one.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return parts.first == name
                && !parts.dropFirst().contains {
                    $0.hasPrefix("q=0") && !$0.contains(where: { "123456789".contains($0) })
                }
        }
    }
}
