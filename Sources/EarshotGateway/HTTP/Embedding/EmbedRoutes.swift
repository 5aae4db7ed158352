import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird
import NIOCore

/// The script that a brand's pages load, and for managers: which pages loaded it.
struct EmbedRoutes: Sendable {
    /// How long a browser may keep a script without asking again: what a manager changes shows after that.
    static let freshSeconds = 60

    let embedding: Embedding
    /// The loader as it was built; `nil` where no pages are served.
    let loader: Page?

    var routes: [Route] {
        [
            Route(.get, "/embed/{account}/{app}.js", .anyone(script)),
            Route(.get, "/v1/brand/embeds", .agent(.changeBrand, list)),
        ]
    }

    @Sendable private func script(_ request: CheckedRequest) async throws -> Response {
        guard let loader, let account = request.parameters.get("account"), let app = request.parameters.get("app")
        else { throw Rejection.notFound }
        let judged = try await embedding.judgeScript(account, app, request.head)
        let address = embedding.origins.address(host: request.head.authority)
        let script = EmbedScript(judged, at: address)
        guard script.showsLauncher else { return answer(ByteBuffer(string: script.text), nil, script) }
        let fields = request.head.headerFields
        let gzip =
            Pages.takesGzip(fields)
            ? loader.gzip.flatMap { GzipPrefix.member(script.text, before: $0, of: loader.bytes) } : nil
        let tag =
            "\(Pages.tag(of: script.text.utf8).dropLast())\(loader.tag.dropFirst().dropLast())"
            + (gzip == nil ? "\"" : "-gz\"")
        var plain = ByteBuffer(string: script.text)
        plain.writeImmutableBuffer(loader.bytes)
        let isKnown = EntityTags.isKnown(tag, to: fields)
        var response = answer(isKnown ? ByteBuffer() : gzip ?? plain, tag, script)
        if isKnown { response.status = .notModified }
        if gzip != nil { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    /// Browsers run no script of another status than 200.
    private func answer(_ body: ByteBuffer, _ tag: String?, _ script: EmbedScript) -> Response {
        var response = Response(
            status: .ok,
            headers: [
                .contentType: "text/javascript; charset=utf-8",
                .cacheControl: script.isRefused ? "no-store" : "public, max-age=\(Self.freshSeconds)",
                // Where the page may not embed the widget, the script says so.
                .vary: "Referer, Accept-Encoding",
            ], body: ResponseBody(byteBuffer: body))
        response.headers[.eTag] = tag
        response.headers.complete(with: [("cross-origin-resource-policy", "cross-origin")])
        return response
    }

    @Sendable private func list(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let address = embedding.origins.address(host: request.head.authority)
        let now = embedding.records.time
        return try .json(
            Answer(
                embeds: embedding.records.loads(of: signedIn.caller.account).map { load, at in
                    Answer.Embed(
                        app: load.app, origin: load.origin, part: load.part,
                        seconds: max(0, (now.milliseconds - at.milliseconds) / 1000),
                        code: load.refusal?.code.rawValue, text: load.refusal?.sentence(at: address))
                }))
    }

    private struct Answer: Encodable {
        let embeds: [Embed]

        struct Embed: Encodable {
            let app: String
            let origin: String
            let part: EmbedRecords.Load.Part
            /// How long ago, so that the clocks of browsers do not matter.
            let seconds: Int64
            /// Absent where it was all right.
            let code: String?
            let text: String?
        }
    }
}

/// What the server writes in front of the loader: the settings of one app, as defaults for the `data-…` attributes of
/// the script's element.
struct EmbedScript: Sendable {
    let text: String
    /// Whether the loader follows.
    let showsLauncher: Bool
    /// Whether the page may not embed the widget, as far as the browser told.
    let isRefused: Bool

    init(_ judged: JudgedEmbedding, at address: String) {
        isRefused = judged.refusal != nil
        let told = judged.refusal.map { "console.error(\("Earshot: \($0.sentence(at: address))".jsonText));" } ?? ""
        guard let account = judged.account, let app = judged.app else {
            (text, showsLauncher) = (told, false)
            return
        }
        let launcher = app.shownLauncher
        let colors = BrandColors(account.color).map { "--0:\($0.ground);--1:\($0.ink);" } ?? ""
        let settings: [(String, String?)] = [
            ("account", account.id.rawValue), ("app", app.id.rawValue),
            // The custom properties of loader.css.
            ("look", "\(colors)--2:path('\(launcher.icon.shape)')"),
            ("side", launcher.side == .left ? launcher.side.rawValue : nil),
            ("label", launcher.label.isEmpty ? nil : launcher.label),
        ]
        let members = settings.compactMap { name, value in value.map { "\(name):\($0.jsonText)" } }
        text =
            "((d,o)=>{for(let k in o)k in d||(d[k]=o[k])})(document.currentScript.dataset,"
            + "{\(members.joined(separator: ","))});" + told
        showsLauncher = true
    }
}
