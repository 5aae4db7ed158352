import Foundation

/// Lets Linux's perf watch the server while it is measured, where `EARSHOT_BENCH_PROFILE` names a file to write: where
/// does the time go?
final class Profile {
    private let perf = Process()

    /// `nil` if no profile was asked for.
    init?(_ server: ServerProcess, _ what: String) throws {
        guard let path = ProcessInfo.processInfo.environment["EARSHOT_BENCH_PROFILE"] else { return nil }
        perf.executableURL = URL(fileURLWithPath: "/usr/bin/chrt")
        perf.arguments = [
            "-o", "0", "/usr/bin/perf", "record", "-q", "-F", "1999", "-g", "-p", "\(server.process)", "-o",
            "\(path).\(what)",
        ]
        try perf.run()
    }

    func finish() {
        perf.interrupt()
        perf.waitUntilExit()
    }
}
