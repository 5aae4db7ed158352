import Crypto
import EarshotModel
import Foundation

/// A request for a socket, read strictly (RFC 6455 section 4.2.1, RFC 9112).
struct UpgradeRequest: Hashable {
    let host: String
    /// A browser says where the page is from; other clients say nothing.
    let origin: String?
    private let key: String

    /// Why there is no socket.
    struct Refusal: Error, Hashable {
        let status: String
        let rejection: Rejection
        var header: String?

        static let malformed = Refusal(status: "400 Bad Request", rejection: Rejection(.badRequest, "This is no request for a socket."))
        static let notAnUpgrade = Refusal(
            status: "426 Upgrade Required", rejection: Rejection(.badRequest, "This address speaks WebSocket only."), header: "Upgrade: websocket")
        static let version = Refusal(
            status: "426 Upgrade Required", rejection: Rejection(.badRequest, "Version 13 of WebSocket is spoken here."),
            header: "Sec-WebSocket-Version: 13")
        static let origin = Refusal(
            status: "403 Forbidden", rejection: Rejection(.originRefused, "This site may not use Earshot here. An administrator can allow it."))
        static let tooLarge = Refusal(
            status: "431 Request Header Fields Too Large", rejection: Rejection(.headersTooLarge, "The request's head is too large."))
        static let late = Refusal(status: "408 Request Timeout", rejection: Rejection(.timeout, "The request's head took too long."))
    }

    static let path = "/v1/socket"
    static let maximumBytes = 16 * 1024

    /// - Parameter head: everything before the empty line.
    init(head: String) throws(Refusal) {
        var lines = head.components(separatedBy: "\r\n")
        try Self.check(requestLine: lines.removeFirst())
        var fields: [String: [String]] = [:]
        for line in lines {
            let (name, value) = try Self.field(line)
            fields[name, default: []].append(value)
        }
        guard let host = fields["host"], host.count == 1, !host[0].isEmpty, fields["transfer-encoding"] == nil,
            fields["content-length"].map({ $0 == ["0"] }) ?? true, (fields["origin"]?.count ?? 0) <= 1
        else { throw .malformed }
        guard Self.tokens(fields["upgrade"]).contains("websocket"), Self.tokens(fields["connection"]).contains("upgrade") else { throw .notAnUpgrade }
        guard fields["sec-websocket-version"] == ["13"] else { throw .version }
        guard let key = fields["sec-websocket-key"], key.count == 1, Data(base64Encoded: key[0])?.count == 16 else { throw .malformed }
        self.host = host[0]
        self.origin = fields["origin"]?.first
        self.key = key[0]
    }

    /// The answer that makes it a socket.
    var acceptance: String {
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        let accept = Data(digest).base64EncodedString()
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
    }

    private static func check(requestLine: String) throws(Refusal) {
        let parts = requestLine.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "GET", parts[2] == "HTTP/1.1", parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            parts[1] == path || parts[1].hasPrefix(path + "?")
        else { throw .malformed }
    }

    /// A field's name in lower case, and its value. No folded lines, no space before the colon, no control characters.
    private static func field(_ line: String) throws(Refusal) -> (String, String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
        let (name, value) = (line[..<colon], line[line.index(after: colon)...])
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenCharacter), value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7f) }) else {
            throw .malformed
        }
        return (name.lowercased(), value.trimmingCharacters(in: .whitespaces))
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func tokens(_ values: [String]?) -> [String] {
        (values ?? []).flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}

extension UpgradeRequest.Refusal {
    /// The whole answer; the connection closes after it.
    func response(request: String) -> String {
        var body: [UInt8] = []
        body.append(raw: #"{"error":{"code":"#)
        body.append(json: rejection.code.rawValue)
        body.append(raw: #","text":"#)
        body.append(json: rejection.text)
        body.append(raw: #","request":"#)
        body.append(json: request)
        body.append(raw: "}}")
        let extra = header.map { "\($0)\r\n" } ?? ""
        return "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\(extra)"
            + "X-Content-Type-Options: nosniff\r\n\r\n" + String(decoding: body, as: UTF8.self)
    }
}
