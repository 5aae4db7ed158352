import Testing

@Suite struct `The house` {
    @Test func `every target imports only what the import table allows`() throws {
        let targets = try Repository.folders(in: "Sources")
        #expect(targets.count > 10, "the sources were not found")
        let sources = try targets.flatMap { target in
            try Repository.swiftSources(in: "Sources/\(target)").map { ($0, target) }
        }
        #expect(sources.contains { !$0.0.imports.isEmpty }, "no import was read")
        expectNone(sources.flatMap { Rules.imports($0.0, target: $0.1) })
    }

    @Test func `no adapter may import another`() {
        for adapter in ImportTable.adapters {
            #expect(ImportTable.allowed[adapter, default: []].isDisjoint(with: ImportTable.adapters), "\(adapter)")
        }
    }

    @Test(arguments: ["EarshotModel", "EarshotDomain"])
    func `Model and Domain call no clock and no randomness`(target: String) throws {
        expectNone(try Repository.swiftSources(in: "Sources/\(target)").flatMap(Rules.purity))
    }

    @Test func `nothing takes away what the compiler knows of sendability`() throws {
        expectNone(
            try (Repository.swiftSources(in: "Sources") + Repository.swiftSources(in: "Tests")).flatMap(
                Rules.uncheckedSendable))
    }

    @Test func `no test sleeps`() throws {
        expectNone(
            try (Repository.swiftSources(in: "Tests") + Repository.swiftSources(in: "Sources/EarshotTestKit")).flatMap(
                Rules.sleeps))
    }

    @Test func `only the command line prints`() throws {
        let quiet = try Repository.folders(in: "Sources").filter { $0 != "earshot" }
        expectNone(try quiet.flatMap { try Repository.swiftSources(in: "Sources/\($0)") }.flatMap(Rules.printing))
    }

    @Test func `one word stands for one thing`() throws {
        expectNone(try Repository.swiftSources(in: "Sources").flatMap(Rules.words))
    }

    @Test func `every target is built in the strict mode`() throws {
        let manifest = try Repository.text("Package.swift")
        for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
            #expect(manifest.contains(feature))
        }
        #expect(manifest.contains(".swiftLanguageMode(.v6)") && manifest.contains(".treatAllWarnings(as: .error)"))
        let targets = manifest.matches(of: /\.(?:executableTarget|testTarget|target)\(\s*name:/).count
        let strict = manifest.matches(of: /swiftSettings: settings\b/).count
        #expect(targets - strict == 2, "only the C targets CSandbox and CSpawn go without them")
    }

    @Test func `the README stays short`() throws {
        let words = try Repository.text("README.md").split(whereSeparator: \.isWhitespace).count
        #expect(words > 50 && words < 400, "\(words) words")
    }
}

/// Fails once per violation, so that one run names them all.
func expectNone(_ violations: [Violation]) {
    for violation in violations { Issue.record("\(violation)") }
}
