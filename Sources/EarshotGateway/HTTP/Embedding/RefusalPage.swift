import EarshotModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The page that is shown instead of the widget where a page may not embed it. It says so to the visitor, and to the
/// person who built the page what to do. It holds nothing of the brand, so anyone may frame it.
struct RefusalPage: Sendable {
    /// Where the sentence goes in Web/widget/refused/index.html.
    private static let place = "<!-- sentence -->"
    /// No `frame-ancestors`: every page may show it, also one from a file.
    private static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"

    private let before: String
    private let after: String

    /// - Parameter template: the built page. `nil` where the text is not one.
    init?(_ template: String) {
        let parts = template.split(separator: Self.place, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        (before, after) = (String(parts[0]), String(parts[1]))
    }

    func answer(_ refusal: EmbedRefusal, at address: String) -> Response {
        let sentence = EmbedSnippet.escaped("Earshot: " + refusal.sentence(at: address))
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers.complete(with: [
            ("content-security-policy", Self.policy), ("permissions-policy", "microphone=(), camera=()"),
        ])
        return Response(
            status: ErrorBody.status(of: refusal.code), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: before + sentence + after)))
    }
}
