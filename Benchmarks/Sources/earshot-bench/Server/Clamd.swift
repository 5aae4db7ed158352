import CLoad
import Foundation
import Glibc

/// A real clamd with Earshot's canary as its only signature, on a Unix socket. Its cache is off, because
/// the benchmarks send the same files again and again.
final class Clamd {
    private let process: pid_t
    private let socket: String

    /// - Parameter core: the core that it runs on.
    init(core: Int32? = nil) throws {
        let folder = try Folders.fresh("clamd")
        let signatures = folder + "/signatures"
        try FileManager.default.createDirectory(atPath: signatures, withIntermediateDirectories: true)
        try Program.wait(
            for: Program.start(
                [Program.products + "/earshot", "scanner-signature"], output: signatures + "/earshot.ndb"),
            "earshot scanner-signature")
        socket = folder + "/clamd.ctl"
        let settings = [
            "DatabaseDirectory \(signatures)", "LocalSocket \(socket)", "TemporaryDirectory \(folder)",
            "Foreground yes", "DisableCache yes",
            "StreamMaxLength 25M", "MaxFileSize 25M", "MaxScanSize 100M", "AlertExceedsMax yes", "MaxThreads 4",
        ]
        try (settings.joined(separator: "\n") + "\n").write(
            toFile: folder + "/clamd.conf", atomically: true, encoding: .utf8)
        if let core { cload_pin(core) }
        defer { if core != nil { cload_pin(-1) } }
        process = Program.start(["/usr/sbin/clamd", "--config-file=\(folder)/clamd.conf"], output: folder + "/log")
        guard process > 0 else { throw Failure("clamd does not start: \(String(cString: strerror(-process)))") }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// The environment variables with which the server finds it. `ServerProcess.waitUntilScanning` waits until it
    /// answers.
    var environment: [String: String] { ["EARSHOT_CLAMD": "unix:\(socket)"] }

    /// CPU time of all its threads, in nanoseconds.
    var cpu: Int64 { cload_cpu(process) }
}
