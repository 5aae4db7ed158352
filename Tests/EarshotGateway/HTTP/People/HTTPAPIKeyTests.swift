import EarshotCore
import EarshotDomain
import EarshotModel
import HTTPTypes
import Testing

@testable import EarshotGateway

@Suite struct `API keys` {
    private static let dayMs: Int64 = 24 * 3600 * 1000
    static let path = "/v1/history/conversations"

    @Test func `are made by managers, shown once and stored as a digest`() async throws {
        try await TestGateway.run { gateway in
            let mona = Credentials.agent(try await gateway.brand.agent("mona", role: .administrator))
            let reply = try await gateway.send(
                "POST", "/v1/keys", as: mona, #"{"name":"Warehouse","scopes":["history.read","recordings.read"]}"#)
            let text = try #require(reply.json["text"]?.text)
            #expect(reply.status == 200 && text.wholeMatch(of: /ek_[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{43}/) != nil)
            let stored = try #require(await gateway.brand.accounts.apiKeys(of: TestBrand.tulip).first)
            let secret = String(text.suffix(43))
            #expect(text == "ek_\(stored.id)_\(secret)" && stored.digest.count == 32)
            #expect(stored.expires.milliseconds - stored.made.milliseconds == 90 * Self.dayMs)
            let list = try await gateway.ask("GET", "/v1/keys", as: mona)
            #expect(list.text.contains("Warehouse") && !list.text.contains(secret))
            let entries = await gateway.brand.accounts.entries.filter { $0.what == .keyMade }
            #expect(entries.map(\.detail) == ["\(stored.id) history.read,recordings.read Warehouse"])
            #expect(!"\(entries)".contains(secret))
        }
    }

    @Test(arguments: [
        (#"{"name":"","scopes":["history.read"]}"#, 400), (#"{"name":" ","scopes":["history.read"]}"#, 400),
        (#"{"name":"NAME60","scopes":["history.read"]}"#, 200), (#"{"name":"NAME61","scopes":["history.read"]}"#, 400),
        (#"{"name":"a\nb","scopes":["history.read"]}"#, 400), (#"{"name":"a","scopes":[]}"#, 400),
        (#"{"name":"a","scopes":["history.write"]}"#, 400),
    ])
    func `need a name of one line and known scopes`(body: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            let mona = Credentials.agent(try await gateway.brand.agent("mona", role: .administrator))
            let body = body.replacing("NAME60", with: String(repeating: "ü", count: 60))
                .replacing("NAME61", with: String(repeating: "ü", count: 61))
            #expect(try await gateway.send("POST", "/v1/keys", as: mona, body).status == status, "\(body)")
        }
    }

    @Test(arguments: [(Int64(0), 422), (1, 200), (731 * dayMs, 200), (731 * dayMs + 1, 422)])
    func `end after now and within two years`(afterMs: Int64, status: Int) async throws {
        try await TestGateway.run { gateway in
            let mona = Credentials.agent(try await gateway.brand.agent("mona", role: .administrator))
            let expires = gateway.brand.clock.now.milliseconds + afterMs
            let reply = try await gateway.send(
                "POST", "/v1/keys", as: mona, #"{"name":"a","scopes":["history.read"],"expires":\#(expires)}"#)
            #expect(reply.status == status && (status == 200 || reply.code == "out_of_range"), "\(reply.text)")
        }
    }

    @Test func `are at most fifty for a brand`() async throws {
        try await TestGateway.run { gateway in
            for _ in 1..<APIKeyService.mostKeys { _ = try await gateway.key([.readHistory]) }
            let mona = Credentials.agent(try await gateway.brand.agent("mona", role: .administrator))
            let body = #"{"name":"a","scopes":["history.read"]}"#
            #expect(try await gateway.send("POST", "/v1/keys", as: mona, body).status == 200)
            let refused = try await gateway.send("POST", "/v1/keys", as: mona, body)
            #expect(refused.status == 422 && refused.code == "out_of_range")
            _ = try await gateway.key([.readHistory], of: TestBrand.rival)
        }
    }

    @Test func `are for managers only`() async throws {
        try await TestGateway.run { gateway in
            let dana = Credentials.agent(try await gateway.brand.agent("dana"))
            let (key, _) = try await gateway.key([.readHistory])
            for (method, path, body) in [
                ("GET", "/v1/keys", nil), ("POST", "/v1/keys", #"{"name":"a","scopes":["history.read"]}"#),
                ("DELETE", "/v1/keys/\(key.id)", "{}"),
            ] {
                let reply =
                    if let body {
                        try await gateway.send(method, path, as: dana, body)
                    } else {
                        try await gateway.ask(method, path, as: dana)
                    }
                #expect(reply.status == 403 && reply.code == "forbidden", "\(method)")
            }
        }
    }

    @Test func `that are wrong, ended, revoked or malformed get one answer`() async throws {
        try await TestGateway.run { gateway in
            let (revoked, revokedText) = try await gateway.key([.readHistory])
            let (_, short) = try await gateway.key([.readHistory], forMs: 1_000)
            let (_, good) = try await gateway.key([.readHistory])
            #expect(try await gateway.ask("GET", Self.path, as: .program(revokedText)).status == 200)
            #expect(try await gateway.ask("GET", Self.path, as: .program(short)).status == 200)
            let mona = Credentials.agent(try await gateway.brand.agent("mona", role: .administrator))
            #expect(try await gateway.send("DELETE", "/v1/keys/\(revoked.id)", as: mona, "{}").status == 204)
            gateway.brand.clock.advance(milliseconds: 1_000)
            let other = good.dropLast() + (good.last == "A" ? "E" : "A")
            var answers: Set<String> = []
            for text in [revokedText, short, String(other), good + "A", String(good.dropFirst()), "ek__", "ek_"] {
                let reply = try await gateway.ask("GET", Self.path, as: .program(text))
                #expect(reply.status == 401 && reply.code == "not_signed_in", "\(text)")
                answers.insert(reply.json["error"]?.member("text")?.text ?? "")
            }
            #expect(answers == ["This key is unknown, has ended or was revoked."])
            let none = try await gateway.ask("GET", Self.path)
            #expect(none.code == "not_signed_in" && none.text.contains("Send an API key"), "\(none.text)")
            #expect(try await gateway.ask("GET", Self.path, as: .program(good)).status == 200)
            let entries = await gateway.brand.accounts.entries.filter { $0.what == .keyRevoked }
            #expect(entries.map(\.detail) == ["\(revoked.id) \(revoked.name)"])
        }
    }

    @Test func `of a suspended brand are refused`() async throws {
        try await TestGateway.run { gateway in
            let (_, text) = try await gateway.key([.readHistory])
            await gateway.brand.accounts.suspend(
                TestBrand.tulip, true,
                audit: AuditEntry(
                    account: TestBrand.tulip, at: gateway.brand.clock.now, by: "operator", what: .brandSuspended))
            // What the server does every quarter of a second.
            try await gateway.brand.identity.refreshSuspensions()
            let reply = try await gateway.ask("GET", Self.path, as: .program(text))
            #expect(reply.code == "suspended", "\(reply.text)")
        }
    }

    @Test func `open no route but those of programs`() async throws {
        try await TestGateway.run { gateway in
            let (_, text) = try await gateway.key(Set(ProgramScope.allCases))
            var count = 0
            for route in gateway.parts.router.routes where !route.handler.isOpenToAnyone {
                if case .program = route.handler { continue }
                count += 1
                let reply = try await gateway.ask(
                    route.method.rawValue, route.samplePath(), as: .program(text), headers: route.contentType,
                    body: route.sampleBody())
                #expect(reply.status == 401 && reply.code == "not_signed_in", "\(route.title)")
            }
            #expect(count > 40)
        }
    }

    @Test func `may ask ten times a second, and fifty times at once`() async throws {
        var allowances = TestGateway.generous
        allowances.programs = GatewayConfiguration.Allowances().programs
        try await TestGateway.run(allowances: allowances) { gateway in
            let (_, text) = try await gateway.key([.readHistory])
            let (_, other) = try await gateway.key([.readHistory])
            for _ in 1...50 { #expect(try await gateway.ask("GET", Self.path, as: .program(text)).status == 200) }
            let refused = try await gateway.ask("GET", Self.path, as: .program(text))
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused["retry-after"] == "1")
            #expect(try await gateway.ask("GET", Self.path, as: .program(other)).status == 200)
            gateway.brand.clock.advance(milliseconds: 99)
            #expect(try await gateway.ask("GET", Self.path, as: .program(text)).status == 429)
            gateway.brand.clock.advance(milliseconds: 1)
            #expect(try await gateway.ask("GET", Self.path, as: .program(text)).status == 200)
        }
    }

    @Test func `are noted as used once an hour`() async throws {
        try await TestGateway.run { gateway in
            let (key, text) = try await gateway.key([.readHistory])
            let first = gateway.brand.clock.now
            for (afterMs, notes) in [(Int64(0), 1), (0, 1), (3_599_999, 1), (1, 2)] {
                gateway.brand.clock.advance(milliseconds: afterMs)
                #expect(try await gateway.ask("GET", Self.path, as: .program(text)).status == 200)
                #expect(await gateway.brand.accounts.notedUses == notes)
            }
            let used = try await gateway.brand.accounts.apiKey(key.id)?.used
            #expect(used == first.adding(milliseconds: 3_600_000))
        }
    }
}

extension TestGateway {
    /// A key of a brand, and what a program sends.
    func key(_ scopes: Set<ProgramScope>, of account: AccountID = TestBrand.tulip, forMs: Int64 = 86_400_000)
        async throws -> (APIKey, String)
    {
        let made = try await brand.core.apiKeys.make(
            APIKeyWish(name: "Warehouse", scopes: scopes, expires: brand.clock.now.adding(milliseconds: forMs)),
            for: account, by: AuditEntry.operator_)
        return (made.key, made.text)
    }
}
