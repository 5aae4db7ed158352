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

    /// Offers one suite, or one version, at a time: what the client offers is what the server takes or refuses.
    @Test(arguments: ["ec", "rsa"])
    func `takes TLS 1.2 and 1.3, and only suites with forward secrecy and authenticated encryption`(key: String)
        async throws
    {
        try await Self.run(key: key) { gateway, _ in
            let old = try Self.openssl(["ciphers", "-s", "-tls1_2", "ALL:COMPLEMENTOFALL:@SECLEVEL=0"]).output
                .trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":").map(String.init)
            #expect(old.count > 40 && old.contains("AES128-SHA") && old.contains("ECDHE-RSA-AES128-SHA"))
            func taken(_ arguments: [String]) throws -> Bool {
                let client = try Self.openssl(
                    ["s_client", "-connect", "127.0.0.1:\(gateway.port)", "-servername", "localhost"] + arguments)
                return client.status == 0 && client.output.contains("Cipher is ")
                    && !client.output.contains("Cipher is (NONE)")
            }
            let suites = try old.filter { try taken(["-tls1_2", "-cipher", $0 + ":@SECLEVEL=0"]) }
            let family = key == "ec" ? "ECDHE-ECDSA" : "ECDHE-RSA"
            #expect(
                Set(suites)
                    == ["\(family)-AES128-GCM-SHA256", "\(family)-AES256-GCM-SHA384", "\(family)-CHACHA20-POLY1305"])
            let new = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
            for suite in new { #expect(try taken(["-tls1_3", "-ciphersuites", suite]), "\(suite)") }
            for version in ["-tls1", "-tls1_1"] {
                #expect(try !taken([version, "-cipher", "ALL:@SECLEVEL=0"]), "\(version)")
            }
        }
    }

    private static func openssl(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private static func run(
        key kind: String = "ec", _ body: @escaping @Sendable (TestGateway, NIOSSLContext) async throws -> Void
    ) async throws {
        let folder = try PageFolder(["readme": "a certificate for this test"])
        let (certificate, key) = (folder.path + "/cert.pem", folder.path + "/key.pem")
        let algorithm = kind == "ec" ? ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] : ["rsa:2048"]
        let made = try openssl(
            ["req", "-x509", "-newkey"] + algorithm
                + "-nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost".split(separator: " ")
                .map(String.init) + ["-keyout", key, "-out", certificate])
        #expect(made.status == 0)
        var client = TLSConfiguration.makeClientConfiguration()
        client.trustRoots = .file(certificate)
        let context = try NIOSSLContext(configuration: client)
        try await TestGateway.run(security: .tls(certificate: certificate, key: key)) { gateway in
            try await body(gateway, context)
        }
    }
}
