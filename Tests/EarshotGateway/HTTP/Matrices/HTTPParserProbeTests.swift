import EarshotModel
import Testing

@testable import EarshotGateway

/// What no honest client sends (reliability bar 24). Each is refused and the connection closed, so that nothing of it
/// can become a second request.
@Suite struct `Malformed HTTP` {
    struct Probe: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        var statuses: Set<Int> = [400]
    }

    private static let good = "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\n\r\n"
    private static let post = "POST /v1/consumers HTTP/1.1\r\nhost: localhost\r\n"

    static let probes: [Probe] = [
        Probe(testDescription: "no host", bytes: "GET /v1/ready HTTP/1.1\r\n\r\n"),
        Probe(
            testDescription: "two hosts", bytes: "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n"
        ),
        Probe(testDescription: "an empty host", bytes: "GET /v1/ready HTTP/1.1\r\nhost: \r\n\r\n"),
        Probe(testDescription: "a host with a path", bytes: "GET /v1/ready HTTP/1.1\r\nhost: localhost/x\r\n\r\n"),
        Probe(testDescription: "no host in HTTP/1.0", bytes: "GET /v1/ready HTTP/1.0\r\n\r\n"),
        Probe(
            testDescription: "length and chunks",
            bytes: post + "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + good),
        Probe(
            testDescription: "two lengths", bytes: post + "content-length: 4\r\ncontent-length: 5\r\n\r\n{}  " + good),
        Probe(testDescription: "lengths in a list", bytes: post + "content-length: 4, 5\r\n\r\n{}  " + good),
        Probe(testDescription: "a signed length", bytes: post + "content-length: +4\r\n\r\n{}  " + good),
        Probe(testDescription: "a negative length", bytes: post + "content-length: -4\r\n\r\n{}  "),
        Probe(testDescription: "a length in hex", bytes: post + "content-length: 0x4\r\n\r\n{}  "),
        Probe(
            testDescription: "a length beyond all numbers",
            bytes: post + "content-length: 99999999999999999999\r\n\r\n{}"),
        Probe(
            testDescription: "an unknown coding", bytes: post + "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n" + good),
        Probe(
            testDescription: "chunked before another",
            bytes: post + "transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n" + good),
        Probe(
            testDescription: "a space before the colon", bytes: "GET /v1/ready HTTP/1.1\r\nhost : localhost\r\n\r\n"),
        Probe(
            testDescription: "a folded field", bytes: "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n"
        ),
        Probe(
            testDescription: "a bare line feed",
            bytes: "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nx: a\ny: b\r\n\r\n"),
        Probe(testDescription: "a NUL", bytes: "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nx: a\0b\r\n\r\n"),
        Probe(testDescription: "no HTTP at all", bytes: "hello\r\n\r\n"),
        Probe(testDescription: "TLS", bytes: "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}"),
        Probe(testDescription: "HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Probe(testDescription: "HTTP/3.7", bytes: "GET /v1/ready HTTP/3.7\r\nhost: localhost\r\n\r\n"),
        Probe(
            testDescription: "another server's address",
            bytes: "GET http://other.example/ HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        Probe(testDescription: "a target that is no path", bytes: "OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        Probe(
            testDescription: "a broken chunk", bytes: post + "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            statuses: [400, 401]),
        Probe(
            testDescription: "CONNECT", bytes: "CONNECT localhost:1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
            statuses: [405]),
        Probe(
            testDescription: "headers of 100 KB",
            bytes: "GET / HTTP/1.1\r\nhost: localhost\r\nx: \(String(repeating: "a", count: 100_000))\r\n\r\n",
            statuses: [431]),
        Probe(
            testDescription: "a path of 100 KB",
            bytes: "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nhost: localhost\r\n\r\n",
            statuses: [431]),
        Probe(
            testDescription: "a thousand fields",
            bytes: "GET / HTTP/1.1\r\nhost: localhost\r\n" + String(repeating: "x: y\r\n", count: 1000) + "\r\n",
            statuses: [431]),
    ]

    @Test(arguments: probes) func `is refused, and the connection with it`(_ probe: Probe) async throws {
        try await TestGateway.run { gateway in
            let received = try await Wire.exchange(gateway.port, Array(probe.bytes.utf8))
            let reply = try Reply(received)
            #expect(probe.statuses.contains(reply.status), "\(probe): \(reply.status)")
            #expect(reply["connection"] == "close")
            #expect(reply["content-type"] == ErrorBody.contentType)
            #expect(reply["content-security-policy"] != nil)
            let text = String(decoding: received, as: Unicode.ASCII.self)
            #expect(text.ranges(of: "HTTP/1.1 ").count == 1, "\(probe): one answer and no second")
        }
    }

    @Test func `but a good request on the same server is answered`() async throws {
        try await TestGateway.run { gateway in
            let reply = try await Wire.exchange(
                gateway.port, "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            #expect(reply.status == 200)
            #expect(reply.json == ["status": .string("ready")])
        }
    }

    @Test func `headers at the limit pass, and a byte more does not`() async throws {
        try await TestGateway.run { gateway in
            // What counts: the target, and names and values.
            let counted = "/v1/ready".utf8.count + "hostlocalhostconnectionclose".utf8.count
            for (extra, status) in [(0, 200), (1, 431)] {
                var left = HTTPHeaderLimits.listBytes - counted + extra
                var fields = ""
                while left > 0 {
                    let count = min(left, 4000)
                    fields += "x: \(String(repeating: "a", count: count - 1))\r\n"
                    left -= count
                }
                let reply = try await Wire.exchange(
                    gateway.port, "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\(fields)\r\n")
                #expect(reply.status == status)
            }
        }
    }

    @Test func `two requests one after the other get two answers in order`() async throws {
        try await TestGateway.run { gateway in
            let two =
                "GET /v1/ready HTTP/1.1\r\nhost: localhost\r\n\r\n"
                + "GET /v1/session HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            let text = String(decoding: try await Wire.exchange(gateway.port, Array(two.utf8)), as: UTF8.self)
            #expect(text.ranges(of: "HTTP/1.1 200").count == 1)
            #expect(text.ranges(of: "HTTP/1.1 401").count == 1)
            #expect(text.firstRange(of: "HTTP/1.1 200")!.lowerBound < text.firstRange(of: "HTTP/1.1 401")!.lowerBound)
        }
    }
}
