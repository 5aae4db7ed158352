import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

/// What pages of other sites may do over HTTP. For sockets: SocketForeignPageTests.
@Suite struct `A page of another site` {
    /// What another app of the brand allows.
    private static let others = "https://other.example"

    private static func run(_ body: @escaping @Sendable (TestGateway) async throws -> Void) async throws {
        try await TestGateway.run { gateway in
            await gateway.brand.accounts.save(
                App(
                    id: AppID(trusted: "other"), account: TestBrand.tulip, name: "Other", allowedOrigins: [others]))
            try await gateway.brand.identity.refreshAllowedOrigins()
            try await body(gateway)
        }
    }

    private static func ask(
        _ gateway: TestGateway, _ route: Route, as credentials: Credentials, from origin: String?
    ) async throws -> Reply {
        try await gateway.ask(
            route.method.rawValue, route.samplePath(), as: credentials, origin: origin, headers: route.contentType,
            body: route.sampleBody())
    }

    private static func preflight(_ gateway: TestGateway, _ route: Route, from origin: String?) async throws -> Reply {
        try await gateway.ask(
            "OPTIONS", route.samplePath(), origin: origin,
            headers: [
                ("access-control-request-method", route.method.rawValue),
                ("access-control-request-headers", "authorization,content-type"),
            ])
    }

    private static func isShared(_ reply: Reply) -> Bool {
        reply.headers.contains { $0.name.hasPrefix("access-control-") }
    }

    @Test func `uses every route of a consumer with its token, where the consumer's app allows its origin`()
        async throws
    {
        try await Self.run { gateway in
            let consumer = Credentials.consumer(try await gateway.brand.consumer().token)
            let routes = gateway.parts.router.routes.filter(\.handler.takesConsumers)
            #expect(routes.count >= 11)
            for route in routes {
                let reply = try await Self.ask(gateway, route, as: consumer, from: TestBrand.allowedOrigin)
                #expect(reply.code != "origin_refused", "\(route.title)")
                #expect(reply["access-control-allow-origin"] == TestBrand.allowedOrigin, "\(route.title)")
                #expect(reply["access-control-expose-headers"]?.contains("Retry-After") == true)
                #expect(reply["vary"]?.hasSuffix("Origin") == true, "\(route.title)")
                #expect(reply["access-control-allow-credentials"] == nil)
                let own = try await Self.ask(gateway, route, as: consumer, from: gateway.origin)
                #expect(own.code != "origin_refused" && !Self.isShared(own), "\(route.title)")
                #expect(own["vary"]?.hasSuffix("Origin") == true, "\(route.title)")
            }
        }
    }

    @Test func `is refused with a consumer's token where that consumer's app does not allow it`() async throws {
        try await Self.run { gateway in
            let consumer = Credentials.consumer(try await gateway.brand.consumer().token)
            for route in gateway.parts.router.routes.filter(\.handler.takesConsumers) {
                for origin in [Self.others, "https://evil.example", "null", "http://shop.example", "*"] {
                    let reply = try await Self.ask(gateway, route, as: consumer, from: origin)
                    #expect(reply.status == 403 && reply.code == "origin_refused", "\(route.title) from \(origin)")
                    #expect(!Self.isShared(reply), "\(route.title) from \(origin)")
                }
            }
        }
    }

    @Test func `does nothing with an agent's cookie, and reads nothing`() async throws {
        try await Self.run { gateway in
            let agent = Credentials.agent(try await gateway.brand.agent("dana", role: .administrator))
            for route in gateway.parts.router.routes where route.handler.takesAgents {
                let reply = try await Self.ask(gateway, route, as: agent, from: TestBrand.allowedOrigin)
                if route.changesState { #expect(reply.code == "origin_refused", "\(route.title)") }
                #expect(!Self.isShared(reply), "\(route.title)")
            }
        }
    }

    @Test func `creates a consumer, and reads a refusal too`() async throws {
        try await Self.run { gateway in
            func create(_ body: String, from origin: String) async throws -> Reply {
                try await gateway.ask(
                    "POST", "/v1/consumers", origin: origin, headers: [("content-type", "application/json")],
                    body: Array(body.utf8))
            }
            let body = #"{"account":"tulip","app":"shop"}"#
            let created = try await create(body, from: TestBrand.allowedOrigin)
            #expect(created.status == 201 && created["access-control-allow-origin"] == TestBrand.allowedOrigin)
            for (body, code) in [("{}", "bad_request"), (#"{"account":"tulip","app":"none"}"#, "not_found")] {
                let refused = try await create(body, from: TestBrand.allowedOrigin)
                #expect(refused.code == code && refused["access-control-allow-origin"] == TestBrand.allowedOrigin)
            }
            let wrong = try await create(body, from: Self.others)
            #expect(wrong.code == "origin_refused" && !Self.isShared(wrong))
            let unsigned = try await gateway.ask(
                "GET", "/v1/uploads", as: .consumer("rubbish"), origin: TestBrand.allowedOrigin)
            #expect(unsigned.status == 401 && unsigned["access-control-allow-origin"] == TestBrand.allowedOrigin)
        }
    }

    @Test func `gets the allowed methods and headers from a preflight, on consumers' routes only`()
        async throws
    {
        try await Self.run { gateway in
            let table = gateway.parts.router.routes
            for route in table {
                let open = table.filter { $0.path == route.path && $0.isForForeignPages }.map(\.method.rawValue)
                let reply = try await Self.preflight(gateway, route, from: TestBrand.allowedOrigin)
                #expect(reply["access-control-allow-credentials"] == nil)
                guard !open.isEmpty else {
                    #expect(reply.status == 405 && !Self.isShared(reply), "\(route.title)")
                    continue
                }
                #expect(reply.status == 204 && reply.body.isEmpty, "\(route.title)")
                #expect(reply["access-control-allow-origin"] == TestBrand.allowedOrigin)
                #expect(reply["access-control-allow-methods"] == open.sorted().joined(separator: ", "))
                let headers = reply["access-control-allow-headers"] ?? ""
                #expect(headers.contains("Authorization") && headers.contains("Content-Type") && headers != "*")
                #expect(!headers.contains("CSRF") && reply["access-control-max-age"] == "600")
                #expect(reply["vary"] == "Origin")
            }
        }
    }

    @Test func `that no app allows gets no preflight, and our own pages need none`() async throws {
        try await Self.run { gateway in
            for route in gateway.parts.router.routes where route.isForForeignPages {
                for origin in ["https://evil.example", "null", "https://shop.example.evil.example"] {
                    let reply = try await Self.preflight(gateway, route, from: origin)
                    #expect(reply.code == "origin_refused" && !Self.isShared(reply), "\(route.title) from \(origin)")
                }
                for origin in [gateway.origin, nil] {
                    let reply = try await Self.preflight(gateway, route, from: origin)
                    #expect(reply.status == 405 && !Self.isShared(reply), "\(route.title)")
                }
            }
        }
    }

    @Test func `is known to a preflight as soon as an app allows it, and no longer than that`() async throws {
        try await Self.run { gateway in
            let route = try #require(gateway.parts.router.routes.first { $0.path == "/v1/consumers" })
            var app = App(
                id: AppID(trusted: "new"), account: TestBrand.tulip, name: "New",
                allowedOrigins: ["https://new.example"])
            #expect(try await Self.preflight(gateway, route, from: "https://new.example").status == 403)
            await gateway.brand.accounts.save(app)
            #expect(try await Self.preflight(gateway, route, from: "https://new.example").status == 204)
            app.allowedOrigins = []
            await gateway.brand.accounts.save(app)
            try await gateway.brand.identity.refreshAllowedOrigins()
            #expect(try await Self.preflight(gateway, route, from: "https://new.example").status == 403)
        }
    }
}
