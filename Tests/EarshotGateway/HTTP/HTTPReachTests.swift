import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `A gateway that others can reach` {
    @Test(arguments: [
        "0.0.0.0", "::", "10.0.0.1", "192.168.1.7", "chat.example", "::ffff:10.0.0.1", "127.0.0.1.example",
    ])
    func `does not start without TLS or a proxy`(_ host: String) async throws {
        let brand = try await TestBrand()
        #expect(throws: GatewayFault.self) {
            try Gateway(
                GatewayConfiguration(host: host, port: 0, security: .loopback), services: brand.services,
                logger: TestLog().logger)
        }
        #expect(throws: GatewayFault.self) {
            try GatewayConfiguration(host: host, port: 0, security: .proxied(by: [])).proxies()
        }
        #expect(throws: GatewayFault.self) {
            try GatewayConfiguration(host: host, port: 0, security: .proxied(by: ["proxy"])).proxies()
        }
    }

    @Test(arguments: ["127.0.0.1", "127.8.8.8", "localhost", "::1"]) func `is not one on loopback`(_ host: String)
        throws
    {
        #expect(try GatewayConfiguration(host: host, port: 0, security: .loopback).proxies().isEmpty)
    }

    @Test func `does not start with an invalid certificate`() async throws {
        let brand = try await TestBrand()
        let folder = try PageFolder(["cert.pem": "nonsense", "key.pem": "nonsense"])
        for (certificate, key) in [
            ("/nowhere.pem", "/nowhere.pem"), (folder.path + "/cert.pem", folder.path + "/key.pem"),
        ] {
            #expect(throws: GatewayFault.self) {
                try Gateway(
                    GatewayConfiguration(
                        host: "127.0.0.1", port: 0, security: .tls(certificate: certificate, key: key)),
                    services: brand.services, logger: TestLog().logger)
            }
        }
    }

    @Test func `behind a proxy answers only what came over TLS, and by the address that the proxy saw`() async throws {
        try await TestGateway.run(security: .proxied(by: ["127.0.0.1"]), allowances: .init()) { gateway in
            func ask(_ headers: [(String, String)]) async throws -> Reply {
                try await gateway.ask(
                    "POST", "/v1/consumers", origin: nil, headers: [("content-type", "application/json")] + headers,
                    body: Array(#"{"account":"tulip","app":"shop"}"#.utf8))
            }
            for proto in [
                [], [("x-forwarded-proto", "http")], [("x-forwarded-proto", "https"), ("x-forwarded-proto", "http")],
            ] {
                let reply = try await ask(proto)
                #expect(reply.status == 403)
                #expect(reply.code == "forbidden")
            }
            #expect(try await gateway.ask("GET", "/v1/ready").status == 200)
            #expect(try await gateway.ask("GET", "/").status == 403)
            // Five from one client, whatever it says in front of what the proxy adds; another client has its own five.
            for number in 1...5 {
                #expect(
                    try await ask([("x-forwarded-proto", "https"), ("x-forwarded-for", "9.9.9.\(number), 10.0.0.1")])
                        .status == 201)
            }
            #expect(
                try await ask([("x-forwarded-proto", "https"), ("x-forwarded-for", "8.8.8.8, 10.0.0.1")]).status == 429)
            let other = try await ask([("x-forwarded-proto", "https"), ("x-forwarded-for", "10.0.0.2")])
            #expect(other.status == 201)
            #expect(other["strict-transport-security"]?.hasPrefix("max-age=316") == true)
        }
    }

    @Test func `ignores headers of undeclared proxies`() {
        let fields: HTTPFields = [
            HTTPField.Name("X-Forwarded-For")!: "1.2.3.4", HTTPField.Name("X-Forwarded-Proto")!: "https",
        ]
        let none = PeerRules(proxies: []).peer(connection: "10.0.0.9", fields: fields)
        #expect(none.address == NetworkAddress("10.0.0.9"))
        let rules = PeerRules(proxies: [NetworkRange("10.1.0.0/16")!])
        #expect(
            rules.peer(connection: "10.0.0.9", fields: fields)
                == Peer(address: NetworkAddress("10.0.0.9"), isProtected: false, forwarding: .unknownProxy))
        #expect(
            rules.peer(connection: "10.1.2.3", fields: fields)
                == Peer(
                    address: NetworkAddress("1.2.3.4"), isProtected: true, isForwarded: true, forwarding: .used))
        #expect(
            rules.peer(connection: "::ffff:10.1.2.3", fields: fields)
                == Peer(
                    address: NetworkAddress("1.2.3.4"), isProtected: true, isForwarded: true, forwarding: .used))
    }
}

@Suite struct `An address` {
    @Test func `is counted whole for IPv4 and by its /64 for IPv6`() {
        #expect(NetworkAddress("::ffff:10.0.0.1")?.throttleName == "10.0.0.1")
        #expect(NetworkAddress("2001:db8:1:2::1")?.throttleName == "2001:db8:1:2::/64")
        #expect(NetworkAddress("10.0.0.1")?.throttleName != NetworkAddress("10.0.0.2")?.throttleName)
        #expect(
            NetworkAddress("2001:db8:1:2:3::1")?.throttleName == NetworkAddress("2001:db8:1:2:ffff::2")?.throttleName)
        #expect(NetworkAddress("2001:db8:1:2::1")?.throttleName != NetworkAddress("2001:db8:1:3::1")?.throttleName)
        #expect(NetworkAddress("::ffff:10.0.0.1") == NetworkAddress("10.0.0.1"))
        for text in ["", "10.0.0", "10.0.0.256", "localhost", "10.0.0.1 "] { #expect(NetworkAddress(text) == nil) }
    }

    @Test func `is in a block or not`() {
        let block = NetworkRange("10.16.0.0/12")!
        for inside in ["10.16.0.0", "10.31.255.255"] { #expect(block.contains(NetworkAddress(inside)!)) }
        for outside in ["10.15.255.255", "10.32.0.0", "::1"] { #expect(!block.contains(NetworkAddress(outside)!)) }
        for text in ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "/8", "x/8"] { #expect(NetworkRange(text) == nil) }
        #expect(NetworkRange("0.0.0.0/0")!.contains(NetworkAddress("1.2.3.4")!))
    }
}

@Suite struct `Our own origin` {
    @Test func `on plain loopback is a name of this machine, and the one that was asked`() {
        let policy = OriginPolicy.loopback
        for host in ["localhost:8080", "127.0.0.1:9", "[::1]:8080", "localhost", "demo.localhost:8080"] {
            #expect(policy.isOwn("http://" + host, host: host))
        }
        for (origin, host) in [
            ("http://evil.example", "evil.example"), ("http://localhost:8080", "localhost:9"),
            ("https://localhost", "localhost"), ("null", "null"),
            ("http://localhost.evil.example", "localhost.evil.example"),
            ("http://127.0.0.1.evil.example", "127.0.0.1.evil.example"),
            ("http://", ""), ("http://localhost@evil.example", "localhost@evil.example"),
            ("http://[::1].evil.example", "[::1].evil.example"),
        ] {
            #expect(!policy.isOwn(origin, host: host), "\(origin)")
        }
    }

    @Test func `is what was named, where something was`() {
        let policy = OriginPolicy.named(["https://Chat.example"])
        #expect(policy.isOwn("https://chat.example", host: "anything"))
        for origin in ["http://chat.example", "https://chat.example:444", "https://chat.example.evil.example", "null"] {
            #expect(!policy.isOwn(origin, host: "chat.example"))
        }
        #expect(policy.webSocketSources(host: nil) == ["wss://chat.example"])
    }

    @Test func `over TLS is whatever our certificate was good for`() {
        #expect(OriginPolicy.secureHost.isOwn("https://chat.example", host: "chat.example"))
        #expect(!OriginPolicy.secureHost.isOwn("http://chat.example", host: "chat.example"))
        #expect(!OriginPolicy.secureHost.isOwn("https://evil.example", host: "chat.example"))
    }
}
