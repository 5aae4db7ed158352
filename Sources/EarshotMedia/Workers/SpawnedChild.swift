import CSpawn
import EarshotCore
import Glibc

/// A started process and the server's ends of its pipes. The caller owns all three.
struct SpawnedChild {
    let pid: pid_t
    /// The descriptor that writes to its standard input.
    let input: Int32
    /// The descriptor that reads its standard output.
    let output: Int32

    private static let environment = ["LANG=C", "SWIFT_BACKTRACE=enable=no"]

    /// Starts `executable`.
    init(_ executable: String, _ arguments: [String]) throws {
        var child = earshot_child()
        let failed = Self.withCStrings([executable] + arguments) { argv in
            Self.withCStrings(Self.environment) { earshot_spawn(executable, argv, $0, &child) }
        }
        guard failed == 0 else {
            throw AdapterFailure(
                "cannot start the media worker: \(String(cString: strerror(failed)))", isRetryable: true)
        }
        (pid, input, output) = (child.pid, child.input, child.output)
    }

    private static func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result)
        -> Result
    {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
