/// What a rule found: where, and what to do about it.
struct Violation: CustomStringConvertible, Equatable {
    let path: String
    let line: Int
    let advice: String
    /// The declaration, as `NotYet` names it.
    var name = ""

    var description: String { "\(path):\(line): \(advice)" }
}

/// The rules, as functions of sources: a test feeds them the repository, and another feeds them bad sources to see that
/// each can fail.
enum Rules {
    /// A target imports only what its line in the import table names.
    static func imports(_ source: SwiftSource, target: String) -> [Violation] {
        guard let allowed = ImportTable.allowed[target] else {
            return [
                Violation(
                    path: source.path, line: 1,
                    advice: "target \(target) has no line in the import table (Tests/House/ImportTable.swift)")
            ]
        }
        return source.imports.filter { !allowed.contains($0.module) }
            .map {
                let advice =
                    "\(target) may not import \($0.module). ImportTable.swift says what it may: declare a protocol "
                    + "among the ports of EarshotCore, and let \($0.module) implement it."
                return Violation(path: source.path, line: $0.line, advice: advice)
            }
    }

    /// Model and Domain are pure: the time and new ids are arguments.
    static func purity(_ source: SwiftSource) -> [Violation] {
        violations(
            of:
                #/
                \bDate\(\s*\)|\bDate\.now\b|\bDate\(timeIntervalSinceNow
                |\b(?:Continuous|Suspending)Clock\b|\bUUID\(\s*\)|\.random\(|\.randomElement\(\s*\)
                |\.shuffled\(\s*\)|\bSystemRandomNumberGenerator\b|\barc4random|\bgetrandom\b
                |\bclock_gettime\b|\bgettimeofday\b|\btime\(nil\)|\bTask\.sleep|\bDispatchTime\b
                |\bProcessInfo\b|\bgetenv\b
                /#,
            in: source, advice: "calls a clock, randomness or the environment: take its value as an argument")
    }

    /// `@unchecked Sendable` takes the compiler's word away; a Mutex or an actor gives it back.
    static func uncheckedSendable(_ source: SwiftSource) -> [Violation] {
        violations(
            of: /@unchecked[ \t]+Sendable/, in: source,
            advice: "no @unchecked Sendable: use a Mutex, an actor or values")
    }

    /// A test waits for a signal or moves its clock. A sleep is either too short on a busy machine or too long on every
    /// other.
    static func sleeps(_ source: SwiftSource) -> [Violation] {
        violations(
            of: /\bTask\.sleep|\busleep\(|\bnanosleep\(|\bThread\.sleep|\bsleep\(/, in: source,
            advice: "no sleeps in tests: wait for a signal")
    }

    /// Only the command line talks to a terminal; everything else logs, where private values print as a dot.
    static func printing(_ source: SwiftSource) -> [Violation] {
        violations(
            of: /(?:^|[^\w.`])(?:print|debugPrint|dump|NSLog)\(/, in: source,
            advice: "no print outside the command line: log, with private values as Private")
    }

    /// Access is decided by permissions. What a role may do is said in one file, and nothing else asks for the role.
    static func roleComparisons(path: String, text: String) -> [Violation] {
        guard path != roleFile else { return [] }
        let pattern =
            #/
            \brole\s*[!=]==?\s*(?:(?:Role)?\.|["'](?:agent|manager|administrator)["'])
            |\bcase\s+\.agent\([^)\n]*\.(?:agent|manager|administrator)\b
            |[!=]==?\s*Role\.
            /#.wordBoundaryKind(.simple)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.firstMatch(of: pattern) != nil else { return nil }
            return Violation(
                path: path, line: index + 1,
                advice: "asks for a role. Ask `may(_:)` for a permission; \(roleFile) says which role has which.")
        }
    }

    /// Where the built-in profiles are.
    static let roleFile = "Sources/EarshotModel/Permission.swift"

    private static func violations(of pattern: Regex<Substring>, in source: SwiftSource, advice: String) -> [Violation]
    {
        source.lines(with: pattern).map { Violation(path: source.path, line: $0, advice: advice) }
    }
}
