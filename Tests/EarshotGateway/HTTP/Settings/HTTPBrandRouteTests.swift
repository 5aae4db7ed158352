import EarshotCore
import EarshotModel
import EarshotTestKit
import Testing

@testable import EarshotGateway

@Suite("Changing a brand and its apps")
struct BrandRouteTests {
    private static func manager(_ gateway: TestGateway, of account: AccountID = TestBrand.tulip) async throws
        -> SignedInAgent
    {
        try await gateway.brand.agent("mira", of: account, role: .administrator)
    }

    private static func logo(_ file: [UInt8]) -> String { #"{"logo":"\#(SamplePNG.address(file))"}"# }

    @Test("A manager changes what is given; the rest stays, and the audit log says what changed")
    func changesTheBrand() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Self.manager(gateway)
            let before = try #require(try await gateway.brand.accounts.account(TestBrand.tulip))
            let body = ##"{"color":"#B3261e","welcome":"Hello!"}"##
            #expect(try await gateway.send("PATCH", "/v1/brand", as: .agent(mira), body).status == 200)
            let after = try #require(try await gateway.brand.accounts.account(TestBrand.tulip))
            #expect(after.color == "#B3261e" && after.welcome == "Hello!" && after.name == before.name)
            #expect(after.audioLimitMs == before.audioLimitMs)
            let entries = await gateway.brand.accounts.entries
            #expect(entries.map(\.what) == [.brandChanged])
            #expect(entries.map(\.detail) == ["color=#B3261e welcome"])
            #expect(entries.map(\.by) == [mira.id.rawValue])
        }
    }

    @Test("New consumers get the new colour and welcome text")
    func reachesConsumers() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Self.manager(gateway)
            let body = ##"{"name":"Tulip & Co","color":"#123456","welcome":""}"##
            #expect(try await gateway.send("PATCH", "/v1/brand", as: .agent(mira), body).status == 200)
            let welcome = try await gateway.send("POST", "/v1/consumers", #"{"account":"tulip","app":"shop"}"#)
            let brand: JSONValue = .object([
                "name": .string("Tulip & Co"), "color": .string("#123456"), "welcome": .string(""),
            ])
            #expect(welcome.status == 201 && welcome.json["brand"] == brand)
        }
    }

    @Test("A logo is what consumers get; another one has another address, and without one there is none")
    func changesLogo() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Self.manager(gateway)
            func patch(_ logo: String) async throws -> String? {
                let reply = try await gateway.send(
                    "PATCH", "/v1/brand", as: .agent(mira), #"{"logo":"\#(logo)"}"#)
                return reply.status == 200 ? reply.json["brand"]?["logo"]?.text : nil
            }
            let square = SamplePNG.file(width: 128, height: 128)
            let path = try #require(try await patch(SamplePNG.address(square)))
            let got = try await gateway.ask("GET", path)
            #expect(got.status == 200 && got["content-type"] == "image/png" && got.body == square)
            #expect(got["cache-control"]?.contains("immutable") == true)
            let welcome = try await gateway.send("POST", "/v1/consumers", #"{"account":"tulip","app":"shop"}"#)
            #expect(welcome.json["brand"]?["logo"] == .string(path))
            let other = try #require(try await patch(SamplePNG.address(SamplePNG.file(width: 64, height: 64))))
            #expect(other != path)
            #expect(try await gateway.ask("GET", path).status == 404)
            #expect(try await gateway.ask("GET", other.replacing("tulip", with: "rival")).status == 404)
            #expect(try await patch("") == "")
            #expect(try await gateway.ask("GET", other).status == 404)
            let details = await gateway.brand.accounts.entries.map(\.detail)
            #expect(details.count == 3 && details[0]?.hasPrefix("logo=") == true && details[2] == "logo removed")
        }
    }

    @Test("A manager changes the origins of an app: a page of a new one may embed it, a page of an old one no longer")
    func changesOrigins() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Self.manager(gateway)
            let body = #"{"origins":["https://new.example"]}"#
            #expect(try await gateway.send("PATCH", "/v1/apps/shop", as: .agent(mira), body).status == 200)
            for (origin, isAllowed) in [("https://new.example", true), (TestBrand.allowedOrigin, false)] {
                let app = try? await gateway.brand.identity.app(TestBrand.shop, of: TestBrand.tulip, from: origin)
                #expect((app != nil) == isAllowed, "\(origin)")
            }
            #expect(await gateway.brand.accounts.entries.map(\.detail) == ["shop https://new.example"])
            let read = try await gateway.ask("GET", "/v1/brand", as: .agent(mira))
            let line = #"<script src="\#(gateway.origin)/embed/tulip/shop.js" async></script>"#
            let app: JSONValue = .object([
                "id": .string("shop"), "name": .string("Shop"), "origins": .array([.string("https://new.example")]),
                "side": .string("right"), "icon": .string("chat"), "label": .string(""), "line": .string(line),
            ])
            #expect(read.status == 200 && read.json["apps"] == .array([app]))
        }
    }

    @Test(
        "What the command line refuses is refused",
        arguments: [
            ("/v1/brand", #"{"name":""}"#), ("/v1/brand", #"{"color":"red"}"#), ("/v1/brand", ##"{"color":"#fff"}"##),
            ("/v1/brand", "{\"name\":\"\(String(repeating: "x", count: 101))\"}"),
            ("/v1/brand", "{\"welcome\":\"\(String(repeating: "x", count: 501))\"}"),
            ("/v1/brand", #"{"logo":"https://shop.example/logo.png"}"#),
            ("/v1/brand", #"{"logo":"data:image/svg+xml;base64,PHN2Zy8+"}"#),
            ("/v1/brand", #"{"logo":"data:image/png;base64,PHN2Zy8+"}"#),
            ("/v1/brand", #"{"logo":"data:image/png;base64,*"}"#),
            ("/v1/brand", Self.logo(SamplePNG.file(width: 30_000, height: 30_000))),
            ("/v1/brand", Self.logo(SamplePNG.file(width: 16, height: 16, bytes: BrandLogo.maximumBytes + 1))),
            ("/v1/apps/shop", #"{"name":""}"#), ("/v1/apps/shop", #"{"origins":["https://shop.example/path"]}"#),
            ("/v1/apps/shop", #"{"origins":["https://a.example","ftp://shop.example"]}"#),
            ("/v1/apps/shop", #"{"origins":["https://Shop.example"]}"#),
        ])
    func refusesValues(path: String, body: String) async throws {
        try await TestGateway.run { gateway in
            let mira = try await Self.manager(gateway)
            let reply = try await gateway.send("PATCH", path, as: .agent(mira), body)
            #expect(reply.status == 422 && reply.code == "out_of_range")
            let entries = await gateway.brand.accounts.entries
            #expect(entries.isEmpty)
        }
    }

    @Test("A change to what is set already changes nothing, and is not noted")
    func ignoresNoChange() async throws {
        try await TestGateway.run { gateway in
            let mira = try await Self.manager(gateway)
            for (path, body) in [("/v1/brand", "{}"), ("/v1/apps/shop", #"{"name":"Shop"}"#)] {
                #expect(try await gateway.send("PATCH", path, as: .agent(mira), body).status == 200)
            }
            let entries = await gateway.brand.accounts.entries
            #expect(entries.isEmpty)
        }
    }

    @Test("Agents may not read or change it, and managers only that of their own brand")
    func isBounded() async throws {
        try await TestGateway.run { gateway in
            let dana = try await gateway.brand.agent("dana")
            let rival = try await Self.manager(gateway, of: TestBrand.rival)
            #expect(try await gateway.ask("GET", "/v1/brand", as: .agent(dana)).status == 403)
            for path in ["/v1/brand", "/v1/apps/shop"] {
                let body = #"{"name":"Other"}"#
                #expect(try await gateway.send("PATCH", path, as: .agent(dana), body).status == 403)
                #expect(try await gateway.send("PATCH", path, as: .agent(rival), body).status == 200)
            }
            #expect(try await gateway.send("PATCH", "/v1/apps/none", as: .agent(rival), "{}").status == 404)
            #expect(try await gateway.brand.accounts.account(TestBrand.tulip)?.name != "Other")
            #expect(try await gateway.brand.accounts.app(TestBrand.shop, of: TestBrand.tulip)?.name == "Shop")
        }
    }
}
