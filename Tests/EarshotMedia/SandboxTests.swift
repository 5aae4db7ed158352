import EarshotAudioFormats
import EarshotWorkerProtocol
import Foundation
import Glibc
import Testing

@testable import EarshotMedia

/// What a recording that took over the worker could still do: nothing of these.
@Suite struct `The worker's sandbox` {
    @Test(arguments: [
        "tcp", "unix-socket", "connect-input", "exec", "fork", "clone", "kill-parent", "ptrace", "namespace", "mount",
        "root", "io-uring",
    ])
    func `ends a worker at once that does what no decoder does`(probe: String) async throws {
        let run = try await WorkerRun.probe(probe)
        #expect(run.text == "inside\n")
        #expect(run.signal == SIGSYS)
    }

    @Test(arguments: [
        "open-passwd", "open-self", "create-file", "list-folder", "unlink", "read-other", "dup", "map-executable",
        "make-executable", "raise-limit",
    ])
    func `refuses files, descriptors and code`(probe: String) async throws {
        let run = try await WorkerRun.probe(probe)
        #expect(run.text == "inside\nrefused \(EPERM)\n")
    }

    @Test func `refuses two gigabytes of memory`() async throws {
        let run = try await WorkerRun.probe("allocate-2gb")
        #expect(run.text == "inside\nrefused \(ENOMEM)\n")
        #expect(run.peakKiB < 200 * 1024)
    }

    @Test func `ends a worker that computes forever`() async throws {
        let run = try await WorkerRun.probe("spin", ["--cpu-seconds", "1"])
        #expect(run.text == "inside\n")
        #expect(run.signal == SIGKILL)
    }

    @Test func `ends a worker that writes forever after its reader is gone`() async throws {
        let run = try await WorkerRun.probe("endless-output")
        #expect(run.output.count >= 4 << 20)
        #expect(run.signal == SIGPIPE || run.exitCode == WorkerExit.done)
    }

    @Test func `has every probe that these tests use`() async throws {
        #expect(try await WorkerRun.probe("no-such-probe").text == "inside\nunknown\n")
    }

    @Test func `confines a waiting worker: filter, no privileges, one thread, the user nobody, low limits`()
        async throws
    {
        let child = try await BlockingPool.run { try SpawnedChild(WorkerPool.installedExecutable(), []) }
        let (status, limits) = try await BlockingPool.run {
            var ready = [UInt8](repeating: 0, count: 7)
            #expect(read(child.output, &ready, 7) == 7)
            return (
                try Self.table("/proc/\(child.pid)/status"),
                try String(contentsOfFile: "/proc/\(child.pid)/limits", encoding: .utf8)
            )
        }
        #expect(status["Seccomp"] == "2")
        #expect(status["NoNewPrivs"] == "1")
        #expect(status["Threads"] == "1")
        #expect(status["CapEff"] == "0000000000000000" && status["CapPrm"] == "0000000000000000")
        if geteuid() == 0 { #expect(status["Uid"] == "65534\t65534\t65534\t65534") }
        #expect(limits.contains(try Regex("Max file size +0 +0 ")))
        #expect(limits.contains(try Regex("Max processes +0 +0 ")))
        #expect(limits.contains(try Regex("Max core file size +0 +0 ")))
        try await BlockingPool.run {
            close(child.input)
            close(child.output)
            var status: Int32 = 0
            waitpid(child.pid, &status, 0)
            #expect(status == 0)
        }
    }

    // Encoding Ogg is not among them: the memory that its decoder and encoder need was touched while the worker warmed
    // up.
    @Test(arguments: WorkerOrder.Work.allCases.filter { $0 != .ogg })
    func `ends any work that takes more memory than it may`(work: WorkerOrder.Work) async throws {
        let fixtures = try await Fixtures.shared()
        let loop = [
            "-stream_loop", "60", "-i", fixtures.path("speech.wav"), "-t", "200", "-c:a", "libopus", "-b:a", "64k",
        ]
        let name = "greedy-\(work).webm"
        try await Tool.run("ffmpeg", ["-v", "error"] + loop + [fixtures.path(name)])
        let order = WorkerOrder(work, limitMs: 600_000)
        let free = try await WorkerRun.order(order, fixtures.bytes(name))
        #expect(free.result != nil || free.made != nil, "the premise: without tight limits it ends well")
        let poor = try await WorkerRun.order(order, fixtures.bytes(name), ["--memory-bytes", "200000"])
        #expect(
            poor.result == nil && poor.made == nil
                && (poor.failure == .broken || poor.signal != 0 || poor.exitCode != 0))
    }

    /// How much is needed depends on what warming up left free; that the format is whole or nothing does not.
    @Test(arguments: WorkerOrder.Work.allCases, [1, 4_096, 65_536, 150_000, 200_000, 300_000, 400_000, 1_000_000])
    func `with little memory gives a complete result or none`(work: WorkerOrder.Work, memory: Int) async throws {
        let fixtures = try await Fixtures.shared()
        let run = try await WorkerRun.order(
            WorkerOrder(work, limitMs: 120_000), fixtures.bytes("speech.wav"), ["--memory-bytes", "\(memory)"])
        if run.result != nil { return #expect(run.status == 0 && !run.audio.isEmpty) }
        if let made = run.made {
            let container = work == .m4a ? AudioContainer.mp4 : .ogg
            let isWhole = run.audio.withUnsafeBytes { container.isWhole(ByteView($0)) }
            #expect(isWhole && Int(made.sizeBytes) == run.audio.count && run.status == 0)
        } else {
            #expect(run.failure != nil || run.signal != 0 || run.exitCode != 0)
        }
    }

    @Test func `is required: if the filter cannot be set, the worker refuses to work`() async throws {
        let folder = try Scratch.folder("strace")
        let output = "\(folder)/out"
        let arguments = [
            "-f", "-o", "/dev/null", "-e", "inject=seccomp,prctl:error=ENOSYS", WorkerPool.installedExecutable(),
        ]
        await #expect(
            throws: Tool.Failure(
                description: "strace \(arguments.joined(separator: " ")) ended with \(WorkerExit.sandbox)")
        ) {
            try await Tool.run("strace", arguments, output: output)
        }
        var decoder = WorkerFrameDecoder()
        decoder.append(try Data(contentsOf: URL(fileURLWithPath: output)))
        let first = try decoder.next()
        guard case .unconfined(let failure) = first else {
            Issue.record("the worker did not say why: \(String(describing: first))")
            return
        }
        #expect(failure.errno == ENOSYS)
        #expect(try decoder.next() == nil, "and nothing else")
    }

    private static func table(_ path: String) throws -> [String: String] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let pairs = lines.compactMap { line in
            line.firstIndex(of: ":").map { (String(line[..<$0]), line[line.index(after: $0)...]) }
        }
        return Dictionary(pairs.map { ($0.0, $0.1.trimmingCharacters(in: .whitespaces)) }) { first, _ in first }
    }
}

/// Files that make FFmpeg open other files or connections.
@Suite struct `A file that points elsewhere` {
    @Test(arguments: UntrustedFile.all)
    func `is not followed, whatever it is named`(file: UntrustedFile) async throws {
        let listener = try await Listener.open()
        let secret = try Scratch.folder("secret") + "/secret.wav"
        try await FileManager.default.copyItem(atPath: Fixtures.shared().path("speech.wav"), toPath: secret)
        for prefix in [
            "", "#!AMR\n", "caff\u{0}\u{1}\u{0}\u{0}", "\u{0}\u{0}\u{0}\u{14}ftyp3gp4",
            "ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "OggS\u{0}\u{2}",
        ] {
            let run = try await WorkerRun.decode(
                Array((prefix + file.content(secret: secret, server: "127.0.0.1:\(listener.port)")).utf8))
            #expect(run.failure == .notAudio || run.failure == .damaged)
            // Any words behind AMR's magic may be a few frames of noise, which are thrown away with the refusal. The
            // secret is seconds long.
            #expect(prefix == "#!AMR\n" ? run.audio.count < 4_000 : run.audio.isEmpty, "\(run.audio.count) bytes")
        }
        #expect(try await listener.connectionsAtEnd() == 0)
    }

    @Test func `would be seen if it connected`() async throws {
        let listener = try await Listener.open()
        try await listener.connectOnce()
        #expect(try await listener.connectionsAtEnd() == 1)
    }
}
