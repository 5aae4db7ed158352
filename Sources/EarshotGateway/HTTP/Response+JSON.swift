import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// An answer with this value as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: status, headers: [.contentType: ErrorBody.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }

    /// An answer that is JSON already.
    static func json(bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: ErrorBody.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static var nothing: Response { Response(status: .noContent) }
}
