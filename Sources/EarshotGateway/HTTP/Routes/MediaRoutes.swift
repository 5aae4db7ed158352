import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Playing recordings. What is served is our own MP3 of the decoded samples; even so no browser is ever to take it for anything but sound.
struct MediaRoutes: Sendable {
    let media: MediaDesk
    let reader: FileReader

    var routes: [Route] {
        [Route(.get, "/v1/media/{conversation}/{media}.mp3", .caller(play))]
    }

    @Sendable private func play(_ inquiry: Inquiry, _ caller: Caller) async throws -> Response {
        let file = try await media.mp3(of: inquiry.identifier("media"), in: inquiry.identifier("conversation"), as: caller)
        let fields = inquiry.head.headerFields
        let tag = "\"\(file.etag)\""
        if EntityTags.isKnown(tag, to: fields) { return Response(status: .notModified, headers: Self.headers(tag)) }
        let range = EntityTags.allowsRange(tag, for: fields) ? ByteRange.parse(fields[.range], size: file.size) : .whole
        switch range {
        case .whole: return try await answer(file, 0..<file.size, .ok, tag, inquiry.head.method)
        case .part(let part): return try await answer(file, part, .partialContent, tag, inquiry.head.method)
        case .unsatisfiable:
            var headers = Self.headers(tag)
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private func answer(
        _ file: MediaFile, _ range: Range<Int>, _ status: HTTPResponse.Status, _ tag: String, _ method: HTTPRequest.Method
    ) async throws -> Response {
        var headers = Self.headers(tag)
        headers[.contentType] = "audio/mpeg"
        headers[.contentLength] = String(range.count)
        if status == .partialContent { headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)" }
        let body = method == .head ? ResponseBody() : try await reader.body(path: file.path, range: range)
        return Response(status: status, headers: headers, body: body)
    }

    /// Private, and asked for again each time by its tag: whoever is signed out hears nothing, not even from the cache.
    private static func headers(_ tag: String) -> HTTPFields {
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: tag, .cacheControl: "private, no-cache", .vary: "cookie, authorization",
            .contentSecurityPolicy: "sandbox; default-src 'none'",
        ]
        headers[.contentDisposition] = "inline; filename=\"voice-message.mp3\""
        headers.complete(with: [("cross-origin-resource-policy", "same-origin")])
        return headers
    }
}
