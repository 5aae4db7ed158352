import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

/// Generated from the table that the server runs on: a route that is added is tried here without anyone thinking of it.
@Suite struct `Every route` {
    /// A new route without credentials must be added here, where a reviewer sees it.
    private static let openToAnyone: Set = [
        "POST /v1/consumers", "POST /v1/consumers/sign-in", "POST /v1/login", "GET /v1/live", "GET /v1/ready",
        "GET /v1/availability",
        "GET /v1/doctor/{token}", "POST /v1/join/purpose", "POST /v1/join", "GET /v1/login", "POST /v1/login/link",
        "GET /embed/{account}/{app}.js", "GET /embed/{account}/logo/{version}",
    ]

    @Test func `requires credentials, except the few that are listed here`() async throws {
        try await TestGateway.run { gateway in
            let routes = gateway.parts.router.routes
            #expect(routes.count >= 13)
            #expect(Set(routes.filter(\.handler.isOpenToAnyone).map(\.title)) == Self.openToAnyone)
            for route in routes where !route.handler.isOpenToAnyone {
                for headers in Self.noCredentials {
                    let reply = try await gateway.ask(
                        route.method.rawValue, route.samplePath(), origin: nil, headers: route.contentType + headers,
                        body: route.sampleBody())
                    #expect(reply.status == 401, "\(route.title) with \(headers)")
                    #expect(reply.code == "not_signed_in", "\(route.title)")
                }
            }
        }
    }

    private static let noCredentials: [[(String, String)]] = [
        [], [("authorization", "Bearer ")], [("authorization", "Bearer e1.tulip.shop.a.b.1.AAAAAAAAAAAAAAAAAAAAAA")],
        [("authorization", "Basic YTpi")], [("cookie", "earshot=")], [("cookie", "other=1")],
    ]

    @Test func `refuses credentials that have expired`() async throws {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let agent = try await gateway.brand.agent("dana")
            gateway.brand.clock.advance(milliseconds: ConsumerTokens.lifetimeMs + 1000)
            for route in gateway.parts.router.routes where !route.handler.isOpenToAnyone {
                for credentials in [Credentials.consumer(consumer.token), .agent(agent)] {
                    let reply = try await gateway.ask(
                        route.method.rawValue, route.samplePath(), as: credentials, headers: route.contentType,
                        body: route.sampleBody())
                    #expect(reply.status == 401, "\(route.title)")
                }
            }
        }
    }

    @Test func `that changes anything refuses foreign and null origins, and a cookie without an origin`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana")
            let foreignOrigins = [
                "https://evil.example", "null", "http://localhost", "http://localhost.evil.example:\(gateway.port)",
                "https://localhost:\(gateway.port)",
                "http://127.0.0.1:\(gateway.port)", nil,
            ]
            for route in gateway.parts.router.routes where route.changesState {
                for origin in foreignOrigins {
                    let reply = try await gateway.ask(
                        route.method.rawValue, route.samplePath(), as: .agent(agent), origin: origin,
                        headers: route.contentType,
                        body: route.judgesOrigin
                            ? route.sampleBody(["account": "tulip", "app": "shop"]) : route.sampleBody()
                    )
                    #expect(reply.status == 403, "\(route.title) from \(origin ?? "nowhere")")
                    #expect(reply.code == "origin_refused", "\(route.title) from \(origin ?? "nowhere")")
                }
            }
        }
    }

    @Test func `that changes something for an agent requires the CSRF value and the cookie`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana")
            let other = try await gateway.brand.agent("erik")
            let table = gateway.parts.router.routes.filter { $0.changesState && $0.handler.takesAgents }
            #expect(table.count >= 5)
            for route in table {
                for wrong in [
                    [], [("x-earshot-csrf", "")], [("x-earshot-csrf", other.csrf)],
                    [("x-earshot-csrf", agent.csrf), ("x-earshot-csrf", "x")],
                ] {
                    let reply = try await gateway.ask(
                        route.method.rawValue, route.samplePath(), as: .cookieOnly(agent),
                        headers: route.contentType + wrong, body: route.sampleBody())
                    #expect(reply.status == 403, "\(route.title)")
                    #expect(reply.code == "csrf", "\(route.title)")
                }
            }
        }
    }

    @Test func `refuses other methods and lists its own`() async throws {
        try await TestGateway.run { gateway in
            let table = gateway.parts.router.routes
            for route in table {
                let own = Set(table.filter { $0.path == route.path }.map(\.method.rawValue))
                let taken = own.contains("GET") ? own.union(["HEAD"]) : own
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
                where !taken.contains(method) {
                    let reply = try await gateway.ask(method, route.samplePath())
                    #expect(reply.status == 405, "\(method) \(route.path)")
                    #expect(Set(reply["allow"]?.split(separator: ", ").map(String.init) ?? []) == taken)
                }
            }
        }
    }

    @Test func `refuses a method that it does not have, whatever the request brings`() async throws {
        try await TestGateway.run { gateway in
            for (method, path) in [("QUERY", "/v1/views"), ("POST", "/v1/session"), ("PUT", "/v1/centre/history")] {
                let reply = try await gateway.ask(
                    method, path, headers: [("content-type", "application/json")], body: Array(#"{"x":1}"#.utf8))
                #expect(reply.status == 405 && reply.code == "method_not_allowed", "\(method) \(path)")
            }
        }
    }

    @Test func `refuses a query that names something twice or without a value`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana", role: .administrator)
            for query in ["to=1&to=2", "to=1&to=1", "download=1&download=1", "to"] {
                for route in gateway.parts.router.routes where route.method == .get {
                    let reply = try await gateway.ask(
                        "GET", route.samplePath() + "?" + query, as: .cookieOnly(agent))
                    #expect(reply.status == 400 && reply.code == "bad_request", "\(route.title) \(query)")
                }
            }
        }
    }

    @Test func `counts every request by address, and by caller where it has one`() async throws {
        try await TestGateway.run { gateway in
            let unguarded = gateway.parts.router.routes.filter { !$0.isGuarded }.map(\.path)
            // A proxy and a supervisor ask the first two all the time; the doctor asks past the proxy. No row is read.
            #expect(Set(unguarded).isSubset(of: ["/v1/live", "/v1/ready", "/v1/doctor/{token}"]))
        }
        var allowances = TestGateway.generous
        allowances.requests = .init(burst: 1, refillMs: 3_600_000)
        try await TestGateway.run(allowances: allowances) { gateway in
            let agent = try await gateway.brand.agent("dana")
            var statuses: [Int] = []
            for _ in 0..<2 {
                statuses.append(try await gateway.ask("GET", "/v1/session", as: .cookieOnly(agent)).status)
            }
            #expect(statuses == [200, 429])
            for _ in 2..<GatewayConfiguration.Allowances.callersPerAddress {
                #expect(try await gateway.ask("GET", "/v1/session").status == 401)
            }
            for route in gateway.parts.router.routes {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), headers: route.contentType, body: route.sampleBody())
                #expect((reply.status == 429) == route.isGuarded, "\(route.title)")
                if route.isGuarded { #expect(reply["retry-after"] != nil, "\(route.title)") }
            }
        }
    }

    @Test func `answers with the security headers`() async throws {
        try await TestGateway.run { gateway in
            for route in gateway.parts.router.routes {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), headers: route.contentType, body: route.sampleBody())
                Self.expectHardened(reply, route.title)
            }
            for path in ["/", "/nowhere", "/v1/nowhere"] {
                Self.expectHardened(try await gateway.ask("GET", path), path)
            }
        }
    }

    private static func expectHardened(_ reply: Reply, _ what: String) {
        #expect(reply["x-content-type-options"] == "nosniff", "\(what)")
        #expect(reply["referrer-policy"] == "same-origin", "\(what)")
        #expect(reply["content-security-policy"]?.contains("default-src 'none'") == true, "\(what)")
        #expect(reply["content-security-policy"]?.contains("unsafe") == false, "\(what)")
        #expect(reply["access-control-allow-origin"] == nil, "\(what)")
        #expect(reply["server"] == nil, "\(what)")
    }
}

extension Route.Handler {
    var takesAgents: Bool {
        switch self {
        case .agent, .caller: true
        case .anyone, .consumer, .program: false
        }
    }

    var takesConsumers: Bool {
        switch self {
        case .consumer, .caller: true
        case .anyone, .agent, .program: false
        }
    }
}
