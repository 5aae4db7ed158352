import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite("A page that embeds the widget")
struct EmbeddingTests {
    private static let widget = "/widget/?account=tulip&app=shop"
    private static let other = "https://other.example"

    @Test(
        "It gets the reason instead of the widget where it may not, on a page that anyone may frame",
        arguments: [
            ("?account=tulip&app=shop&from=https://other.example", 403, "origin https://other.example is not allowed"),
            ("?account=tulip&app=shop&from=https%3A%2F%2Fother.example", 403, "origin https://other.example is not"),
            ("?account=rival&app=shop&from=https://shop.example", 403, "for app shop of rival"),
            ("?account=tulip&app=shop&from=null", 403, "a page without an origin"),
            ("?account=tulip&app=shop&from=https://a.example%3Bscript-src", 403, "a page without an origin"),
            ("?account=tulpi&app=shop", 404, "there is no brand tulpi on"),
            ("?account=tulip&app=shopp&from=https://shop.example", 404, "there is no app shopp of tulip on"),
            ("?account=%3Cb%3E&app=shop", 404, "there is no brand ?b? on"),
        ])
    func getsTheReason(query: String, status: Int, sentence: String) async throws {
        try await EmbedScriptTests.run { gateway in
            let reply = try await gateway.ask("GET", "/widget/" + query, origin: nil)
            #expect(reply.status == status)
            #expect(reply.text.hasPrefix("<p>Earshot: ") && reply.text.contains(sentence), "\(reply.text)")
            #expect(!reply.text.contains("<b>"))
            let policy = try #require(reply["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("frame-ancestors"))
            #expect(reply["x-frame-options"] == nil && reply["cache-control"] == "no-store")
        }
    }

    @Test("It gets the widget where it may, and where the browser does not say who it is")
    func getsTheWidget() async throws {
        try await EmbedScriptTests.run { gateway in
            for query in ["", "&from=https://shop.example", "&from=\(gateway.origin)"] {
                let reply = try await gateway.ask("GET", Self.widget + query, origin: nil)
                #expect(reply.status == 200 && reply.text == "<p>widget", "\(query)")
            }
        }
    }

    @Test("A false origin gains nothing: the browser still lets only the app's origins frame the widget")
    func gainsNothingByALie() async throws {
        try await EmbedScriptTests.run { gateway in
            for origin in [TestBrand.allowedOrigin, gateway.origin] {
                let reply = try await gateway.ask(
                    "GET", Self.widget + "&from=\(origin)", origin: nil, headers: [("referer", Self.other)])
                #expect(
                    reply["content-security-policy"]?.hasSuffix("; frame-ancestors 'self' https://shop.example") == true
                )
            }
        }
    }

    @Test("Where it does not name its origin, the browser's Referer does; a link to the widget is no embedding")
    func isKnownByItsReferrer() async throws {
        try await EmbedScriptTests.run { gateway in
            for (destination, status) in [("iframe", 403), ("document", 200)] {
                let reply = try await gateway.ask(
                    "GET", Self.widget, origin: nil,
                    headers: [("referer", Self.other + "/page"), ("sec-fetch-dest", destination)])
                #expect(reply.status == status, "\(destination)")
            }
        }
    }

    @Test("Where its brand is suspended, it is told so")
    func isToldOfASuspension() async throws {
        try await EmbedScriptTests.run { gateway in
            let audit = AuditEntry(
                account: TestBrand.tulip, at: gateway.brand.clock.now, by: "test", what: .brandSuspended)
            await gateway.brand.accounts.suspend(TestBrand.tulip, true, audit: audit)
            try await gateway.brand.identity.refreshSuspensions()
            let reply = try await gateway.ask("GET", Self.widget, origin: nil)
            #expect(reply.status == 403 && reply.text.contains("earshot resume brand tulip"))
        }
    }

    @Test("A reason is logged once a minute, and untrusted clients cannot fill the log")
    func isLoggedOnceAMinute() async throws {
        let log = TestLog()
        try await EmbedScriptTests.run(log: log) { gateway in
            func lines(_ text: String) -> Int { log.text.split(separator: "\n").filter { $0.contains(text) }.count }
            let path = Self.widget + "&from=https://other.example"
            for _ in 0..<3 { _ = try await gateway.ask("GET", path, origin: nil) }
            let sentence = "The widget was refused: origin https://other.example is not allowed for app shop of tulip"
            #expect(lines(sentence) == 1)
            for number in 0..<2 * EmbedRecords.causes {
                _ = try await gateway.ask("GET", "/widget/?account=none\(number)&app=shop", origin: nil)
            }
            #expect(lines("The widget was refused:") == EmbedRecords.causes)
            gateway.brand.clock.advance(milliseconds: 60_000)
            _ = try await gateway.ask("GET", path, origin: nil)
            #expect(lines(sentence) == 2)
            #expect(lines("The widget was refused for further reasons.") == 1)
        }
    }

    @Test("Managers see the latest loads with the reasons, and only those of their own brand")
    func isSeenByManagers() async throws {
        try await EmbedScriptTests.run { gateway in
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let rival = try await gateway.brand.agent("rita", of: TestBrand.rival, role: .administrator)
            _ = try await gateway.ask(
                "GET", "/embed/tulip/shop.js", origin: nil, headers: [("referer", "https://shop.example/a")])
            gateway.brand.clock.advance(milliseconds: 5_000)
            for query in ["shop&from=\(TestBrand.allowedOrigin)", "shopp&from=\(Self.other)"] {
                _ = try await gateway.ask("GET", "/widget/?account=tulip&app=\(query)", origin: nil)
            }
            let reply = try await gateway.ask("GET", "/v1/brand/embeds", as: .agent(mira))
            guard case .array(let embeds) = reply.json["embeds"] else { throw GatewayFault("no list: \(reply.text)") }
            #expect(embeds.map { $0["app"]?.text } == ["shopp", "shop", "shop"])
            #expect(embeds.map { $0["part"]?.text } == ["widget", "widget", "script"])
            #expect(embeds.map { $0["code"]?.text } == ["not_found", nil, nil])
            #expect(embeds.map { $0["seconds"] } == [.integer(0), .integer(0), .integer(5)])
            let others = try await gateway.ask("GET", "/v1/brand/embeds", as: .agent(rival))
            #expect(others.status == 200 && others.json["embeds"] == .array([]))
        }
    }

    @Test("Of a brand 20 loads that were right are kept, whatever untrusted clients send")
    func isRememberedWithinBounds() {
        let records = EmbedRecords(logger: TestLog().logger, now: { Timestamp(milliseconds: 1) })
        let load = { (origin: String, isRight: Bool) in
            EmbedRecords.Load(
                app: "shop", origin: origin, part: .widget,
                refusal: isRight ? nil : .origin(origin, TestBrand.shop, of: TestBrand.tulip))
        }
        for limit in [EmbedRecords.loadsOfBrand - 1, EmbedRecords.loadsOfBrand, EmbedRecords.loadsOfBrand + 1] {
            for number in 0..<limit { records.note(load("https://shop\(number).example", true), of: TestBrand.tulip) }
            #expect(records.loads(of: TestBrand.tulip).count == min(limit, EmbedRecords.loadsOfBrand))
        }
        for number in 0..<100 { records.note(load("https://evil\(number).example", false), of: TestBrand.tulip) }
        let loads = records.loads(of: TestBrand.tulip)
        #expect(loads.filter { $0.load.refusal == nil }.count == EmbedRecords.loadsOfBrand)
        #expect(loads.filter { $0.load.refusal != nil }.count == EmbedRecords.loadsOfBrand)
        for number in 0...EmbedRecords.brands {
            records.note(load("https://shop.example", true), of: AccountID(trusted: "brand\(number)"))
        }
        let kept = (0...EmbedRecords.brands).filter { !records.loads(of: AccountID(trusted: "brand\($0)")).isEmpty }
        #expect(kept.count <= EmbedRecords.brands)
    }
}
