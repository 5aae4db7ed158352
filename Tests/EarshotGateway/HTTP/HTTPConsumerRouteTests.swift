import EarshotCore
import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `A new consumer` {
    private static let body = #"{"account":"tulip","app":"shop"}"#

    @Test func `of an app that is not there is refused`() async throws {
        try await TestGateway.run { gateway in
            for body in [#"{"account":"tulip","app":"other"}"#, #"{"account":"nobody","app":"shop"}"#] {
                let reply = try await gateway.send("POST", "/v1/consumers", body)
                #expect(reply.status == 404)
                #expect(reply.code == "not_found")
            }
            #expect(await gateway.brand.accounts.allConsumers.isEmpty)
        }
    }

    @Test func `is refused to a page that the app does not allow, and to null`() async throws {
        try await TestGateway.run { gateway in
            for origin in ["https://evil.example", "null", "https://shop.example.evil.example", "http://shop.example"] {
                let reply = try await gateway.ask(
                    "POST", "/v1/consumers", origin: origin, headers: [("content-type", "application/json")],
                    body: Array(Self.body.utf8))
                #expect(reply.status == 403, "\(origin)")
                #expect(reply.code == "origin_refused")
            }
            #expect(await gateway.brand.accounts.allConsumers.isEmpty)
        }
    }

    @Test func `gets a token, a conversation, the brand and its limits`() async throws {
        try await TestGateway.run { gateway in
            for origin in [gateway.origin, TestBrand.allowedOrigin, nil] {
                let reply = try await gateway.ask(
                    "POST", "/v1/consumers", origin: origin, headers: [("content-type", "application/json")],
                    body: Array(Self.body.utf8))
                #expect(reply.status == 201)
                let answer = reply.json
                #expect(Set(answer.keys) == ["token", "consumer", "conversation", "brand", "limits", "settings"])
                #expect(
                    answer["brand"]
                        == .object([
                            "name": .string("Tulip & Thorn"), "color": .string("#aa3355"),
                            "welcome": .string("Hello <you>"),
                        ]))
                #expect(
                    answer["limits"]
                        == .object([
                            "text": .integer(2000), "audioMs": .integer(120_000), "audioBytes": .integer(16_777_216),
                        ]))
                let token = try #require(answer.text("token"))
                #expect(
                    try gateway.brand.identity.consumer(token: token).conversation.rawValue
                        == answer.text("conversation"))
            }
        }
    }

    @Test func `is described by its page, language and device, and by nothing that could be clicked and run`()
        async throws
    {
        try await TestGateway.run { gateway in
            let agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36"
            let bodies = [
                #"{"account":"tulip","app":"shop","page":"https://shop.example/p?a=1","language":"de-AT"}"#,
                #"{"account":"tulip","app":"shop","page":"javascript:alert(1)","language":"<b>"}"#,
            ]
            for body in bodies {
                _ = try await gateway.ask(
                    "POST", "/v1/consumers", headers: [("content-type", "application/json"), ("user-agent", agent)],
                    body: Array(body.utf8))
            }
            let consumers = await gateway.brand.accounts.allConsumers
            #expect(Set(consumers.map(\.page)) == ["https://shop.example/p", nil])
            #expect(Set(consumers.map(\.language)) == ["de-AT", nil])
            #expect(consumers.allSatisfy { $0.device == "Chrome on Linux" })
        }
    }

    @Test(arguments: [
        ("https://shop.example/reset?token=s3cret&email=a%40b.example#otp=1", "{}", "https://shop.example/reset"),
        ("https://shop.example/#/orders/77?key=1", "{}", "https://shop.example/"),
        ("https://anna:pass@shop.example/a@b?x", "{}", "https://shop.example/a@b"),
        (
            "https://shop.example/p?other=1", #"{"campaign":"spring sale&x=1","article":"é"}"#,
            "https://shop.example/p?article=%C3%A9&campaign=spring%20sale%26x%3D1"
        ),
        ("javascript:alert(1)", #"{"campaign":"a"}"#, nil),
    ]) func `is described by origin and path of the page, and by the parameters that it names`(
        _ page: String, _ parameters: String, _ stored: String?
    ) async throws {
        try await TestGateway.run { gateway in
            let body = #"{"account":"tulip","app":"shop","page":"\#(page)","pageParameters":\#(parameters)}"#
            let reply = try await gateway.send("POST", "/v1/consumers", body)
            #expect(reply.status == 201)
            let pages = await gateway.brand.accounts.allConsumers.map(\.page)
            #expect(pages == [stored])
        }
    }

    @Test(
        arguments: [
            ((1...10).map { ("p\($0)", "v") }, nil), ((1...11).map { ("p\($0)", "v") }, 10),
            ([("", "v")], 256), ([(String(repeating: "n", count: 64), "v")], nil),
            ([(String(repeating: "n", count: 65), "v")], 256), ([("n", String(repeating: "é", count: 256))], nil),
            ([("n", String(repeating: "é", count: 257))], 256),
        ] as [([(String, String)], Int?)]) func `may name ten parameters of bounded length`(
            _ parameters: [(String, String)], _ limit: Int?
        ) throws
    {
        let named = Dictionary(uniqueKeysWithValues: parameters)
        func address() throws -> PageAddress? { try PageAddress("https://shop.example/", parameters: named) }
        guard let limit else {
            #expect(try address()?.text.hasPrefix("https://shop.example/?") == true)
            return
        }
        let refusal = #expect(throws: Rejection.self) { _ = try address() }
        #expect(refusal?.code == .outOfRange)
        #expect(refusal?.limit == limit)
    }

    @Test func `may come five times at once from one address, then every half minute`() async throws {
        try await TestGateway.run(allowances: .init()) { gateway in
            for _ in 1...5 { #expect(try await gateway.send("POST", "/v1/consumers", Self.body).status == 201) }
            let refused = try await gateway.send("POST", "/v1/consumers", Self.body)
            #expect(refused.status == 429)
            #expect(refused.code == "rate_limited")
            #expect(refused["retry-after"] == "30")
            gateway.brand.clock.advance(milliseconds: 29_999)
            #expect(try await gateway.send("POST", "/v1/consumers", Self.body).status == 429)
            gateway.brand.clock.advance(milliseconds: 1)
            #expect(try await gateway.send("POST", "/v1/consumers", Self.body).status == 201)
            #expect(try await gateway.send("POST", "/v1/consumers", Self.body).status == 429)
        }
    }

    @Test func `is not counted against its address by what a foreign page asks, and is by what an allowed one asks`()
        async throws
    {
        try await TestGateway.run(allowances: .init()) { gateway in
            let origins =
                [String](repeating: "https://evil.example", count: 9)
                + [String](repeating: TestBrand.allowedOrigin, count: 6)
            for (index, origin) in origins.enumerated() {
                let reply = try await gateway.ask(
                    "POST", "/v1/consumers", origin: origin, headers: [("content-type", "application/json")],
                    body: Array(Self.body.utf8))
                #expect(reply.status == (index < 9 ? 403 : index < 14 ? 201 : 429), "the \(index + 1)th")
            }
        }
    }

    @Test func `is not counted by what it says of its own address`() async throws {
        try await TestGateway.run(allowances: .init()) { gateway in
            for number in 1...5 {
                #expect(
                    try await gateway.ask(
                        "POST", "/v1/consumers",
                        headers: [("content-type", "application/json"), ("x-forwarded-for", "10.0.0.\(number)")],
                        body: Array(Self.body.utf8)
                    ).status == 201)
            }
            let reply = try await gateway.ask(
                "POST", "/v1/consumers",
                headers: [("content-type", "application/json"), ("x-forwarded-for", "10.9.9.9")],
                body: Array(Self.body.utf8))
            #expect(reply.status == 429)
        }
    }
}

@Suite struct `A consumer's time zone` {
    private static func begin(_ gateway: TestGateway, zone: String) async throws -> Reply {
        try await gateway.send("POST", "/v1/consumers", #"{"account":"tulip","app":"shop","zone":"\#(zone)"}"#)
    }

    private static func comeBack(_ gateway: TestGateway, _ token: String, zone: String) async throws -> Reply {
        try await gateway.send("POST", "/v1/consumers/me", as: .consumer(token), #"{"zone":"\#(zone)"}"#)
    }

    @Test func `of more than 64 bytes is refused, and an unknown one is omitted`() async throws {
        try await TestGateway.run { gateway in
            let long = try await Self.begin(gateway, zone: String(repeating: "x", count: 65))
            #expect(long.status == 400 && long.code == "bad_request")
            for zone in [String(repeating: "x", count: 64), "Nowhere/Land", "GMT+1", "../../etc/passwd", ""] {
                let reply = try await Self.begin(gateway, zone: zone)
                #expect(reply.status == 201, "\(zone): a browser may know what this server does not")
            }
            #expect(await gateway.brand.accounts.allConsumers.allSatisfy { $0.zone == nil })
        }
    }

    @Test func `is kept, and is another when they come back from elsewhere`() async throws {
        try await TestGateway.run { gateway in
            let token = try #require(try await Self.begin(gateway, zone: "Europe/Berlin").json.text("token"))
            func zone() async -> String? { await gateway.brand.accounts.allConsumers.first?.zone }
            #expect(await zone() == "Europe/Berlin")
            for (said, kept) in [("America/New_York", "America/New_York"), ("Nowhere/Land", "America/New_York")] {
                #expect(try await Self.comeBack(gateway, token, zone: said).status == 200)
                #expect(await zone() == kept)
            }
            #expect(try await gateway.send("POST", "/v1/consumers/me", as: .consumer(token), "{}").status == 200)
            #expect(await zone() == "America/New_York", "who says nothing has not moved")
            #expect(try await Self.comeBack(gateway, token, zone: String(repeating: "x", count: 65)).status == 400)
        }
    }

    @Test func `changes five times at once, then once a minute`() async throws {
        try await TestGateway.run { gateway in
            let token = try #require(try await Self.begin(gateway, zone: "UTC").json.text("token"))
            func zone() async -> String? { await gateway.brand.accounts.allConsumers.first?.zone }
            let zones = ["Asia/Tokyo", "Europe/Rome", "Europe/Oslo", "Asia/Dubai", "Africa/Lagos", "Europe/Paris"]
            for zone in zones { #expect(try await Self.comeBack(gateway, token, zone: zone).status == 200) }
            #expect(await zone() == "Africa/Lagos")
            gateway.brand.clock.advance(milliseconds: 59_999)
            _ = try await Self.comeBack(gateway, token, zone: "Europe/Paris")
            #expect(await zone() == "Africa/Lagos")
            gateway.brand.clock.advance(milliseconds: 1)
            _ = try await Self.comeBack(gateway, token, zone: "Europe/Paris")
            #expect(await zone() == "Europe/Paris")
        }
    }
}

@Suite struct `A consumer who comes back` {
    @Test func `without a good token is refused`() async throws {
        try await TestGateway.run { gateway in
            let welcome = try await gateway.brand.consumer()
            let forged = String(welcome.token.dropLast()) + (welcome.token.hasSuffix("A") ? "B" : "A")
            for headers in [
                [], [("authorization", "Bearer \(forged)")], [("authorization", "Basic \(welcome.token)")],
                [("authorization", "Bearer ")],
            ] {
                let reply = try await gateway.ask("POST", "/v1/consumers/me", headers: headers)
                #expect(reply.status == 401)
                #expect(reply.code == "not_signed_in")
            }
        }
    }

    @Test func `gets the same conversation, and a new token once the old one is a month old`() async throws {
        try await TestGateway.run { gateway in
            let welcome = try await gateway.brand.consumer()
            let soon = try await gateway.ask("POST", "/v1/consumers/me", as: .consumer(welcome.token))
            #expect(soon.status == 200)
            #expect(soon.json.text("token") == welcome.token)
            gateway.brand.clock.advance(milliseconds: ConsumerTokens.renewAfterMs + 1000)
            let later = try await gateway.ask("POST", "/v1/consumers/me", as: .consumer(welcome.token))
            #expect(later.json.text("token") != welcome.token)
            #expect(later.json.text("conversation") == welcome.conversation.rawValue)
        }
    }
}
