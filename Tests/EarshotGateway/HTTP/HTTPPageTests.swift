import EarshotModel
import Testing

@testable import EarshotGateway

@Suite struct `Pages` {
    private static let files = [
        "loader.js": "loader", "loader.js.gz": "zipped", "widget/index.html": "<p>widget", "widget/widget.js": "w",
        "workspace/index.html": "<p>workspace",
        "workspace/app-4XQH2KNB.js": "a", "demo/index.html": "<p>demo", "demo/product.html": "<p>product",
        "try/index.html": "<p>try",
        ".secret/key.txt": "s", "demo/.htpasswd": "s",
        "demo/notes.md": "s",
    ]

    private static func run(_ body: @escaping @Sendable (TestGateway, PageFolder) async throws -> Void) async throws {
        let folder = try PageFolder(files)
        try await TestGateway.run(pages: folder.path, servesDemo: true) { gateway in try await body(gateway, folder) }
    }

    @Test(arguments: [
        "/demo/../demo/index.html", "/demo/%2e%2e/loader.js", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
        "/demo/index.html%00", "//loader.js",
        "/demo//index.html", "/loader.js/", "/LOADER.JS", "/loader.js.gz", "/.secret/key.txt", "/demo/.htpasswd",
        "/demo/notes.md", "/demo\\index.html",
        "/etc/passwd", "/widget/none.js", "/v1", "/v1/", "/\(String(repeating: "a", count: 4000))",
    ]) func `that did not exist at start are not found`(_ path: String) async throws {
        try await Self.run { gateway, _ in
            let reply = try await gateway.ask("GET", path)
            #expect(reply.status == 404)
            #expect(reply.code == "not_found")
        }
    }

    @Test func `come with their types, tags and what a browser may do with them`() async throws {
        try await Self.run { gateway, folder in
            for (path, type, body) in [
                ("/demo/", "text/html; charset=utf-8", "<p>demo"),
                ("/demo/index.html", "text/html; charset=utf-8", "<p>demo"),
                ("/demo/product.html", "text/html; charset=utf-8", "<p>product"),
                ("/loader.js", "text/javascript; charset=utf-8", "loader"),
                ("/workspace/?c=1", "text/html; charset=utf-8", "<p>workspace"),
            ] {
                let reply = try await gateway.ask("GET", path)
                #expect(reply.status == 200)
                #expect(reply["content-type"] == type)
                #expect(reply.text == body)
                #expect(reply["cache-control"] == "no-cache")
                let tag = try #require(reply["etag"])
                let known = try await gateway.ask("GET", path, headers: [("if-none-match", tag)])
                #expect(known.status == 304)
                #expect(known.body.isEmpty)
                let head = try await gateway.ask("HEAD", path)
                #expect(head.status == 200)
                #expect(head["content-length"] == "\(body.utf8.count)")
                #expect(head.body.isEmpty)
                #expect(try await gateway.ask("POST", path).status == 405)
            }
            #expect(
                try await gateway.ask("GET", "/workspace/app-4XQH2KNB.js")["cache-control"]
                    == "public, max-age=31536000, immutable")
            let moved = try await gateway.ask("GET", "/demo")
            #expect(moved.status == 308)
            #expect(moved["location"] == "/demo/")
        }
    }

    @Test func `are compressed for browsers that accept it`() async throws {
        try await Self.run { gateway, _ in
            let plain = try await gateway.ask("GET", "/loader.js")
            #expect(plain["vary"] == "accept-encoding")
            for coding in ["gzip", "br, gzip;q=0.5", "gzip, deflate"] {
                let reply = try await gateway.ask("GET", "/loader.js", headers: [("accept-encoding", coding)])
                #expect(reply["content-encoding"] == "gzip")
                #expect(reply.text == "zipped")
                #expect(reply["etag"] != plain["etag"])
            }
            for coding in ["gzip;q=0", "gzip; q=0.0", "br", "xgzip"] {
                let reply = try await gateway.ask("GET", "/loader.js", headers: [("accept-encoding", coding)])
                #expect(reply["content-encoding"] == nil)
                #expect(reply.text == "loader")
            }
        }
    }

    @Test func `of the widget may be framed by the sites of its app only`() async throws {
        try await Self.run { gateway, _ in
            let own = try await Self.framers(gateway, "?account=tulip&app=shop")
            #expect(own == "frame-ancestors 'self' https://shop.example")
            for query in [
                "", "?account=rival&app=shop", "?account=tulip&app=shop&app=shop", "?account=tulip",
            ] {
                let other = try await Self.framers(gateway, query)
                #expect(other == "frame-ancestors 'self'", "\(query)")
            }
        }
    }

    private static func framers(_ gateway: TestGateway, _ query: String) async throws -> String? {
        let policy = try await gateway.ask("GET", "/widget/\(query)")["content-security-policy"] ?? ""
        return policy.split(separator: "; ").first { $0.hasPrefix("frame-ancestors") }.map(String.init)
    }

    @Test func `restrict what they load: own files, our socket, no foreign script`() async throws {
        try await Self.run { gateway, _ in
            for path in ["/workspace/", "/widget/", "/demo/", "/try/"] {
                let reply = try await gateway.ask("GET", path)
                let policy = try #require(reply["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; "))
                #expect(policy.contains("; script-src 'self'; connect-src 'self' ws://localhost:\(gateway.port); "))
                #expect(!policy.contains("unsafe"))
                #expect(reply["permissions-policy"]?.hasPrefix("microphone=(self), camera=(self)") == true)
                #expect(reply["cross-origin-opener-policy"] == "same-origin")
                #expect(reply["cross-origin-resource-policy"] == "same-origin")
                if path != "/widget/" { #expect(policy.hasSuffix("frame-ancestors 'none'")) }
            }
            #expect(try await gateway.ask("GET", "/loader.js")["cross-origin-resource-policy"] == "cross-origin")
        }
    }

    @Test func `describe the API to everyone, from any origin`() async throws {
        let folder = try PageFolder([
            "schema/openapi.yaml": "openapi: 3.1.0", "schema/frames.json": "{}", "schema/internal.swift": "s",
        ])
        try await TestGateway.run(pages: folder.path) { gateway in
            for (path, type, body) in [
                ("/v1/openapi.yaml", "application/yaml", "openapi: 3.1.0"),
                ("/v1/schema/frames.json", "application/json", "{}"),
            ] {
                let reply = try await gateway.ask("GET", path, origin: "https://tools.example")
                #expect(reply.status == 200 && reply["content-type"] == type && reply.text == body)
                #expect(reply["cache-control"] == "public, max-age=300")
                #expect(reply["access-control-allow-origin"] == "*")
                #expect(reply["cross-origin-resource-policy"] == "cross-origin")
                let tag = try #require(reply["etag"])
                #expect(try await gateway.ask("GET", path, headers: [("if-none-match", tag)]).status == 304)
                let refused = try await gateway.ask("POST", path)
                #expect(refused.status == 405 && refused["allow"] == "GET, HEAD")
            }
            for path in ["/schema/openapi.yaml", "/v1/schema/openapi.yaml", "/v1/schema/internal.swift", "/v1/schema/"]
            {
                #expect(try await gateway.ask("GET", path).status == 404, "\(path)")
            }
        }
    }

    @Test func `leave the API description out where no page was built`() async throws {
        try await TestGateway.run { gateway in
            let reply = try await gateway.ask("GET", "/v1/openapi.yaml")
            #expect(reply.status == 404)
        }
    }

    @Test func `of the demo are not served in production, where the first page is the workspace`() async throws {
        let folder = try PageFolder(Self.files)
        try await TestGateway.run(pages: folder.path) { gateway in
            for path in ["/demo", "/demo/", "/demo/index.html", "/demo/product.html"] {
                #expect(try await gateway.ask("GET", path).status == 404, "\(path)")
            }
            let first = try await gateway.ask("GET", "/")
            #expect(first.status == 308)
            #expect(first["location"] == "/workspace/")
            #expect(first.body.isEmpty)
            #expect(try await gateway.ask("GET", "/workspace/").status == 200)
        }
    }

    @Test func `refuse to run text as script in the widget and the workspace`() async throws {
        try await Self.run { gateway, _ in
            for path in ["/workspace/", "/widget/"] {
                let policy = try await gateway.ask("GET", path)["content-security-policy"] ?? ""
                #expect(policy.contains("; require-trusted-types-for 'script'; trusted-types 'none'; "), "\(path)")
            }
        }
    }

    @Test func `of the demo start with links to the front ends, even without a folder`() async throws {
        try await TestGateway.run(servesDemo: true) { gateway in
            let reply = try await gateway.ask("GET", "/")
            #expect(reply.status == 200)
            for place in ["/demo/", "/workspace/"] { #expect(reply.text.contains("href=\"\(place)\"")) }
            let policy = try #require(reply["content-security-policy"])
            #expect(policy.contains("style-src 'sha256-"))
            #expect(!policy.contains("script-src"))
        }
    }

    @Test(arguments: ["text/html", "application/json, text/html;q=0.9, */*;q=0.8"])
    func `say to a browser at a wrong address where to go, and to a program the code`(_ accept: String) async throws {
        for servesDemo in [true, false] {
            let folder = try PageFolder(Self.files)
            try await TestGateway.run(pages: folder.path, servesDemo: servesDemo) { gateway in
                for path in ["/wokspace/", "/v1/none", "/demo/<script>"] {
                    let reply = try await gateway.ask("GET", path, headers: [("accept", accept)])
                    #expect(reply.status == 404 && reply["content-type"] == "text/html; charset=utf-8", "\(path)")
                    #expect(reply.text.contains("There is nothing here") && reply.text.contains("href=\"/workspace/\""))
                    #expect(reply.text.contains("href=\"/demo/\"") == servesDemo)
                    #expect(!reply.text.contains("script"), "nothing of the address is on the page")
                    #expect(reply["content-security-policy"]?.contains("style-src 'sha256-") == true)
                    #expect(reply["cache-control"] == "no-store" && reply["x-content-type-options"] == "nosniff")
                }
                let head = try await gateway.ask("HEAD", "/none", headers: [("accept", accept)])
                #expect(head.status == 404 && head.body.isEmpty)
                let posted = try await gateway.ask("POST", "/none", headers: [("accept", accept)])
                #expect(posted.status == 404 && posted.code == "not_found")
            }
        }
    }

    @Test(arguments: ["*/*", "application/json", "text/html;q=0", "text/htmlx", ""])
    func `say to a program at a wrong address the code`(_ accept: String) async throws {
        try await Self.run { gateway, _ in
            let reply = try await gateway.ask("GET", "/none", headers: [("accept", accept)])
            #expect(reply.status == 404 && reply.code == "not_found")
        }
    }

    @Test func `name an origin only where it is one`() {
        for origin in ["https://shop.example", "http://localhost:8080", "http://[::1]:8080"] {
            #expect(PageIdentity.isOrigin(origin))
        }
        for text in [
            "https://", "*", "https://a.example; script-src *", "https://a.example b", "javascript:x",
            "https://a.example/path", "'self'",
        ] {
            #expect(!PageIdentity.isOrigin(text), "\(text)")
        }
    }
}
