import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `The body of every route` {
    /// Names of what a client would like to set: every one of them is refused wherever it is not declared.
    private static let tempting = [
        "id", "role", "permissions", "author", "consumer", "agent", "conversation", "account", "app", "name", "token",
        "csrf", "limitMs", "at", "by",
        "n", "status", "received", "finished", "media", "ms", "wave", "bytes", "sha256", "__proto__", "constructor", "",
    ]

    @Test func `refuses every field that the route does not declare`() async throws {
        try await eachJSONRoute { gateway, route, credentials in
            let declared = Set(route.body.fields.map(\.name))
            for name in Self.tempting where !declared.contains(name) {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: credentials, headers: route.contentType,
                    body: route.sampleBody(extra: ["\(name.jsonText):\"manager\""]))
                #expect(reply.status == 400, "\(route.title) with \(name)")
                #expect(reply.code == "unknown_field", "\(route.title) with \(name)")
                #expect(reply.refusedField == name, "\(route.title) with \(name)")
            }
        }
    }

    @Test func `refuses every field of another type, out of range, missing or given twice`() async throws {
        try await eachJSONRoute { gateway, route, credentials in
            for field in route.body.fields {
                let others = route.body.fields.filter { $0 != field }.map { "\($0.name.jsonText):\($0.sample)" }
                var bodies = field.wrong.map { others + ["\(field.name.jsonText):\($0)"] }
                if field.isRequired { bodies.append(others) }
                bodies.append(
                    others + ["\(field.name.jsonText):\(field.sample)", "\(field.name.jsonText):\(field.sample)"])
                for members in bodies {
                    let body = "{\(members.joined(separator: ","))}"
                    let reply = try await gateway.ask(
                        route.method.rawValue, route.samplePath(), as: credentials, headers: route.contentType,
                        body: Array(body.utf8))
                    #expect(reply.status == 400, "\(route.title) with \(body.prefix(200))")
                    #expect(reply.code == "bad_request", "\(route.title) with \(body.prefix(200))")
                    // A body with a member twice is no JSON of ours, so that no field of it is read.
                    guard members.count == Set(members).count else { continue }
                    let named = reply.refusedField?.split(separator: ".").first.map(String.init)
                    #expect(named == field.name, "\(route.title) with \(body.prefix(200))")
                }
            }
        }
    }

    @Test func `is an object of JSON and nothing else`() async throws {
        try await eachJSONRoute { gateway, route, credentials in
            let required = route.body.fields.contains(where: \.isRequired)
            for body in [
                "[]", "null", "\"text\"", "7", "{", "{}x", "{'a':1}", "\u{feff}{}", String(repeating: "[", count: 5000),
            ] + (required ? [""] : []) {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: credentials, headers: route.contentType,
                    body: Array(body.utf8))
                #expect(reply.status == 400, "\(route.title) with \(body.prefix(20))")
            }
            guard let sample = route.sampleBody() else { return }
            for type in [[], [("content-type", "text/plain")], [("content-type", "application/x-www-form-urlencoded")]]
            {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: credentials, headers: type, body: sample)
                #expect(reply.status == 400, "\(route.title) as \(type)")
            }
        }
    }

    @Test func `has a limit, which holds whether the length is declared or not`() async throws {
        try await TestGateway.run { gateway in
            for route in gateway.parts.router.routes {
                let limit = gateway.parts.router.limits(route.method, route.samplePath().prefix { $0 != "?" }).bytes
                #expect(limit <= Limits.uploadChunkBytes)
                let head = "\(route.method) \(route.samplePath()) HTTP/1.1\r\nhost: localhost:\(gateway.port)\r\n"
                let declared = try await Wire.exchange(gateway.port, head + "content-length: \(limit + 1)\r\n\r\n")
                #expect(declared.status == 413, "\(route.title)")
                #expect(declared.code == "too_large", "\(route.title)")
                let chunk =
                    String(limit + 1, radix: 16) + "\r\n" + String(repeating: "x", count: limit + 1) + "\r\n0\r\n\r\n"
                let chunked = try await Wire.exchange(gateway.port, head + "transfer-encoding: chunked\r\n\r\n" + chunk)
                // A route may have answered by what the head says (401) before so much came; it never takes it, and the
                // exchange is over only once the server closes.
                #expect([413, 401].contains(chunked.status), "\(route.title): \(chunked.status)")
                #expect(chunked.status == 401 || chunked["connection"] == "close", "\(route.title)")
            }
        }
    }

    /// Runs `body` with every JSON route and credentials that it takes.
    private func eachJSONRoute(_ body: @escaping @Sendable (TestGateway, Route, Credentials) async throws -> Void)
        async throws
    {
        try await TestGateway.run { gateway in
            let consumer = try await gateway.brand.consumer()
            let agent = try await gateway.brand.agent("dana", role: .administrator)
            for route in gateway.parts.router.routes {
                guard !route.body.fields.isEmpty || route.body == .json([]) else { continue }
                switch route.handler {
                case .anyone: try await body(gateway, route, .none)
                case .consumer, .caller: try await body(gateway, route, .consumer(consumer.token))
                case .agent: try await body(gateway, route, .agent(agent))
                case .program: Issue.record("a program only reads: \(route.title)")
                }
            }
        }
    }
}

extension Reply {
    /// The path of the field that a refusal names.
    fileprivate var refusedField: String? {
        guard case .object(let error)? = json["error"], case .string(let field)? = error["at"] else { return nil }
        return field
    }
}
