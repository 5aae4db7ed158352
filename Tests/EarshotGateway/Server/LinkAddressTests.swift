import Configuration
import EarshotModel
import Foundation
import Testing

@testable import EarshotServer

@Suite struct `The address of a printed link` {
    private static func configuration(publicURL: String? = nil, port: Int = 8080) throws -> ServerConfiguration {
        let provider = InMemoryProvider(values: [:])
        var configuration = try ServerConfiguration(
            ConfigReader(provider: provider), files: ProgramFiles(program: "/a/earshot") { _ in false })
        (configuration.publicURL, configuration.port) = (publicURL, port)
        return configuration
    }

    private static let running = "http://localhost:18081"
    private static let known = "https://chat.shop.example"

    @Test func `is that of the running server`() throws {
        let address = LinkAddress(
            given: nil, isPortGiven: false, configuration: try Self.configuration(), running: Self.running)
        #expect(address.text == Self.running && address.note == nil)
    }

    @Test func `is the configured public one before that of the running server`() throws {
        let address = LinkAddress(
            given: nil, isPortGiven: false, configuration: try Self.configuration(publicURL: Self.known),
            running: Self.running)
        #expect(address.text == Self.known && address.note == nil)
    }

    @Test func `is the one that the command was given before all others`() throws {
        let configuration = try Self.configuration(publicURL: Self.known, port: 9)
        let port = LinkAddress(
            given: nil, isPortGiven: true, configuration: configuration, running: Self.running)
        #expect(port.text == "http://localhost:9" && port.note == nil)
        let given = LinkAddress(
            given: "https://a.example:8443", isPortGiven: true, configuration: configuration, running: Self.running)
        #expect(given.text == "https://a.example:8443" && given.note == nil)
    }

    @Test func `without a running server is the configured one, and a line says so`() throws {
        let address = LinkAddress(
            given: nil, isPortGiven: false, configuration: try Self.configuration(), running: nil)
        #expect(address.text == "http://localhost:8080")
        #expect(
            address.note
                == "The server does not run, so this is for http://localhost:8080; --address takes another address.")
    }

    @Test func `that a command is given begins with http or https and has no path`() {
        for address in ["https://chat.example", "http://localhost:8080", "https://[2001:db8::1]:8443"] {
            #expect(LinkAddress.isValid(address), "\(address)")
        }
        for text in [
            "", "chat.example", "https://", "https://a.example/", "https://a.example/x", "https://a.example?x",
            "https://a b", "ftp://a.example",
        ] { #expect(!LinkAddress.isValid(text), "\(text)") }
    }

    @Test func `is left in the data folder by the server that accepts connections, until it ends`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/earshot-lock-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var server: DataFolderLock? = try DataFolderLock.serving(folder, version: "1")
        let starting = try DataFolderLock.command(folder, version: "1")
        #expect(starting.isBesideServer && starting.server == nil)
        let reach = DataFolderLock.Reach(address: Self.running, hasDemoLinks: true)
        server?.announce(reach, version: "1")
        #expect(try DataFolderLock.command(folder, version: "1").server == reach)
        #expect(throws: ServerFailure.self) { try DataFolderLock.command(folder, version: "2") }
        server = nil
        let later = try DataFolderLock.command(folder, version: "1")
        #expect(!later.isBesideServer && later.server == nil)
    }

    @Test func `is in the line that shows the widget`() {
        #expect(
            EmbedAdvice.line(address: Self.known, brand: "acme", app: "shop")
                == #"<script src="https://chat.shop.example/embed/acme/shop.js" async></script>"#)
    }

    @Test func `of a website without HTTPS is warned about, unless it is this machine`() {
        let safe = [
            "https://shop.example", "http://localhost", "http://localhost:3000", "http://127.0.0.1:80",
            "http://shop.localhost",
        ]
        #expect(EmbedAdvice.warnings(safe).isEmpty)
        for origin in ["http://shop.example", "http://localhost.example", "http://127.example", "http://10.0.0.1:8080"]
        {
            let warnings = EmbedAdvice.warnings(safe + [origin])
            #expect(warnings.count == 1 && warnings[0].contains(origin) && warnings[0].contains("microphone"))
        }
    }
}
