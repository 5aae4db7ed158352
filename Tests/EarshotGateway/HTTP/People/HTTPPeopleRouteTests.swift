import EarshotCore
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `Changing people` {
    private static func change(_ gateway: TestGateway, _ name: String, as who: SignedInAgent, _ body: String)
        async throws -> Reply
    {
        try await gateway.send("PATCH", "/v1/agents/agent-\(name)-tulip", as: .agent(who), body)
    }

    @Test func `is in force at once: the sessions are gone, a name alone ends none, and each change is written down`()
        async throws
    {
        try await TestGateway.run { gateway in
            let manager = try await gateway.brand.agent("mira", role: .administrator)
            for (body, detail, after) in [
                (#"{"name":"Dana B."}"#, "name=Dana B.", 200), (#"{"role":"manager"}"#, "role=manager", 401),
                (#"{"disabled":true}"#, "disabled=true", 401),
            ] {
                let agent = try await gateway.brand.agent("dana")
                let reply = try await Self.change(gateway, "dana", as: manager, body)
                #expect(reply.status == 200)
                guard case .object(let person)? = reply.json["agent"] else { throw Missing("no agent") }
                #expect(Set(person.keys) == ["id", "name", "email", "role", "disabled"])
                #expect(try await gateway.ask("GET", "/v1/session", as: .agent(agent)).status == after)
                let entry = try #require(await gateway.brand.accounts.entries.last)
                #expect(
                    entry.what == .personChanged && entry.by == manager.id.rawValue
                        && entry.detail == "agent-dana-tulip \(detail)")
            }
            #expect(await gateway.brand.accounts.entries.count == 3)
            #expect(try await Self.change(gateway, "dana", as: manager, #"{"disabled":true}"#).status == 200)
            #expect(await gateway.brand.accounts.entries.count == 3, "what changes nothing is not written down")
        }
    }

    @Test func `is for managers`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana")
            _ = try await gateway.brand.agent("mira", role: .administrator)
            for (name, body) in [("dana", #"{"role":"manager"}"#), ("mira", #"{"disabled":true}"#), ("dana", "{}")] {
                let reply = try await Self.change(gateway, name, as: agent, body)
                #expect(reply.status == 403 && reply.code == "forbidden")
            }
            #expect(try await Self.change(gateway, "nobody", as: agent, "{}").status == 403, "as for who exists")
        }
    }

    @Test func `leaves one administrator, who may be another`() async throws {
        try await TestGateway.run { gateway in
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            _ = try await gateway.brand.agent("dana")
            for body in [#"{"role":"agent"}"#, #"{"disabled":true}"#] {
                let reply = try await Self.change(gateway, "mira", as: mira, body)
                #expect(reply.status == 409 && reply.code == "last_administrator")
            }
            #expect(try await Self.change(gateway, "dana", as: mira, #"{"role":"administrator"}"#).status == 200)
            #expect(try await Self.change(gateway, "mira", as: mira, #"{"role":"agent"}"#).status == 200)
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(mira)).status == 401)
        }
    }

    @Test(arguments: [
        #"{"role":"consumer"}"#, #"{"role":"owner"}"#, #"{"role":""}"#, #"{"name":""}"#, #"{"name":" "}"#,
        "{\"name\":\"\(String(repeating: "x", count: 101))\"}",
    ])
    func `refuses impossible roles and names`(body: String) async throws {
        try await TestGateway.run { gateway in
            let manager = try await gateway.brand.agent("mira", role: .administrator)
            _ = try await gateway.brand.agent("dana")
            let reply = try await Self.change(gateway, "dana", as: manager, body)
            #expect(reply.status == 400 && reply.code == "bad_request")
        }
    }

    @Test func `gives a disabled person the answer of a wrong password`() async throws {
        try await TestGateway.run { gateway in
            let manager = try await gateway.brand.agent("mira", role: .administrator)
            _ = try await gateway.brand.agent("dana", password: "correct horse")
            #expect(try await Self.change(gateway, "dana", as: manager, #"{"disabled":true}"#).status == 200)
            let body = #"{"account":"tulip","email":"dana@tulip.example","password":"correct horse"}"#
            let reply = try await gateway.send("POST", "/v1/login", body)
            #expect(reply.status == 401 && reply.code == "login_failed")
            #expect(try await Self.change(gateway, "dana", as: manager, #"{"disabled":false}"#).status == 200)
            #expect(try await gateway.send("POST", "/v1/login", body).status == 200)
        }
    }
}

@Suite struct `A brand that is suspended` {
    private static func set(_ gateway: TestGateway, _ isSuspended: Bool) async throws {
        let audit = AuditEntry(
            account: TestBrand.tulip, at: gateway.brand.clock.now, by: AuditEntry.operator_, what: .brandSuspended)
        await gateway.brand.accounts.suspend(TestBrand.tulip, isSuspended, audit: audit)
        try await gateway.brand.identity.refreshSuspensions()
    }

    @Test func `has no people who are signed in, and consumers who keep their tokens`() async throws {
        try await TestGateway.run { gateway in
            let agent = try await gateway.brand.agent("dana", password: "correct horse")
            let consumer = try await gateway.brand.consumer()
            let rival = try await gateway.brand.agent("eve", of: TestBrand.rival)
            let login = #"{"account":"tulip","email":"dana@tulip.example","password":"correct horse"}"#
            let begin = #"{"account":"tulip","app":"shop"}"#
            try await Self.set(gateway, true)
            for route in gateway.parts.router.routes where route.handler.takesAgents {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: .agent(agent), headers: route.contentType,
                    body: route.sampleBody())
                #expect(reply.status == 401, "\(route.title)")
            }
            for route in gateway.parts.router.routes where route.handler.takesConsumers {
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: .consumer(consumer.token),
                    headers: route.contentType, body: route.sampleBody())
                #expect(reply.status == 403 && reply.code == "suspended", "\(route.title)")
            }
            #expect(try await gateway.send("POST", "/v1/login", login).code == "suspended")
            #expect(try await gateway.send("POST", "/v1/consumers", begin).code == "suspended")
            #expect(
                try await gateway.ask("GET", "/v1/session", as: .agent(rival)).status == 200, "another brand works on")
            try await Self.set(gateway, false)
            #expect(try await gateway.ask("GET", "/v1/session", as: .agent(agent)).status == 200)
            #expect(
                try await gateway.send("POST", "/v1/consumers/me", as: .consumer(consumer.token), "{}").status == 200)
        }
    }
}

@Suite struct `A clock that was set` {
    @Test func `back lets no session and no ticket live longer`() async throws {
        try await TestGateway.run { gateway in
            let service = gateway.brand.identity
            _ = try await gateway.brand.agent("dana", password: "correct horse")
            let session = try await service.login(
                SignInAttempt(
                    account: TestBrand.tulip, email: "dana@tulip.example", password: "correct horse", address: "a"))
            let (cookie, signedIn) = (session.cookie, session.signedIn)
            let tickets = try (0..<2).map { _ in try service.ticket(for: signedIn.caller, cookie: cookie) }
            gateway.brand.clock.advance(milliseconds: -3_600_000)
            await #expect(throws: Rejection.notSignedIn) { try await service.session(cookie: cookie) }
            #expect(throws: Rejection.notSignedIn) { try service.redeem(ticket: tickets[0]) }
            gateway.brand.clock.advance(milliseconds: 3_600_000)
            #expect(try await service.session(cookie: cookie).caller == signedIn.caller)
            #expect(try service.redeem(ticket: tickets[1]).caller == signedIn.caller)
            gateway.brand.clock.advance(milliseconds: 400 * 24 * 3_600_000)
            await #expect(throws: Rejection.notSignedIn) { try await service.session(cookie: cookie) }
        }
    }
}
