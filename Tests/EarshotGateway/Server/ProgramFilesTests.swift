import Configuration
import Testing

@testable import EarshotServer

@Suite struct `Pages and media worker` {
    private static func found(_ program: String, _ files: Set<String>) -> ProgramFiles {
        ProgramFiles(program: program) { files.contains($0) }
    }

    private static func pages(in folder: String) -> Set<String> { Set(ProgramFiles.pages.map { folder + "/" + $0 }) }

    @Test(arguments: [
        ("/opt/earshot/earshot", "/opt/earshot/web", "/opt/earshot/EarshotMediaWorker"),
        ("/usr/lib/earshot/earshot", "/usr/share/earshot/web", "/usr/lib/earshot/EarshotMediaWorker"),
        ("/usr/local/bin/earshot", "/usr/local/share/earshot/web", "/usr/local/lib/earshot/EarshotMediaWorker"),
        (
            "/home/me/my project/.build/x86_64-unknown-linux-gnu/debug/earshot", "/home/me/my project/Web/dist",
            "/home/me/my project/.build/x86_64-unknown-linux-gnu/debug/EarshotMediaWorker"
        ),
        ("/src/.build/release/earshot", "/src/Web/dist", "/src/.build/release/EarshotMediaWorker"),
    ])
    func `are found beside the program, in a package and in a checkout`(program: String, web: String, worker: String) {
        let files = Self.found(program, Self.pages(in: web).union([worker]))
        #expect(files.web.path == web && files.worker.path == worker)
    }

    @Test func `beside the program go before those of a package and of a checkout`() {
        let places = ["/src/.build/debug/web", "/src/.build/share/earshot/web", "/src/Web/dist"]
        for (index, place) in places.enumerated() {
            let files = Self.found(
                "/src/.build/debug/earshot", places[index...].map(Self.pages).reduce([]) { $0.union($1) })
            #expect(files.web.path == place)
        }
    }

    @Test func `are not found in a folder that lacks one of their files, and every place is named`() {
        for missing in ProgramFiles.pages {
            let files = Self.found("/a/b/earshot", Self.pages(in: "/a/b/web").subtracting(["/a/b/web/" + missing]))
            #expect(files.web.path == "/a/b/web")
            #expect(files.web.places == ["/a/b/web", "/a/share/earshot/web", "/share/earshot/web"])
        }
    }

    private static func configuration(_ values: [String: String]) throws -> ServerConfiguration {
        let values = values.map { (AbsoluteConfigKey($0.split(separator: ".").map(String.init)), $1) }
        let provider = InMemoryProvider(
            values: Dictionary(uniqueKeysWithValues: values.map { ($0, ConfigValue(.string($1), isSecret: false)) }))
        return try ServerConfiguration(ConfigReader(provider: provider), files: found("/a/b/earshot", []))
    }

    @Test func `that are missing stop the server with a sentence that names the places`() throws {
        let nothing = try Self.configuration([:])
        #expect(throws: ServerFailure.self) { try nothing.checkFiles() }
        do { try nothing.checkFiles() } catch {
            #expect(error.code.rawValue == 64)
            #expect(
                error.description == """
                    The web pages were not found. Looked in: /a/b/web, /a/share/earshot/web, /share/earshot/web. Build \
                    them with bin/web build, or set EARSHOT_WEB to the folder that has them.
                    """)
        }
        let folder = try PageFolder(Dictionary(uniqueKeysWithValues: ProgramFiles.pages.map { ($0, "x") }))
        let noWorker = try Self.configuration(["earshot.web": folder.path])
        do {
            try noWorker.checkFiles()
            Issue.record("the worker is missing")
        } catch {
            #expect(
                error.description == """
                    The media worker was not found. Looked for: /a/b/EarshotMediaWorker, \
                    /a/lib/earshot/EarshotMediaWorker. Build it with swift build, or set EARSHOT_WORKER to its path.
                    """)
        }
        try Self.configuration(["earshot.web": folder.path, "earshot.worker": "/bin/sh"]).checkFiles()
    }

    @Test func `are where the operator says, and nowhere else`() throws {
        let named = try Self.configuration(["earshot.web": "/named", "earshot.worker": "/worker"])
        #expect(named.web == .init("/named") && named.worker == .init("/worker"))
        #expect(named.web.places == ["/named"])
    }

    @Test func `are judged by the doctor like by the server`() async throws {
        let nothing = Doctor(try Self.configuration([:]))
        #expect(nothing.pages().health == .bad)
        #expect(nothing.pages().text.hasPrefix("The web pages were not found. Looked in: /a/b/web, /a/share"))
        let worker = await nothing.codecs()
        #expect(worker.map(\.health) == [.bad] && worker[0].text.hasPrefix("The media worker was not found."))
        let folder = try PageFolder(["loader.js": "x"])
        let part = Doctor(try Self.configuration(["earshot.web": folder.path])).pages()
        #expect(part.text == "widget/index.html, workspace/index.html not found in \(folder.path)")
    }
}
