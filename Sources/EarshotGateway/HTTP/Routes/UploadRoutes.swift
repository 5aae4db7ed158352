import EarshotCore
import EarshotModel
import HTTPTypes
import Hummingbird

/// Uploads of recordings.
struct UploadRoutes: Sendable {
    private static let mimeBytes = 100
    /// Bytes are passed on in pieces of at most this size, which bounds the memory of an upload.
    static let pieceBytes = 64 * 1024

    let media: MediaService

    var routes: [Route] {
        [
            Route(
                .post, "/v1/uploads",
                body: .json([
                    .required("conversation", .identifier), .required("draft", .identifier),
                    .optional("mime", .text(bytes: Self.mimeBytes)),
                ]), allowance: .uploads, .caller(.readConversations, begin)),
            Route(
                .post, "/v1/clips",
                body: .json([.required("draft", .identifier), .optional("mime", .text(bytes: Self.mimeBytes))]),
                allowance: .uploads,
                .agent(.changeSettings, beginClip)),
            Route(
                .post, "/v1/clips/{media}/copies",
                body: .json([.required("conversation", .identifier), .required("draft", .identifier)]),
                allowance: .uploads, .agent(.answerConversations, copyClip)),
            Route(.patch, "/v1/uploads/{upload}", body: .bytes(limit: Limits.uploadChunkBytes), .caller(nil, append)),
            Route(.get, "/v1/uploads", .caller(nil, list)),
            Route(.get, "/v1/uploads/{upload}", .caller(nil, status)),
            Route(
                .post, "/v1/uploads/{upload}/finish",
                body: .json([
                    .required("bytes", .integer(0...Int(Int32.max))), .optional("sha256", .sha256),
                ]), .caller(nil, finish)),
            Route(.delete, "/v1/uploads/{upload}", body: .json([]), .caller(nil, abort)),
        ]
    }

    /// The type that the client states (`mime`) is ignored: the bytes decide.
    @Sendable private func begin(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        try Self.begun(
            try await media.begin(
                request.fields.identifier("draft"), in: request.fields.identifier("conversation"), as: caller,
                from: request.peer.throttleName))
    }

    /// Starts the upload of a canned reply's clip, which then continues like any other.
    @Sendable private func beginClip(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        try Self.begun(
            try await media.beginClip(
                request.fields.identifier("draft"), as: signedIn.caller, from: request.peer.throttleName))
    }

    private static func begun(_ status: UploadStatus) throws -> Response {
        try .json(Begun(upload: status.upload, received: status.received), status: status.isNew ? .created : .ok)
    }

    @Sendable private func copyClip(_ request: CheckedRequest, _ signedIn: SignedIn, cookie: String) async throws
        -> Response
    {
        let (clip, fields): (MediaID, Fields) = (try request.identifier("media"), request.fields)
        return try .json(
            try await media.copy(
                clip, into: fields.identifier("conversation"), draft: fields.identifier("draft"), as: signedIn.caller))
    }

    @Sendable private func append(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        let upload: UploadID = try request.identifier("upload")
        guard let offset = request.query["offset"].flatMap(Self.offset) else {
            throw Rejection(.badRequest, "?offset= is missing. It must be the position of the first byte.")
        }
        let digest = try ContentDigest.sha256(in: request.head.headerFields)
        let target = ChunkTarget(media: media, upload: upload, caller: caller, address: request.peer.throttleName)
        var pieces = PieceWriter(target, at: offset, digest: digest)
        for try await buffer in request.body { try await pieces.take(buffer) }
        return try .json(["received": try await pieces.finish()])
    }

    /// Parses decimal digits only: `Int` would accept `+5` and `-0` too.
    private static func offset(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            ? Int(text).flatMap { $0 <= Int(Int32.max) ? $0 : nil } : nil
    }

    @Sendable private func status(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        let status = try await media.status(of: request.identifier("upload"), as: caller)
        return try .json(
            Progress(received: status.received, finished: status.isFinished, refused: status.refused?.rawValue))
    }

    @Sendable private func list(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        try .json(["uploads": try await media.openUploads(as: caller).map(Open.init)])
    }

    @Sendable private func finish(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        let sha256 = request.fields.optionalText("sha256").flatMap(ContentDigest.sha256(hexadecimal:))
        let bytes = request.fields.integer("bytes")
        return try .json(
            try await media.finish(
                request.identifier("upload"), WholeRecording(bytes: bytes, sha256: sha256), as: caller))
    }

    @Sendable private func abort(_ request: CheckedRequest, _ caller: Caller) async throws -> Response {
        try await media.abort(request.identifier("upload"), as: caller)
        return .nothing
    }

    private struct Begun: Encodable {
        let upload: UploadID
        let received: Int
    }

    private struct Progress: Encodable {
        let received: Int
        let finished: Bool
        let refused: String?
    }

    private struct Open: Encodable {
        let upload: UploadID
        let conversation: ConversationID
        let draft: DraftID
        let received: Int
        let refused: String?
        let expires: Timestamp

        init(_ open: OpenUpload) {
            (upload, received, refused) = (open.status.upload, open.status.received, open.status.refused?.rawValue)
            (conversation, draft) = (open.conversation, open.draft)
            expires = open.begun.adding(milliseconds: Limits.unsentRecordingMs)
        }
    }
}

/// Where the bytes of a request go.
private struct ChunkTarget {
    let media: MediaService
    let upload: UploadID
    let caller: Caller
    let address: String

    func append(_ bytes: [UInt8], at offset: Int, digest: [UInt8]? = nil) async throws -> Int {
        try await media.append(
            UploadChunk(bytes, at: offset, from: address, sha256: digest), to: upload, as: caller)
    }
}

/// Gathers small pieces and passes on larger ones. A body with a digest is passed on whole, so that nothing of a
/// damaged one is kept.
private struct PieceWriter {
    private let target: ChunkTarget
    private let digest: [UInt8]?
    private let pieceBytes: Int
    private var offset: Int
    private var waiting: [UInt8] = []
    private var received: Int?

    init(_ target: ChunkTarget, at offset: Int, digest: [UInt8]?) {
        self.target = target
        self.offset = offset
        self.digest = digest
        pieceBytes = digest == nil ? UploadRoutes.pieceBytes : Limits.uploadChunkBytes
    }

    mutating func take(_ buffer: ByteBuffer) async throws {
        var rest = buffer.readableBytesView
        while !rest.isEmpty {
            let part = rest.prefix(pieceBytes - waiting.count)
            waiting.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if digest == nil, waiting.count == pieceBytes { try await appendWaiting() }
        }
    }

    /// - Returns: how many bytes are stored now. An empty body only asks for that.
    mutating func finish() async throws -> Int {
        if !waiting.isEmpty || received == nil { try await appendWaiting() }
        return received ?? 0
    }

    private mutating func appendWaiting() async throws {
        received = try await target.append(waiting, at: offset, digest: digest)
        offset += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }
}
