import EarshotModel
import Foundation
import NIOCore
import NIOSSL
import Testing

@testable import EarshotGateway

@Suite struct `A gateway with a certificate` {
    @Test func `serves HTTPS, sets a cookie for this host only, and sets HSTS`()
        async throws
    {
        try await Self.run { gateway, context in
            _ = try await gateway.brand.agent("dana", password: "correct horse")
            let body = #"{"account":"tulip","email":"dana@tulip.example","password":"correct horse"}"#
            let request =
                "POST /v1/login HTTP/1.1\r\nhost: localhost:\(gateway.port)\r\n"
                + "origin: https://localhost:\(gateway.port)\r\nconnection: close\r\n"
                + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
            let reply = try Reply(try await Wire.exchange(gateway.port, Array(request.utf8), tls: context))
            #expect(reply.status == 200)
            #expect(reply["strict-transport-security"] == "max-age=31622400")
            let cookie = try #require(reply["set-cookie"])
            #expect(cookie.hasPrefix("__Host-earshot="))
            #expect(cookie.hasSuffix("; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure"))
            let insecure = request.replacingOccurrences(of: "origin: https", with: "origin: http")
            #expect(
                try Reply(try await Wire.exchange(gateway.port, Array(insecure.utf8), tls: context)).code
                    == "origin_refused")
        }
    }

    @Test func `refuses TLS 1.1 and plain HTTP`() async throws {
        try await Self.run { gateway, _ in
            var old = TLSConfiguration.makeClientConfiguration()
            old.certificateVerification = .none
            old.minimumTLSVersion = .tlsv1
            old.maximumTLSVersion = .tlsv11
            let context = try NIOSSLContext(configuration: old)
            let request = Array("GET /v1/ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".utf8)
            await #expect(throws: (any Error).self) {
                try Reply(try await Wire.exchange(gateway.port, request, tls: context))
            }
            await #expect(throws: (any Error).self) { try Reply(try await Wire.exchange(gateway.port, request)) }
        }
    }

    private static func run(_ body: @escaping @Sendable (TestGateway, NIOSSLContext) async throws -> Void) async throws
    {
        let folder = try PageFolder(["readme": "a certificate for this test"])
        let (certificate, key) = (folder.path + "/cert.pem", folder.path + "/key.pem")
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments =
            """
            req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
            -subj /CN=localhost -addext subjectAltName=DNS:localhost
            """
            .split(separator: " ").map(String.init) + ["-keyout", key, "-out", certificate]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        #expect(openssl.terminationStatus == 0)
        var client = TLSConfiguration.makeClientConfiguration()
        client.trustRoots = .file(certificate)
        let context = try NIOSSLContext(configuration: client)
        try await TestGateway.run(security: .tls(certificate: certificate, key: key)) { gateway in
            try await body(gateway, context)
        }
    }
}
