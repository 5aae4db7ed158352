import EarshotModel
import Foundation
import Testing

@testable import EarshotCore
@testable import EarshotServer

@Suite struct `The demo's one-click links` {
    private let data = FileManager.default.temporaryDirectory.path + "/earshot-links-" + UUID().uuidString
    private let clock = TestClock()

    private var links: DemoLinks {
        let clock = clock
        return DemoLinks(
            data: data, environment: SystemEnvironment(now: { clock.now }, random: SystemEnvironment.system.random))
    }

    private func token(_ link: DemoLink) -> String { String(link.path.split(separator: "/").last ?? "") }

    @Test func `are made for the agent and the administrator, readable by the server's user only`() throws {
        let made = try links.make()
        #expect(made.map(\.person) == ["Dana, agent", "Mira, administrator"])
        #expect(Set(made.map(\.path)).count == 2 && made.allSatisfy { $0.path.hasPrefix("/workspace/#/enter/") })
        let folder = data + "/" + DemoLinks.folderName
        for path in [folder] + (try FileManager.default.contentsOfDirectory(atPath: folder)).map({ folder + "/" + $0 })
        {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect((mode ?? 0o777) & 0o077 == 0, "\(path)")
            #expect(!made.contains { path.contains(token($0)) }, "no token is stored")
        }
    }

    @Test func `work once`() throws {
        let made = try links.make()
        let link = try #require(links.link(token(made[0])))
        let other = try #require(links.link(token(made[0])))
        #expect(link.use() && !other.use())
        #expect(links.link(token(made[0])) == nil && links.link(token(made[1])) != nil)
    }

    @Test func `end after a day, and when new ones are made`() throws {
        let made = try links.make()
        clock.advance(milliseconds: DemoLinks.lifetimeMs - 1)
        #expect(links.link(token(made[0])) != nil)
        clock.advance(milliseconds: 1)
        #expect(links.link(token(made[0])) == nil)
        let later = try links.make()
        #expect(links.link(token(later[1])) != nil)
        _ = try links.make()
        #expect(later.allSatisfy { links.link(token($0)) == nil })
        // Made while the clock was ahead.
        let ahead = try links.make()
        clock.advance(milliseconds: -1)
        #expect(links.link(token(ahead[0])) == nil)
    }

    @Test(arguments: ["", "x", "../demo-logins.json", "..", String(repeating: "x", count: 64)])
    func `are refused when they were never made`(_ token: String) throws {
        _ = try links.make()
        #expect(links.link(token) == nil)
    }

    @Test func `are for the demo's visitors only, whatever the file says`() throws {
        let made = try links.make()
        let folder = data + "/" + DemoLinks.folderName
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + file
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            let other = text.replacing(/(dana|mira)@/, with: "omar@")
            #expect(other != text)
            try Data(other.utf8).write(to: URL(filePath: path))
        }
        #expect(made.allSatisfy { links.link(token($0)) == nil })
    }

    @Test func `are in the banner only where they work, next to account and passwords`() {
        let logins = [DemoBrand.Login(email: "dana@demo.example", name: "Dana", role: .agent, password: "p-1")]
        let links = [DemoLink(person: "Dana, agent", path: "/workspace/#/enter/T")]
        let text = DemoBanner(
            address: "http://localhost:9", logins: logins, links: links, renewal: "./earshot demo-links --data d"
        ).text
        for part in [
            "http://localhost:9/workspace/#/enter/T", "http://localhost:9/demo/",
            "./earshot demo-links --data d",
            "dana@demo.example  password p-1", "Account                   demo",
        ] { #expect(text.contains(part), "\(part)") }
        let without = DemoBanner(address: "https://chat.example", logins: logins, links: [], renewal: "demo-links").text
        #expect(!without.contains("/enter/") && !without.contains("demo-links") && without.contains("password p-1"))
    }
}
