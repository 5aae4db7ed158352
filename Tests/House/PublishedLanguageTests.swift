import Foundation
import Testing

@Suite struct `The published language` {
    @Test func `has the same rejection codes in the protocol and in the model`() throws {
        let documented = PublishedLanguage.codes(inProtocol: try Repository.text("docs/protocol.md"))
        let modelled = PublishedLanguage.cases(
            of: "Code", in: try Repository.text("Sources/EarshotModel/Rejection.swift"))
        #expect(documented.count > 30 && modelled.count > 30, "the codes were not found")
        #expect(documented.subtracting(modelled) == [], "in docs/protocol.md only")
        #expect(modelled.subtracting(documented) == [], "in EarshotModel only")
    }

    @Test func `pins every event kind by a golden file`() throws {
        let kinds = PublishedLanguage.cases(
            of: "Kind", in: try Repository.text("Sources/EarshotModel/Events/Event.swift")
        )
        .subtracting(["unknown"])
        #expect(
            kinds.isSuperset(of: ["started", "text", "audio", "closed", "note", "rated"]), "the kinds were not found")
        let golden = try Repository.files(in: "Tests/Fixtures/wire", endings: ["json"])
            .map { try PublishedLanguage.eventKinds(inGolden: Data(contentsOf: Repository.root.appending(path: $0))) }
        #expect(kinds.subtracting(golden.reduce([]) { $0.union($1) }) == [], "without a golden file")
    }

    @Test func `shows a code, case or kind that is missing on one side`() throws {
        let page =
            "# x\n| `not_this` | 1 |\n## 5. Codes\n\n| code | HTTP |\n|---|---|\n"
            + "| `a`, `b_c` | 400 | `not_that` |\n\n## 6. More\n| `nor_this` | |"
        #expect(PublishedLanguage.codes(inProtocol: page) == ["a", "b_c"])
        #expect(
            PublishedLanguage.cases(
                of: "Code",
                in:
                    "enum Code: String {\n  case a,\n    e\n  case bC = \"b_c\"\n  case d(Int)\n}\n"
                    + "enum E: Int {\n case f\n}"
            )
                == ["a", "b_c", "d", "e"])
        let golden = Data(
            #"{"events":[{"n":1,"at":2,"by":1,"text":"a"},{"n":2,"at":2,"by":2,"closed":{}}],"other":{"n":1,"at":2}}"#
                .utf8)
        #expect(try PublishedLanguage.eventKinds(inGolden: golden) == ["text", "closed"])
    }
}
