import Testing

/// A rule that cannot fail guards nothing: each is shown a source that breaks it and one that comes close.
@Suite struct `Each rule of the house` {
    private func source(_ text: String) -> SwiftSource { SwiftSource(path: "Bad.swift", text: text) }

    @Test(arguments: [
        ("import GRDB", "EarshotDomain"), ("public import Logging", "EarshotModel"),
        ("@preconcurrency import NIOCore", "EarshotDomain"),
        ("import struct Foundation.URL\nimport EarshotStorage", "EarshotMedia"),
        ("@testable private import EarshotGateway", "EarshotStorage"),
        ("    import EarshotServer", "EarshotCore"), ("import Foundation", "EarshotNewTarget"),
    ])
    func `refuses a wrong import`(text: String, target: String) {
        #expect(Rules.imports(source(text), target: target).count == 1)
    }

    @Test func `allows what the table names, and what only a comment or a string says`() {
        let text =
            "public import EarshotModel\n// import GRDB\n/* import GRDB\n/* nested */ import GRDB */\n"
            + "let a = \"\"\"\nimport GRDB\n\"\"\"\nimport Foundation"
        #expect(Rules.imports(source(text), target: "EarshotDomain").isEmpty)
        #expect(source(text).imports.map(\.line) == [1, 8])
    }

    @Test(arguments: [
        "let now = Date()", "let now = Date( )", "x(Date.now)", "let c = ContinuousClock()", "let id = UUID()",
        "Int.random(in: 0..<3)", "list.shuffled()",
        "list.randomElement()", "try await Task.sleep(for: .seconds(1))", "time(nil)", "ProcessInfo.processInfo",
        "SystemRandomNumberGenerator()",
    ])
    func `refuses an impure domain`(text: String) {
        #expect(Rules.purity(source("let a = 1\n\(text)")).map(\.line) == [2])
    }

    @Test(arguments: [
        "Date(timeIntervalSince1970: 3)", "func f(now: Date)", "list.shuffled(using: &generator)", "// Date()",
        "\"Date()\"", "UUID(uuidString: a)",
    ])
    func `allows a pure domain`(text: String) {
        #expect(Rules.purity(source(text)).isEmpty)
    }

    @Test(arguments: ["final class A: @unchecked Sendable {}", "extension A: @unchecked   Sendable {}"])
    func `refuses unchecked sendability`(text: String) {
        #expect(Rules.uncheckedSendable(source(text)).count == 1)
    }

    @Test(arguments: [
        "guard role == .manager else", "agent.role != .manager", "member.role == Role.agent", "role == .consumer",
        "if case .agent(_, _, .manager) = self", "identity.agent.role === \"manager\"", "role !== 'agent'",
        "let a = b == Role.manager",
    ])
    func `refuses what asks for a role`(text: String) {
        #expect(Rules.roleComparisons(path: "Sources/A.swift", text: "let a = 1\n\(text)").map(\.line) == [2])
        #expect(Rules.roleComparisons(path: Rules.roleFile, text: text).isEmpty)
    }

    @Test(arguments: [
        "before.role != after.role", "role: .manager", "form.role === person.role", "viewer == .consumer",
        "[role=\"dialog\"]", "switch role {", "texts.role[role] ?? role",
    ])
    func `allows what only names a role`(text: String) {
        #expect(Rules.roleComparisons(path: "Sources/A.swift", text: text).isEmpty)
    }

    @Test(arguments: [
        "try await Task.sleep(for: .seconds(1))", "usleep(10)", "sleep(1)", "Thread.sleep(forTimeInterval: 1)",
        "nanosleep(&a, nil)",
    ])
    func `refuses a sleeping test`(text: String) {
        #expect(Rules.sleeps(source(text)).count == 1)
    }

    @Test(arguments: ["print(token)", "    print(\"a\")", "if a { debugPrint(b) }", "dump(c)"])
    func `refuses a print`(text: String) {
        #expect(Rules.printing(source(text)).count == 1)
    }

    @Test(arguments: ["fingerprint(a)", "logger.print(a)", "// print(a)", "let blueprint = sprint(a)"])
    func `allows what only looks like a print`(text: String) {
        #expect(Rules.printing(source(text)).isEmpty)
    }
}

@Suite struct `A source without its comments and strings` {
    @Test(arguments: [
        ("a // b", "a "), ("a /* b /* c */ d */ e", "a  e"), ("x(\"a \\\" b\") // c", "x(\"\") "),
        ("x(#\"a \" b\"#)y", "x(\"\")y"),
        ("a = /\"{/ + b", "a = \"\" + b"), ("a / b / c", "a / b / c"), ("a = #/\"/#", "a = \"\""),
        ("x(\"\"\"\n a \" b\n\"\"\")", "x(\n\n\"\")"), ("\"//\" c", "\"\" c"),
    ])
    func `keeps its code and its lines`(text: String, code: String) {
        #expect(SwiftSource(path: "", text: text).code.joined(separator: "\n") == code)
    }

    @Test(arguments: [
        ("a('b{') // c", "a(\"\") "), ("a(`b ${c(`d`)}\n}`) + 1", "a(\n\"\") + 1"),
        ("a.match(/\"[/]/)", "a.match(\"\")"),
        ("<p>don't</p>", "<p>don't</p>"), ("/* a /* b */ c", " c"),
    ])
    func `keeps its code and its lines in TypeScript`(text: String, code: String) {
        #expect(WebSource(path: "", text: text).code.joined(separator: "\n") == code)
    }
}
