import EarshotWorkerProtocol
import Foundation
import Glibc
import NIOPosix
import Testing

@testable import EarshotMedia

/// One worker process without any pool: what it says to a recording, and how it ends.
struct WorkerRun: Sendable {
    var output: [UInt8] = []
    var status: Int32 = 0
    /// Most memory that it was seen to have held, in KiB.
    var peakKiB = 0
    var result: WorkerResult?
    var failure: WorkerFailure?
    /// What was made: the MP3, or the format that was asked for.
    var audio: [UInt8] = []
    var made: RenditionResult?

    /// The signal that ended it, 0 if none did.
    var signal: Int32 { status & 0x7F }
    var exitCode: Int32 { status >> 8 & 0xFF }
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Gives a recording to a fresh worker in chunks of `chunk` bytes.
    static func decode(_ bytes: [UInt8], chunk: Int = 64 * 1024, limitMs: UInt32 = 120_000, _ arguments: [String] = [])
        async throws -> WorkerRun
    {
        try await order(WorkerOrder(.transcode, limitMs: limitMs), bytes, chunk: chunk, arguments)
    }

    /// Orders any work of a fresh worker.
    static func order(_ order: WorkerOrder, _ bytes: [UInt8], chunk: Int = 64 * 1024, _ arguments: [String] = [])
        async throws -> WorkerRun
    {
        var run = try await start(arguments, order.encoded + bytes, chunk)
        try run.takeFrames()
        return run
    }

    /// Says any bytes to a fresh worker, its order included.
    static func say(_ bytes: [UInt8]) async throws -> WorkerRun {
        var run = try await start([], bytes, 64 * 1024)
        try run.takeFrames()
        return run
    }

    static func probe(_ name: String, _ arguments: [String] = []) async throws -> WorkerRun {
        try await start(["--probe", name] + arguments, [], 1)
    }

    private static func start(_ arguments: [String], _ input: [UInt8], _ chunk: Int) async throws -> WorkerRun {
        _ = ignoredBrokenPipes
        return try await BlockingPool.run {
            let child = try SpawnedChild(WorkerPool.installedExecutable(), arguments)
            var run = WorkerRun()
            run.talk(child, input, chunk)
            waitpid(child.pid, &run.status, 0)
            return run
        }
    }

    /// Writes as much as it takes and reads what it says, whichever is possible first. Reads at most four megabytes.
    private mutating func talk(_ child: SpawnedChild, _ input: [UInt8], _ chunk: Int) {
        _ = fcntl(child.input, F_SETFL, O_NONBLOCK)
        var (at, isWriting) = (0, true)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while output.count < 4 << 20 {
            if isWriting, at >= input.count {
                close(child.input)
                isWriting = false
            }
            var ends = [
                pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.input, events: Int16(POLLOUT), revents: 0),
            ]
            poll(&ends, isWriting ? 2 : 1, -1)
            if isWriting, ends[1].revents != 0 {
                let sent = input[at..<min(input.count, at + chunk)].withUnsafeBytes {
                    write(child.input, $0.baseAddress, $0.count)
                }
                at = sent < 0 && errno != EAGAIN ? input.count : at + max(0, sent)
            }
            if ends[0].revents != 0 {
                let got = read(child.output, &buffer, buffer.count)
                if got <= 0 { break }
                output += buffer[..<got]
                peakKiB = max(peakKiB, Self.peakKiB(of: child.pid))
            }
        }
        close(child.output)
        if isWriting { close(child.input) }
    }

    /// What the kernel noted as the most. (`wait4` would tell the most of the process that started it, too.)
    private static func peakKiB(of pid: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.split(whereSeparator: { !$0.isNumber }).first ?? "") } ?? 0
    }

    private mutating func takeFrames() throws {
        var decoder = WorkerFrameDecoder()
        decoder.append(output)
        while let frame = try decoder.next() {
            switch frame {
            case .ready, .unconfined: continue
            case .audio(let bytes): audio += bytes
            case .header(let bytes): audio.replaceSubrange(0..<bytes.count, with: bytes)
            case .rendition(let made): self.made = made
            case .result(let result): self.result = result
            case .failure(let failure): self.failure = failure
            }
        }
    }

    private static let ignoredBrokenPipes = Glibc.signal(SIGPIPE, SIG_IGN)
}
