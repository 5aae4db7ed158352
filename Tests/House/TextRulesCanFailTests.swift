import Testing

@Suite struct `Each rule of text` {
    private static let page = """
        | word | means | not |
        |---|---|---|
        | account | one brand's tenancy | **tenant**, org |
        | audio message | one recorded | **voice note** |
        """
    private let glossary = Glossary(
        page: page, exceptions: [Glossary.Exception(word: "anew", path: "Old/", reason: "history")])

    private func words(_ text: String, path: String = "Bad.swift") -> [String] {
        Rules.words(path: path, text: text, glossary: glossary).map(\.advice)
    }

    @Test(arguments: [
        "let tenantID = 1", "struct TenantStore", "the tenant's", "func sendVoiceNote() {}", "voice_note", "// a Desk",
        "AgentDesk", "agent-desk.ts", "RoutingFloor", "Whoever writes", "is left away here", "a\nstranger",
    ])
    func `refuses a word that the glossary replaces`(text: String) {
        #expect(words(text).count == 1)
    }

    @Test(arguments: [
        "desktop", "Math.floor(a)", "tenants", "an org", "voice of a note", "left, away", "voice/note", "wrung",
        "anewly",
        "distance",
    ])
    func `allows words that only look like one`(text: String) {
        #expect(words(text).isEmpty)
    }

    @Test func `names the word to use instead, and knows its exceptions`() {
        #expect(words("tenant")[0].contains("Write \"account\"."))
        #expect(words("anew", path: "Old/a.md").isEmpty)
        #expect(words("anew", path: "New/a.md").count == 1)
    }

    @Test func `refuses a line of 121 characters and allows one of 120`() {
        let line = String(repeating: "ü", count: 120)
        #expect(Rules.lineLength(path: "a", text: "\(line)\n\(line)a\n").map(\.line) == [2])
    }

    @Test func `refuses the 21st file of a folder and does not count those of its folders`() {
        let files = (0..<20).map { "Sources/A/\($0).swift" } + ["Sources/A/B/c.swift"]
        #expect(Rules.folderSize(files).isEmpty)
        #expect(Rules.folderSize(files + ["Sources/A/20.swift"]).map(\.path) == ["Sources/A"])
    }

    @Test func `refuses a document with too many words`() {
        #expect(Rules.wordCount(path: "a", text: "a b\nc", atMost: 3).isEmpty)
        #expect(Rules.wordCount(path: "a", text: "a b\nc  d", atMost: 3).count == 1)
    }

    @Test(arguments: [
        ("`Sources/A/B.swift:load`", 0), ("`Sources/A/B.swift:init`", 0), ("`Web/a/b.ts:send`", 0),
        ("`Web/a/b.ts:#put`", 0),
        ("`Web/a/b.ts:close`", 0), ("`Sources/A/B.swift:save`", 1), ("`Sources/A/C.swift:load`", 1),
        ("`Web/a/b.ts:sen`", 1),
        ("`Web/a/b.ts:called`", 1),
    ])
    func `refuses a document that names a function which is not there`(text: String, count: Int) {
        let files = [
            "Sources/A/B.swift": "func load() {}\ninit(a: Int) {}\n// save",
            "Web/a/b.ts": "export function send() {\n  this.called();\n}\n  async #put() {\nconst close = () => 1",
        ]
        #expect(Rules.functionReferencesExist(path: "a.md", text: text) { files[$0] }.count == count)
    }

    @Test func `refuses a document that names a file or a link which is not there`() {
        let text = "See Old.swift, New.swift, test_old.py and [a](../b/c.md#d), [e](f.md), [g](https://h.i/j)."
        let named = Rules.namedFilesExist(path: "docs/a.md", text: text, fileNames: ["New.swift"])
        #expect(named.map { $0.advice.contains("Old.swift") || $0.advice.contains("test_old.py") } == [true, true])
        let links = Rules.linksExist(path: "docs/a.md", text: text) { $0 == "docs/f.md" }
        #expect(links.count == 1 && links[0].advice.contains("../b/c.md"))
    }
}
