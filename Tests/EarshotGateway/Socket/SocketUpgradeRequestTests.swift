import NIOHTTP1
import Testing

@testable import EarshotGateway

@Suite struct `A request for a socket` {
    private static let good: [(String, String)] = [
        ("Host", "localhost:8080"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Sec-WebSocket-Version", "13"),
    ]

    private func head(_ fields: [(String, String)], _ version: HTTPVersion = .http1_1) -> HTTPRequestHead {
        HTTPRequestHead(version: version, method: .GET, uri: "/v1/socket", headers: HTTPHeaders(fields))
    }

    private func without(_ name: String, _ others: (String, String)...) -> HTTPRequestHead {
        head(Self.good.filter { $0.0 != name } + others)
    }

    @Test func `without an upgrade is told the supported protocol`() {
        for head in [
            without("Upgrade"), without("Connection"), without("Upgrade", ("Upgrade", "h2c")),
            without("Connection", ("Connection", "close")),
        ] {
            #expect(throws: UpgradeRequest.Refusal.notAnUpgrade) { try UpgradeRequest(head) }
        }
    }

    @Test func `of another version is told which one`() {
        for head in [
            without("Sec-WebSocket-Version"), without("Sec-WebSocket-Version", ("Sec-WebSocket-Version", "8")),
            without("", ("Sec-WebSocket-Version", "13")),
        ] {
            #expect(throws: UpgradeRequest.Refusal.version) { try UpgradeRequest(head) }
        }
        #expect(UpgradeRequest.Refusal.version.fields["sec-websocket-version"] == "13")
    }

    @Test func `without one good key, with a body or of HTTP 1.0 is refused`() {
        let heads = [
            without("Sec-WebSocket-Key"), without("Sec-WebSocket-Key", ("Sec-WebSocket-Key", "c2hvcnQ=")),
            without("Sec-WebSocket-Key", ("Sec-WebSocket-Key", "no base64 at all!!!!!!!!")),
            without("", ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")),
            without("", ("Content-Length", "1")), without("", ("Transfer-Encoding", "chunked")),
            without("", ("Origin", "a"), ("Origin", "b")),
            head(Self.good, .http1_0),
        ]
        for head in heads {
            #expect(throws: UpgradeRequest.Refusal.malformed) { try UpgradeRequest(head) }
        }
    }

    /// RFC 6455 section 1.3.
    @Test func `is accepted with the standard's own example`() throws {
        let request = try UpgradeRequest(head(Self.good + [("Origin", "http://localhost:8080")]))
        #expect(request.acceptance.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(request.origin == "http://localhost:8080" && request.host == "localhost:8080")
    }

    @Test func `may list other upgrades, in upper or lower case`() throws {
        _ = try UpgradeRequest(without("Connection", ("Connection", "keep-alive, UPGRADE")))
        _ = try UpgradeRequest(without("Upgrade", ("Upgrade", "h2c, WebSocket")))
    }

    @Test func `is for one path only`() {
        for (uri, isFor) in [
            ("/v1/socket", true), ("/v1/socket?a=b", true), ("/v1/sockets", false), ("/v1/socket/", false),
            ("/", false),
        ] {
            #expect(UpgradeRequest.isFor(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri)) == isFor)
        }
        #expect(!UpgradeRequest.isFor(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/socket")))
    }
}
