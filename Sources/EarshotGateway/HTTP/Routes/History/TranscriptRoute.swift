import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Hummingbird
import NIOCore

/// Hands transcripts of conversations to the brand's people.
struct TranscriptRoute: Sendable {
    let transcripts: TranscriptService

    var route: Route {
        Route(
            .get, "/v1/conversations/{conversation}/transcript", allowance: .downloads,
            .agent(.readConversations, answer))
    }

    @Sendable private func answer(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let name = try request.query.text("format") ?? TranscriptFormat.text.rawValue
        guard let format = TranscriptFormat(rawValue: name) else {
            throw Rejection(.badRequest, "?format= must be txt, xml, json or html.")
        }
        let isHead = request.head.method == .head
        let transcript = try await transcripts.transcript(
            of: request.identifier("conversation"),
            TranscriptWish(
                format, zone: try request.query.text("zone") ?? "UTC", hasNotes: try request.query.isSet("notes")),
            isNoted: !isHead, for: signedIn.caller)
        let headers = Self.headers(transcript)
        guard !isHead else { return Response(status: .ok, headers: headers) }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await transcript.write { try await writer.write(ByteBuffer(string: $0)) }
                try await writer.finish(nil)
            })
    }

    /// A page is shown, so that it can be printed; it may load nothing and run nothing. Every other form is a file.
    private static func headers(_ transcript: Transcript) -> HTTPFields {
        let format = transcript.format
        let day = Zone.iso8601(transcript.head.made, in: transcript.head.zone).prefix(10)
        let file = "transcript-\(day)-\(transcript.head.conversation.id.rawValue.prefix(8)).\(format.rawValue)"
        var headers: HTTPFields = [
            .contentType: "\(format.mediaType); charset=utf-8", .cacheControl: "no-store",
            .contentSecurityPolicy: "sandbox; default-src 'none'"
                + (format == .html ? "; style-src 'unsafe-inline'" : ""),
        ]
        headers[.contentDisposition] = "\(format == .html ? "inline" : "attachment"); filename=\"\(file)\""
        headers.complete(with: [("cross-origin-resource-policy", "same-origin")])
        return headers
    }
}

extension TranscriptFormat {
    fileprivate var mediaType: String {
        switch self {
        case .text: "text/plain"
        case .xml: "application/xml"
        case .json: "application/json"
        case .html: "text/html"
        }
    }
}
