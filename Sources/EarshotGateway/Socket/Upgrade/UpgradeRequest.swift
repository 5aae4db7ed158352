import Crypto
import EarshotModel
import Foundation
import NIOHTTP1

/// A request for a WebSocket, parsed strictly (RFC 6455 section 4.2.1).
struct UpgradeRequest: Hashable {
    static let path = "/v1/socket"

    let host: String
    /// The origin of the page, which browsers send and other clients do not.
    let origin: String?
    private let key: String

    /// Why there is no socket.
    struct Refusal: Error, Hashable {
        let status: HTTPResponseStatus
        let rejection: Rejection
        var fields: [String: String] = [:]

        static let malformed = Refusal(
            status: .badRequest, rejection: Rejection(.badRequest, "This is not a valid WebSocket request."))
        static let notAnUpgrade = Refusal(
            status: .upgradeRequired,
            rejection: Rejection(.badRequest, "This address accepts WebSocket connections only."),
            fields: ["upgrade": "websocket"])
        static let version = Refusal(
            status: .upgradeRequired, rejection: Rejection(.badRequest, "Use version 13 of the WebSocket protocol."),
            fields: ["upgrade": "websocket", "sec-websocket-version": "13"])
        static let origin = Refusal(
            status: .forbidden,
            rejection: Rejection(
                .originRefused, "This site may not use Earshot. An administrator can allow it in the settings."))
    }

    static func isFor(_ head: HTTPRequestHead) -> Bool {
        head.method == .GET && head.uri.prefix { $0 != "?" } == path
    }

    init(_ head: HTTPRequestHead) throws(Refusal) {
        let fields = head.headers
        guard head.version == .http1_1, let host = fields["host"].first, fields["origin"].count <= 1,
            !fields.contains(name: "transfer-encoding"),
            fields["content-length"].allSatisfy({ $0 == "0" })
        else { throw .malformed }
        let hasUpgrade = fields[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
        let isUpgrade = fields[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
        guard hasUpgrade, isUpgrade else { throw .notAnUpgrade }
        guard fields["sec-websocket-version"] == ["13"] else { throw .version }
        guard case let keys = fields["sec-websocket-key"], keys.count == 1,
            Data(base64Encoded: keys[0])?.count == Self.keyBytes
        else { throw .malformed }
        self.host = host
        origin = fields["origin"].first
        key = keys[0]
    }

    /// The answer that turns the connection into a socket, without subprotocol and extension.
    var acceptance: String {
        let digest = Insecure.SHA1.hash(data: Data((key + Self.magic).utf8))
        let accept = Data(digest).base64EncodedString()
        return
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
    }

    private static let keyBytes = 16
    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}
