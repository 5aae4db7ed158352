import Foundation

/// How much a bench does: everything, or a form of a few seconds that shows that it works and measures nothing.
enum Scale {
    /// `bin/bench quick`. The processes that a bench starts of its own program learn it from the environment.
    static let isQuick = ProcessInfo.processInfo.environment[variable] != nil
    static let variable = "EARSHOT_BENCH_QUICK"

    /// One of a bench's numbers, and that of its quick form.
    static func of<Value>(_ whole: Value, quick: Value) -> Value { isQuick ? quick : whole }
}
