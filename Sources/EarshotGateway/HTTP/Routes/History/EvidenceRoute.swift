import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird
import NIOCore

/// Hands evidence bundles of conversations to those who may export them.
struct EvidenceRoute: Sendable {
    let evidence: EvidenceService
    let reader: FileReader

    var route: Route {
        Route(
            .get, "/v1/conversations/{conversation}/evidence", allowance: .downloads,
            .agent(.exportConversations, answer))
    }

    @Sendable private func answer(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let isHead = request.head.method == .head
        let bundle = try await evidence.bundle(
            of: request.identifier("conversation"), zone: try request.query.text("zone") ?? "UTC", isNoted: !isHead,
            for: signedIn.caller)
        var headers: HTTPFields = [
            .contentType: "application/zip", .cacheControl: "no-store",
            .contentSecurityPolicy: "sandbox; default-src 'none'",
        ]
        headers[.contentDisposition] = "attachment; filename=\"\(bundle.fileName)\""
        headers.complete(with: [("cross-origin-resource-policy", "same-origin")])
        guard !isHead else { return Response(status: .ok, headers: headers) }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [reader] writer in
                try await bundle.write { file, body in
                    try await reader.read(path: file.path, range: 0..<file.size) { piece in
                        try await body(Array(piece.readableBytesView))
                    }
                } _: {
                    try await writer.write(ByteBuffer(bytes: $0))
                }
                try await writer.finish(nil)
            })
    }
}
