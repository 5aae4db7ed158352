import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `Availability` {
    private static let path = "/v1/availability?account=tulip&app=shop"

    private static func ask(_ gateway: TestGateway, _ more: String = "", origin: String? = nil) async throws -> Reply {
        try await gateway.ask("GET", path + more, origin: origin)
    }

    private static func put(_ gateway: TestGateway, _ section: ContactCentreSettings.Section, _ value: String)
        async throws
    {
        _ = try await gateway.brand.centre.put(section, Array(value.utf8), of: TestBrand.tulip)
    }

    private static func skill(_ id: String, isDefault: Bool = false) -> String {
        #"{"id":"\#(id)","name":"\#(id)","default":\#(isDefault),"accept":"offer","offerSeconds":30,"#
            + #""sla":{"usual":900,"urgent":300,"first":600},"hours":"day","velocity":100,"#
            + #""disposition":"off","survey":false}"#
    }

    @Test func `of what is not named, or is not there, is refused`() async throws {
        try await TestGateway.run { gateway in
            for (query, status, code) in [
                ("", 400, "bad_request"), ("?account=tulip", 400, "bad_request"), ("?app=shop", 400, "bad_request"),
                ("?account=tulip&app=shop&app=shop", 400, "bad_request"),
                ("?account=tulip&app=other", 404, "not_found"), ("?account=nobody&app=shop", 404, "not_found"),
                ("?account=tulip&app=a%20b", 404, "not_found"),
                ("?account=tulip&app=%ff", 400, "bad_request"),
                ("?account=tulip&app=shop&page=%00", 400, "bad_request"),
                ("?account=tulip&app=shop&page=\(String(repeating: "x", count: 2049))", 400, "bad_request"),
                ("?account=tulip&app=shop&language=\(String(repeating: "x", count: 65))", 400, "bad_request"),
            ] {
                let reply = try await gateway.ask("GET", "/v1/availability" + query, origin: nil)
                #expect(reply.status == status && reply.code == code, "\(query.prefix(60))")
                #expect(reply["cache-control"] == "no-store", "a refusal is not kept")
            }
            #expect(
                try await Self.ask(
                    gateway,
                    "&page=\(String(repeating: "x", count: 2048))&language=\(String(repeating: "x", count: 64))"
                ).status == 200)
        }
    }

    @Test func `is not told to pages that the app does not allow, nor of a brand that is suspended`() async throws {
        try await TestGateway.run { gateway in
            for origin in ["https://evil.example", "null", "http://shop.example", "https://shop.example.evil.example"] {
                let reply = try await Self.ask(gateway, origin: origin)
                #expect(reply.status == 403 && reply.code == "origin_refused", "\(origin)")
                #expect(reply["access-control-allow-origin"] == nil)
            }
            let audit = AuditEntry(
                account: TestBrand.tulip, at: gateway.brand.clock.now, by: AuditEntry.operator_, what: .brandSuspended)
            await gateway.brand.accounts.suspend(TestBrand.tulip, true, audit: audit)
            try await gateway.brand.identity.refreshSuspensions()
            #expect(try await Self.ask(gateway, origin: TestBrand.allowedOrigin).code == "suspended")
        }
    }

    @Test
    func
        `allows sixty requests at once from one address, then one a second; refused pages spend nothing`()
        async throws
    {
        try await TestGateway.run(allowances: .init()) { gateway in
            for _ in 1...5 { #expect(try await Self.ask(gateway, origin: "https://evil.example").status == 403) }
            for number in 1...60 {
                #expect(
                    try await Self.ask(gateway, origin: number % 2 == 0 ? nil : TestBrand.allowedOrigin).status == 200,
                    "\(number)")
            }
            let refused = try await Self.ask(gateway, origin: TestBrand.allowedOrigin)
            #expect(refused.status == 429 && refused["retry-after"] == "1")
            gateway.brand.clock.advance(milliseconds: 1_000)
            #expect(try await Self.ask(gateway).status == 200)
            #expect(try await Self.ask(gateway).status == 429)
        }
    }

    @Test func `may be read by scripts of the app's pages, without a cookie, and is fresh for some seconds`()
        async throws
    {
        try await TestGateway.run { gateway in
            let allowed = try await Self.ask(gateway, origin: TestBrand.allowedOrigin)
            #expect(allowed["access-control-allow-origin"] == TestBrand.allowedOrigin)
            #expect(allowed["access-control-allow-credentials"] == nil)
            #expect(allowed["vary"] == "Origin" && allowed["cache-control"] == "public, max-age=5")
            for origin in [nil, gateway.origin] {
                let own = try await Self.ask(gateway, origin: origin)
                #expect(own.status == 200 && own["access-control-allow-origin"] == nil)
                #expect(own["vary"] == "Origin")
            }
        }
    }

    @Test func `of a brand without settings is open once somebody is there, without a promised time`() async throws {
        try await TestGateway.run { gateway in
            let reply = try await Self.ask(gateway)
            #expect(reply.text == #"{"hours":{"open":true},"open":false,"waiting":0}"#)
        }
    }

    @Test func `is what a consumer would be told who wrote on this page now, and no more`() async throws {
        try await TestGateway.run { gateway in
            let week = (1...7).map { #"{"day":\#($0),"from":480,"to":1200}"# }.joined(separator: ",")
            try await Self.put(
                gateway, .hours, #"[{"id":"day","name":"Day","zone":"Europe/Berlin","week":[\#(week)],"holidays":[]}]"#)
            let always = Self.skill("always").replacing(#""hours":"day","#, with: "")
            try await Self.put(gateway, .skills, "[\(Self.skill("shop", isDefault: true)),\(always)]")
            let condition = #"{"of":"page","test":"contains","value":"/help me"}"#
            try await Self.put(
                gateway, .rules,
                #"[{"id":"r","name":"R","on":true,"conditions":[\#(condition)],"skill":"always","urgent":true}]"#)
            // 21 November 2025, 20:40 UTC: a quarter to ten in the evening there. They open at eight, and answer ten
            // minutes later.
            let now = gateway.brand.clock.now.milliseconds
            let opens = now + (10 * 60 + 20) * 60_000
            let shop = try await Self.ask(gateway)
            #expect(
                shop.json == [
                    "open": .bool(false),
                    "hours": .object(["open": .bool(false), "opens": .integer(Int(opens))]),
                    "by": .integer(Int(opens) + 600_000),
                    "within": .integer(630 * 60), "waiting": .integer(0),
                ])
            let help = try await Self.ask(gateway, "&page=https%3A%2F%2Fshop.example%2Fhelp%20me&language=de-AT")
            #expect(
                help.json == [
                    "open": .bool(false), "hours": .object(["open": .bool(true)]),
                    "by": .integer(Int(now) + 300_000), "within": .integer(300),
                    "waiting": .integer(0),
                ])
        }
    }
}
