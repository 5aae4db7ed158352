import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `What the gateway counts` {
    private static func sample(_ name: String, _ labels: [String: String], in metrics: [any Metric]) -> Double? {
        metrics.map(\.family).first { $0.name == name }?.samples.first { sample in
            sample.suffix.isEmpty
                && Dictionary(uniqueKeysWithValues: sample.labels.map { ($0.name, $0.value) }) == labels
        }?.value
    }

    @Test func `is requests by the route's template, never by a path that a client sent`() async throws {
        try await TestGateway.run { gateway in
            let secret = "0123456789abcdef"
            _ = try await gateway.ask("GET", "/v1/uploads/\(secret)")
            _ = try await gateway.ask("GET", "/v1/\(secret)")
            _ = try await gateway.ask("GET", "/v1/live")
            let metrics = gateway.parts.metrics
            let name = "earshot_http_requests_total"
            let upload = ["method": "GET", "route": "/v1/uploads/{upload}", "status": "4xx"]
            #expect(Self.sample(name, upload, in: metrics) == 1)
            #expect(Self.sample(name, ["method": "any", "route": "none", "status": "4xx"], in: metrics) == 1)
            #expect(Self.sample(name, ["method": "GET", "route": "/v1/live", "status": "2xx"], in: metrics) == 1)
            for family in metrics.map(\.family) {
                #expect(!family.samples.contains { $0.labels.contains { $0.value.contains(secret) } })
            }
        }
    }

    @Test func `is refusals by their code, also those below the routes`() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.ask("GET", "/v1/session")
            _ = try await gateway.ask("TRACE", "/v1/live")
            let (name, metrics) = ("earshot_refusals_total", gateway.parts.metrics)
            #expect(Self.sample(name, ["code": "not_signed_in"], in: metrics) == 1)
            #expect(Self.sample(name, ["code": "method_not_allowed"], in: metrics) == 1)
            #expect(Self.sample(name, ["code": "storage_full"], in: metrics) == 0)
        }
    }

    @Test func `has every route once`() async throws {
        try await TestGateway.run { gateway in
            let family = gateway.parts.metrics.map(\.family).first { $0.name == "earshot_http_requests_total" }
            let routes = (family?.samples ?? []).map { $0.labels.map(\.value).joined(separator: " ") }
            #expect(Set(routes).count == routes.count)
            #expect(routes.count == (gateway.parts.router.routes.count + 2) * RequestMetrics.StatusClass.allCases.count)
        }
    }

    @Test func `is sockets by who is signed in`() {
        let monitor = SocketMonitor(logger: TestLog().logger)
        let sockets = monitor.metrics.sockets
        var record = monitor.record()
        record.opened()
        #expect(sockets.value(.signingIn) == 1)
        record.signedIn(
            as: .agent(AgentCaller(id: AgentID(trusted: "a"), account: TestBrand.tulip, name: "Dana", role: .agent)))
        #expect(sockets.value(.signingIn) == 0 && sockets.value(.agent) == 1)
        record.ended()
        record.ended()
        #expect(sockets.value(.agent) == 0)
    }

    @Test func `is logged with the socket's id, and a failure of storage at most once in a while`() {
        let log = TestLog()
        let monitor = SocketMonitor(logger: log.logger)
        let (first, second) = (monitor.record(), monitor.record())
        first.failed(Rejection.notFound)
        for record in [first, second] { record.failed(AdapterFailure("the disk failed", isRetryable: false)) }
        let lines = log.text.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines[0].contains("the disk failed") && lines[0].contains("socket") && lines[0].contains("1"))
    }
}
