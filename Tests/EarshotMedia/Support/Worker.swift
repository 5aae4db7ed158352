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
    /// Most memory it ever held, in KiB.
    var peakKiB = 0
    var result: WorkerResult?
    var failure: WorkerFailure?
    var mp3: [UInt8] = []

    /// The signal that ended it, 0 if none did.
    var signal: Int32 { status & 0x7F }
    var exitCode: Int32 { status >> 8 & 0xFF }
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Gives a recording to a fresh worker in chunks of `chunk` bytes.
    static func decode(_ bytes: [UInt8], chunk: Int = 64 * 1024, limitMs: UInt32 = 120_000, _ arguments: [String] = []) async throws -> WorkerRun {
        var run = try await start(arguments) { input in
            var sent = send(WorkerOrder(limitMs: limitMs).encoded[...], to: input)
            var at = 0
            while sent, at < bytes.count {
                sent = send(bytes[at..<min(bytes.count, at + chunk)], to: input)
                at += chunk
            }
        }
        try run.takeFrames()
        return run
    }

    static func probe(_ name: String, _ arguments: [String] = []) async throws -> WorkerRun {
        try await start(["--probe", name] + arguments) { _ in }
    }

    private static func start(_ arguments: [String], feed: @escaping @Sendable (Int32) -> Void) async throws -> WorkerRun {
        _ = ignoredBrokenPipes
        let child = try await Blocking.run { try SpawnedChild(WorkerPool.besideThisProgram(), arguments) }
        async let fed: Void = Blocking.run {
            feed(child.input)
            close(child.input)
        }
        async let output = Blocking.run { receive(child.output) }
        var run = WorkerRun(output: try await output)
        try await fed
        (run.status, run.peakKiB) = try await Blocking.run {
            var usage = rusage()
            var status: Int32 = 0
            wait4(child.pid, &status, 0, &usage)
            return (status, Int(usage.ru_maxrss))
        }
        return run
    }

    private mutating func takeFrames() throws {
        var decoder = WorkerFrameDecoder()
        decoder.append(output)
        while let frame = try decoder.next() {
            switch frame {
            case .ready: continue
            case .mp3(let bytes): mp3 += bytes
            case .head(let bytes): mp3.replaceSubrange(0..<bytes.count, with: bytes)
            case .result(let result): self.result = result
            case .failure(let failure): self.failure = failure
            }
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if sent <= 0 { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// At most a megabyte more than any answer has.
    private static func receive(_ descriptor: Int32) -> [UInt8] {
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while all.count < 4 << 20 {
            let got = read(descriptor, &buffer, buffer.count)
            if got <= 0 { break }
            all += buffer[..<got]
        }
        return all
    }

    private static let ignoredBrokenPipes = Glibc.signal(SIGPIPE, SIG_IGN)
}
