import EarshotCore
import EarshotModel
import HTTPTypes
import Synchronization
import Testing

@testable import EarshotGateway

@Suite struct `The sign-in page` {
    @Test func `is told the only brand, and of several or of none no name`() async throws {
        try await TestGateway.run { gateway in
            let several = try await gateway.ask("GET", "/v1/login")
            #expect(several.status == 200 && several.text == #"{"brands":"several"}"#)
            await gateway.brand.accounts.keep([TestBrand.tulip])
            let one = try await gateway.ask("GET", "/v1/login")
            #expect(one.text == #"{"account":"tulip","brands":"one","name":"Tulip & Thorn"}"#)
            await gateway.brand.accounts.keep([])
            #expect(try await gateway.ask("GET", "/v1/login").text == #"{"brands":"none"}"#)
        }
    }
}

@Suite struct `A one-click link` {
    private static let token = "a-token"

    /// A gateway that knows one link.
    private static func run(
        security: GatewayConfiguration.Security = .loopback,
        _ body: @escaping @Sendable (TestGateway, _ uses: Uses) async throws -> Void
    ) async throws {
        let uses = Uses()
        try await TestGateway.run(security: security, signInLink: { uses.link($0) }) { gateway in
            _ = try await gateway.brand.agent("dana")
            try await body(gateway, uses)
        }
    }

    /// Whether the link was used.
    private final class Uses: Sendable {
        let isUsed = Mutex(false)

        func link(_ token: String) -> SignInLink? {
            guard token == `A one-click link`.token else { return nil }
            return SignInLink(account: TestBrand.tulip, email: "dana@tulip.example") {
                self.isUsed.withLock { used in
                    defer { used = true }
                    return !used
                }
            }
        }
    }

    private static func enter(_ gateway: TestGateway, _ headers: [(String, String)] = []) async throws -> Reply {
        try await gateway.ask(
            "POST", "/v1/login/link", headers: [("content-type", "application/json")] + headers,
            body: Array(#"{"token":"\#(token)"}"#.utf8))
    }

    @Test func `signs its person in, once`() async throws {
        try await Self.run { gateway, _ in
            let entered = try await Self.enter(gateway)
            #expect(entered.status == 200 && entered.json["agent"]?.member("name") == .string("dana"))
            let cookie = try #require(entered["set-cookie"]?.split(separator: ";").first.map(String.init))
            #expect(
                try await gateway.ask("GET", "/v1/session", headers: [("cookie", cookie)]).status == 200)
            let again = try await Self.enter(gateway)
            #expect(again.status == 404 && again.code == "link_invalid" && again["set-cookie"] == nil)
            #expect(again.text.contains("earshot demo-links"))
        }
    }

    @Test func `of two requests at once signs one in`() async throws {
        try await Self.run { gateway, _ in
            async let first = Self.enter(gateway)
            async let second = Self.enter(gateway)
            let statuses = try await [first.status, second.status]
            #expect(statuses.sorted() == [200, 404])
        }
    }

    @Test func `is refused when it was never made, and on a server that makes none`() async throws {
        try await Self.run { gateway, _ in
            let reply = try await gateway.send("POST", "/v1/login/link", #"{"token":"another"}"#)
            #expect(reply.status == 404 && reply.code == "link_invalid")
        }
        try await TestGateway.run { gateway in
            let reply = try await Self.enter(gateway)
            #expect(reply.code == "link_invalid")
        }
    }

    @Test(arguments: [
        ("forwarded", "for=127.0.0.1"), ("via", "1.1 tunnel"), ("x-forwarded-for", "127.0.0.1"),
        ("x-forwarded-host", "localhost"), ("x-forwarded-proto", "https"), ("x-real-ip", "127.0.0.1"),
    ])
    func `is refused through a proxy, declared or not, and stays`(_ header: (String, String)) async throws {
        try await Self.run { gateway, uses in
            let reply = try await Self.enter(gateway, [header])
            #expect(reply.status == 403 && reply.code == "forbidden" && reply["set-cookie"] == nil)
            #expect(reply.text.contains("on the machine that runs the demo"))
            #expect(!uses.isUsed.withLock { $0 })
        }
        try await Self.run(security: .proxied(by: ["127.0.0.1"])) { gateway, _ in
            let reply = try await Self.enter(
                gateway, [("x-forwarded-proto", "https"), ("x-forwarded-for", "127.0.0.1"), ("origin", "null")])
            #expect(reply.status == 403)
        }
    }

    @Test func `is only for a browser on this machine`() {
        func isTaken(_ address: String?, host: String = "localhost:8080", _ fields: HTTPFields = [:]) -> Bool {
            let peer = PeerRules(proxies: []).peer(connection: address, fields: fields)
            let head = HTTPRequest(method: .post, scheme: "http", authority: host, path: "/", headerFields: fields)
            return (try? LocalClient.check(head, peer)) != nil
        }
        for address in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] { #expect(isTaken(address), "\(address)") }
        for address in ["10.0.0.1", "192.168.1.7", "::2", "::ffff:10.0.0.1", "fe80::1", "128.0.0.1"] {
            #expect(!isTaken(address), "\(address)")
        }
        #expect(!isTaken(nil))
        for host in ["127.0.0.1:9", "[::1]:8080"] { #expect(isTaken("127.0.0.1", host: host)) }
        for host in ["chat.example", "evil.example:8080", "localhost.evil.example", ""] {
            #expect(!isTaken("127.0.0.1", host: host), "\(host)")
        }
        let declared = PeerRules(proxies: [NetworkRange("127.0.0.1")!]).peer(connection: "127.0.0.1", fields: [:])
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
        #expect(throws: Rejection.self) { try LocalClient.check(head, declared) }
    }

    @Test func `is refused for a person who may not sign in, or whose brand is suspended, and stays`() async throws {
        try await Self.run { gateway, uses in
            let audit = AuditEntry(
                account: TestBrand.tulip, at: gateway.brand.clock.now, by: "x", what: .brandSuspended)
            for (isSuspended, status, code) in [(true, 403, "suspended"), (false, 200, nil)] {
                await gateway.brand.accounts.suspend(TestBrand.tulip, isSuspended, audit: audit)
                try await gateway.brand.identity.refreshSuspensions()
                if !isSuspended {
                    let mira = try await gateway.brand.agent("mira", role: .administrator)
                    let dana = "/v1/agents/agent-dana-tulip"
                    _ = try await gateway.send("PATCH", dana, as: .agent(mira), #"{"disabled":true}"#)
                    #expect(try await Self.enter(gateway).code == "link_invalid")
                    _ = try await gateway.send("PATCH", dana, as: .agent(mira), #"{"disabled":false}"#)
                }
                #expect(!uses.isUsed.withLock { $0 })
                let reply = try await Self.enter(gateway)
                #expect(reply.status == status && (code == nil || reply.code == code))
            }
        }
    }
}
