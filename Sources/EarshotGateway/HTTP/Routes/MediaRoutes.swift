import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Playback and download of recordings. Playback serves our own encoding of the decoded samples, with headers that keep
/// browsers from treating it as anything but audio. A download is an attachment whose name and type the server chose:
/// nothing that a client said about it is repeated.
struct MediaRoutes: Sendable {
    let media: MediaService
    let reader: FileReader

    var routes: [Route] {
        let renditions = Rendition.allCases.map { rendition in
            Route(
                .get, "/v1/media/{conversation}/{media}.\(rendition)",
                .caller(.readConversations) { try await self.play(rendition, $0, $1) })
        }
        let clips = Rendition.allCases.map { rendition in
            Route(
                .get, "/v1/clips/{media}.\(rendition)",
                .agent(.readConversations) { request, signedIn, _ in
                    try await self.playClip(rendition, request, signedIn.caller)
                })
        }
        return renditions + clips + [
            Route(
                .get, "/v1/media/{conversation}/{media}/original", allowance: .downloads,
                .caller(.readConversations, original))
        ]
    }

    private func play(_ rendition: Rendition, _ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        let (isDownload, isHead) = (try request.query.isSet("download"), request.head.method == .head)
        if isDownload { try request.take(.downloads) }
        let found = try await media.rendition(
            rendition, of: request.identifier("media"), in: request.identifier("conversation"),
            isNoted: isDownload && !isHead, as: caller)
        if isDownload { return try await reader.attachment(found, type: rendition.mediaType, isHead: isHead) }
        return try await played(found.file, rendition, request.head)
    }

    private func playClip(_ rendition: Rendition, _ request: CheckedRequest, _ agent: AgentCaller) async throws
        -> Response
    {
        try await played(media.clip(request.identifier("media"), as: rendition, for: agent), rendition, request.head)
    }

    @Sendable private func original(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        let isHead = request.head.method == .head
        let found = try await media.original(
            of: request.identifier("media"), in: request.identifier("conversation"), isNoted: !isHead, as: caller)
        return try await reader.attachment(found, type: "application/octet-stream", isHead: isHead)
    }
}

/// Serves a recording as an attachment, always whole, so that each download is one entry of the audit log.
extension FileReader {
    func attachment(_ found: RecordingFile, type: String, isHead: Bool) async throws -> Response {
        var headers: HTTPFields = [
            .contentType: type, .contentLength: String(found.file.size), .cacheControl: "no-store",
            .contentSecurityPolicy: "sandbox; default-src 'none'",
        ]
        headers[.contentDisposition] = "attachment; filename=\"\(found.downloadName)\""
        headers.complete(with: [("cross-origin-resource-policy", "same-origin")])
        let body = isHead ? ResponseBody() : try await body(path: found.file.path, range: 0..<found.file.size)
        return Response(status: .ok, headers: headers, body: body)
    }
}

/// Serves ranges of a recording to players.
extension MediaRoutes {
    private func played(_ file: MediaFile, _ rendition: Rendition, _ head: HTTPRequest) async throws -> Response {
        let (fields, tag) = (head.headerFields, "\"\(file.etag)\"")
        if EntityTags.isKnown(tag, to: fields) {
            return Response(status: .notModified, headers: Self.headers(tag, rendition))
        }
        let range = EntityTags.allowsRange(tag, for: fields) ? ByteRange.parse(fields[.range], size: file.size) : .whole
        switch range {
        case .whole: return try await answer(file, 0..<file.size, .ok, Self.headers(tag, rendition), head.method)
        case .part(let part):
            return try await answer(file, part, .partialContent, Self.headers(tag, rendition), head.method)
        case .unsatisfiable:
            var headers = Self.headers(tag, rendition)
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private func answer(
        _ file: MediaFile, _ range: Range<Int>, _ status: HTTPResponse.Status, _ headers: HTTPFields,
        _ method: HTTPRequest.Method
    ) async throws -> Response {
        var headers = headers
        headers[.contentLength] = String(range.count)
        if status == .partialContent {
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
        }
        let body = method == .head ? ResponseBody() : try await reader.body(path: file.path, range: range)
        return Response(status: status, headers: headers, body: body)
    }

    /// Private, and revalidated each time by its tag: a person who signed out cannot play it, not even from the cache.
    private static func headers(_ tag: String, _ rendition: Rendition) -> HTTPFields {
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: tag, .cacheControl: "private, no-cache", .vary: "cookie, authorization",
            .contentSecurityPolicy: "sandbox; default-src 'none'", .contentType: rendition.mediaType,
        ]
        headers[.contentDisposition] = "inline; filename=\"voice-message.\(rendition)\""
        headers.complete(with: [("cross-origin-resource-policy", "same-origin")])
        return headers
    }
}
