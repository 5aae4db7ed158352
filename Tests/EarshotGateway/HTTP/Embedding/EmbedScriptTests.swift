import EarshotCore
import EarshotModel
import Foundation
import Testing

@testable import EarshotGateway

@Suite("The script that a brand puts on its pages")
struct EmbedScriptTests {
    static let files = [
        "loader.js": "loader()", "widget/index.html": "<p>widget", "widget/refused.html": "<p><!-- sentence --></p>",
    ]
    private static let path = "/embed/tulip/shop.js"

    static func run(
        log: TestLog? = nil, _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        let folder = try PageFolder(files)
        if let log { return try await TestGateway.run(pages: folder.path, logger: log.logger, body) }
        try await TestGateway.run(pages: folder.path, body)
    }

    @Test("It is the loader, with the app's ids and the colours of the brand in front of it")
    func hasTheSettings() async throws {
        try await Self.run { gateway in
            let reply = try await gateway.ask("GET", Self.path, origin: nil)
            #expect(reply.status == 200)
            #expect(reply["content-type"] == "text/javascript; charset=utf-8")
            #expect(reply["cross-origin-resource-policy"] == "cross-origin")
            #expect(reply["x-content-type-options"] == "nosniff")
            #expect(reply["cache-control"] == "public, max-age=60")
            #expect(reply.text.hasSuffix("loader()"))
            let settings = #"{account:"tulip",app:"shop",look:"--0:#aa3355;--1:#ffffff;--2:path('M4 2h16"#
            #expect(reply.text.contains(settings))
            #expect(!reply.text.contains("side:") && !reply.text.contains("console"))
            let tag = try #require(reply["etag"])
            let known = try await gateway.ask("GET", Self.path, origin: nil, headers: [("if-none-match", tag)])
            #expect(known.status == 304 && known.body.isEmpty && known["etag"] == tag)
        }
    }

    @Test("What a manager changes of the launcher is in the next script, which has another tag")
    func followsTheManager() async throws {
        try await Self.run { gateway in
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let tag = try await gateway.ask("GET", Self.path, origin: nil)["etag"]
            let body = #"{"side":"left","icon":"question","label":"Ask </script> us"}"#
            let changed = try await gateway.send("PATCH", "/v1/apps/shop", as: .agent(mira), body)
            #expect(changed.status == 200 && changed.json["app"]?["icon"]?.text == "question")
            let reply = try await gateway.ask("GET", Self.path, origin: nil)
            #expect(reply["etag"] != tag)
            #expect(reply.text.contains(Launcher.Icon.question.shape))
            #expect(reply.text.contains(#"side:"left",label:"Ask \u003c/script> us"}"#))
            #expect(
                await gateway.brand.accounts.entries.map(\.detail)
                    == ["shop https://shop.example launcher=left,question,Ask </script> us"])
        }
    }

    @Test(
        "A launcher has one of the sides and icons that there are, and a label of at most 60 characters",
        arguments: [
            (#"{"side":"top"}"#, false), (#"{"icon":"bell"}"#, false), (#"{"icon":""}"#, false),
            ("{\"label\":\"\(String(repeating: "x", count: 61))\"}", false),
            ("{\"label\":\"\(String(repeating: "x", count: 60))\"}", true),
            ("{\"label\":\"\(String(repeating: "x", count: 59))\"}", true), (#"{"label":""}"#, true),
        ])
    func hasBounds(body: String, isTaken: Bool) async throws {
        try await Self.run { gateway in
            let mira = try await gateway.brand.agent("mira", role: .administrator)
            let reply = try await gateway.send("PATCH", "/v1/apps/shop", as: .agent(mira), body)
            #expect(reply.status == (isTaken ? 200 : 422))
            if !isTaken { #expect(reply.code == "out_of_range") }
        }
    }

    @Test(
        "For a brand or an app that does not exist it shows no launcher and says so in the console",
        arguments: [
            ("/embed/tulpi/shop.js", "there is no brand tulpi on"),
            ("/embed/tulip/shopp.js", "there is no app shopp of tulip on"),
            ("/embed/%22+alert(1)+%22/x.js", "there is no brand ?22?alert?1???22 on"),
        ])
    func saysWhatIsUnknown(path: String, sentence: String) async throws {
        try await Self.run { gateway in
            let reply = try await gateway.ask("GET", path, origin: nil)
            #expect(reply.status == 200 && reply["cache-control"] == "no-store")
            #expect(reply.text.hasPrefix("console.error(\"Earshot: \(sentence) \(gateway.origin). The Brand page"))
            #expect(reply.text.hasSuffix("\");") && !reply.text.contains("loader()"))
        }
    }

    @Test("On a page that may not embed the app it says so in the console, and is not kept by the browser")
    func saysWhichOriginIsRefused() async throws {
        try await Self.run { gateway in
            for (page, isRefused) in [
                ("https://shop.example/", false), ("https://other.example/path?x=1", true),
                ("\(gateway.origin)/demo/", false),
            ] {
                let reply = try await gateway.ask("GET", Self.path, origin: nil, headers: [("referer", page)])
                #expect(reply.text.hasSuffix("loader()"))
                let said = reply.text.contains("Earshot: origin https://other.example is not allowed for app shop of")
                #expect(said == isRefused && (reply["cache-control"] == "no-store") == isRefused, "\(page)")
                #expect(reply["vary"]?.contains("Referer") == true)
            }
        }
    }

    @Test("Without built pages there is none")
    func needsPages() async throws {
        try await TestGateway.run { gateway in
            let reply = try await gateway.ask("GET", Self.path)
            #expect(reply.status == 404 && reply.code == "not_found")
        }
    }

    @Test("The launcher's colours are those that the widget makes of the brand's colour")
    func hasTheWidgetsColors() throws {
        struct Row: Decodable {
            let color: String
            let ground: String
            let ink: String
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../../Fixtures/brand-colors.json")
        let rows = try JSONDecoder().decode([Row].self, from: Data(contentsOf: file))
        #expect(rows.count >= 10)
        for row in rows {
            let colors = try #require(BrandColors(row.color))
            #expect(colors.ground == row.ground && colors.ink == row.ink, "\(row.color)")
        }
        for text in ["", "red", "#fff", "#12345g", "#1234567"] { #expect(BrandColors(text) == nil, "\(text)") }
    }
}
