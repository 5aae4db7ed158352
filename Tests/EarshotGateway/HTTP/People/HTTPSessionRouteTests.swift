import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `Signing in` {
    private static func body(_ email: String, _ password: String, account: String = "tulip") -> String {
        "{\"account\":\(account.jsonText),\"email\":\(email.jsonText),\"password\":\(password.jsonText)}"
    }

    @Test func `with anything wrong gets one and the same answer`() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.brand.agent("dana", password: "correct horse")
            let tries = [
                Self.body("dana@tulip.example", "wrong horse"), Self.body("nobody@tulip.example", "correct horse"),
                Self.body("dana@tulip.example", "correct horse", account: "rival"),
            ]
            var shapes: Set<[String]> = []
            for body in tries {
                let reply = try await gateway.send("POST", "/v1/login", body)
                #expect(reply.status == 401)
                #expect(reply.code == "login_failed")
                guard case .object(var error)? = reply.json["error"] else { throw Missing("no error") }
                error["request"] = nil
                shapes.insert(
                    reply.headers.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" } + [
                        "\(error.sorted { $0.key < $1.key })"
                    ])
            }
            #expect(shapes.count == 1)
        }
    }

    @Test func `is tried at most five times at once for one person, whatever the address that a client claims`()
        async throws
    {
        try await TestGateway.run { gateway in
            let wrong = Array(Self.body("dana@tulip.example", "x").utf8)
            var codes: [String: Int] = [:]
            for number in 1...8 {
                let reply = try await gateway.ask(
                    "POST", "/v1/login",
                    headers: [("content-type", "application/json"), ("x-forwarded-for", "10.0.0.\(number)")],
                    body: wrong)
                codes[reply.code ?? "", default: 0] += 1
                if reply.code == "rate_limited" { #expect(reply["retry-after"] == "6") }
            }
            #expect(codes == ["login_failed": 5, "rate_limited": 3])
        }
    }

    @Test func `gives a cookie that no script reads and no other site sends, and ends the session before it`()
        async throws
    {
        try await TestGateway.run { gateway in
            let old = try await gateway.brand.agent("dana", password: "correct horse")
            let reply = try await gateway.ask(
                "POST", "/v1/login", as: .cookieOnly(old), headers: [("content-type", "application/json")],
                body: Array(Self.body("Dana@Tulip.example", "correct horse").utf8))
            #expect(reply.status == 200)
            let cookie = try #require(reply["set-cookie"])
            let parts = cookie.split(separator: "; ").map(String.init)
            #expect(parts.dropFirst() == ["Max-Age=43200", "Path=/", "HttpOnly", "SameSite=Strict"])
            #expect(parts[0].hasPrefix("earshot="))
            #expect(parts[0].utf8.count >= 8 + 43)
            #expect(Set(reply.json.keys) == ["agent", "account", "csrf", "limits", "settings", "secondFactor"])
            guard case .object(let agent)? = reply.json["agent"] else { throw Missing("no agent") }
            #expect(Set(agent.keys) == ["id", "name", "role", "permissions"])
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(old)).status == 401)
            let session = try await gateway.ask("GET", "/v1/session", headers: [("cookie", parts[0])])
            #expect(session.json == reply.json)
        }
    }
}

@Suite struct `A session` {
    @Test func `is not found in two cookies of its name`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana")
            for cookies in [
                "earshot=planted; earshot=\(agent.cookie)", "earshot=\(agent.cookie); earshot=\(agent.cookie)",
                "Earshot=\(agent.cookie)",
            ] {
                #expect(try await gateway.ask("GET", "/v1/session", headers: [("cookie", cookies)]).status == 401)
            }
            #expect(
                try await gateway.ask("GET", "/v1/session", headers: [("cookie", "a=b; earshot=\(agent.cookie); c")])
                    .status == 200)
        }
    }

    @Test func `ends with logout`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana")
            let reply = try await gateway.ask("POST", "/v1/logout", as: .agent(agent))
            #expect(reply.status == 204)
            #expect(reply["set-cookie"] == "earshot=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict")
            #expect(reply.body.isEmpty)
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(agent)).status == 401)
        }
    }

    @Test func `gives tickets, each good for one socket`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana")
            let reply = try await gateway.send("POST", "/v1/tickets", as: .agent(agent), "{}")
            #expect(reply.status == 200)
            let ticket = try #require(reply.json.text("ticket"))
            #expect(try gateway.brand.identity.redeem(ticket: ticket).caller.id == agent.id)
            #expect(throws: Rejection.notSignedIn) { try gateway.brand.identity.redeem(ticket: ticket) }
        }
    }
}

@Suite struct `When something behind HTTP breaks` {
    @Test func `the client hears unavailable with a request id, and nothing of what broke`() async throws {
        let log = TestLog()
        try await TestGateway.run(logger: log.logger) { gateway in
            let agent = try await gateway.brand.agent("dana")
            await gateway.brand.accounts.breakDown()
            let reply = try await gateway.ask("GET", "/v1/session", as: .agent(agent))
            #expect(reply.status == 503)
            #expect(reply.code == "unavailable")
            #expect(reply["retry-after"] == "1")
            #expect(!reply.text.contains("secret"))
            guard case .object(let error)? = reply.json["error"], case .string(let id)? = error["request"] else {
                throw Missing("no id")
            }
            #expect(log.text.contains(id))
            #expect(log.text.contains("disk I/O error"))
            #expect(!log.text.contains(agent.cookie))
        }
    }
}
