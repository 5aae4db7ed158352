import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `The id of a request` {
    private static let https = [("x-forwarded-proto", "https")]

    /// The id in the error body of a request for something that does not exist.
    private static func id(_ gateway: TestGateway, _ headers: [(String, String)]) async throws -> String? {
        let reply = try await gateway.ask("GET", "/v1/nothing", headers: headers)
        #expect(reply.status == 404)
        guard case .object(let error) = reply.json["error"], case .string(let id) = error["request"] else { return nil }
        return id
    }

    @Test func `is the proxy's where it is well-formed`() async throws {
        try await TestGateway.run(security: .proxied(by: ["127.0.0.1"])) { gateway in
            for id in ["a", "4bf92f35-77b3.4da6_X", String(repeating: "x", count: RequestIDs.maximumLength)] {
                let given = try await Self.id(gateway, Self.https + [("x-request-id", id)])
                #expect(given == id)
            }
        }
    }

    @Test(arguments: [
        "a b", "a\"b", "a\u{e9}", "a\\", String(repeating: "x", count: RequestIDs.maximumLength + 1), "",
    ]) func `is a new one where the proxy's could break a log line`(id: String) async throws {
        try await TestGateway.run(security: .proxied(by: ["127.0.0.1"])) { gateway in
            let given = try #require(try await Self.id(gateway, Self.https + [("x-request-id", id)]))
            #expect(given != id && given.count == 12)
        }
    }

    @Test func `is a new one where two are given, and where no proxy is declared`() async throws {
        try await TestGateway.run(security: .proxied(by: ["127.0.0.1"])) { gateway in
            let twice = Self.https + [("x-request-id", "one"), ("x-request-id", "two")]
            let given = try await Self.id(gateway, twice)
            #expect(given?.count == 12)
        }
        try await TestGateway.run { gateway in
            let (first, second) = try await (
                Self.id(gateway, [("x-request-id", "mine")]), Self.id(gateway, [("x-request-id", "mine")])
            )
            #expect(first?.count == 12 && second?.count == 12 && first != second)
        }
    }

    @Test func `is in the log line of the request`() async throws {
        let log = TestLog()
        try await TestGateway.run(security: .proxied(by: ["127.0.0.1"]), logger: log.logger) { gateway in
            _ = try await Self.id(gateway, Self.https + [("x-request-id", "find-me")])
        }
        #expect(
            log.text.split(separator: "\n").contains { $0.contains("A request was answered") && $0.contains("find-me") }
        )
    }
}
