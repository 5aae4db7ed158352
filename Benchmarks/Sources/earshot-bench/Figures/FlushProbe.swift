import CLoad
import Foundation
import Glibc

/// What the disk's flush costs here and now: a process of its own that appends 4 KB and calls fdatasync, 25 times a
/// second, in the folder that the server writes to, while the load runs. A latency of a durable message says little
/// without it.
final class FlushProbe {
    static let word = "flush-probe"
    private let probe = Process()
    private let output = Pipe()
    private let input = Pipe()

    init(beside data: String) throws {
        probe.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        probe.arguments = [Self.word, data + "/../flush-probe"]
        probe.standardOutput = output
        probe.standardInput = input
        try probe.run()
    }

    /// Ends the probe.
    /// - Returns: what it measured.
    func finish() throws -> Latencies {
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        probe.waitUntilExit()
        return Latencies(text.split(separator: "\n").compactMap { Int64($0) })
    }

    /// The probe's own process.
    static func probe(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        let page = [UInt8](repeating: 7, count: 4096)
        var found: [Int64] = []
        var stop = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        while poll(&stop, 1, 40) == 0 {
            let start = now()
            guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else { break }
            found.append(now() - start)
        }
        unlink(path)
        print(found.map(String.init).joined(separator: "\n"))
    }
}
