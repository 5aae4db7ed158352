import CSandbox
import EarshotWorkerProtocol
import Glibc

/// One life of the process: warm up, lock itself in, serve one recording.
enum Worker {
    private static let niceness: Int32 = 10

    static func run(_ arguments: [String]) -> Int32 {
        // Whoever writes to somebody goes before whoever still speaks.
        _ = nice(niceness)
        var arguments = arguments
        let probe = takeProbe(&arguments)
        guard let limits = WorkerLimits(arguments: arguments) else {
            return complain(WorkerExit.usage, "arguments make no sense")
        }
        let output = WorkerOutput()
        let input = RecordingInput(limit: limits.inputBytes, beforeWaiting: output.flush)
        guard let encoder = Codecs.warmUp() else {
            return complain(WorkerExit.codecs, "libav lacks a decoder, or libmp3lame")
        }
        guard lockIn(limits) else { return WorkerExit.sandbox }
        if let probe { return tell(probe, output) }
        return serve(input, output, encoder)
    }

    private static func serve(_ input: RecordingInput, _ output: WorkerOutput, _ encoder: SoundEncoder) -> Int32 {
        output.put(.ready)
        output.flush()
        guard let order = input.takeOrder() else { return WorkerExit.done }
        do {
            switch order.work {
            case .transcode:
                try output.put(
                    .result(Transcoder(input: input, output: output, encoder: encoder, limitMs: order.limitMs).run()))
            case .ogg, .oggKeepingPackets, .m4a:
                try output.put(.made(RenditionMaker(input: input, output: output, order: order).run()))
            }
        } catch {
            output.put(.failure(error))
        }
        output.flush()
        return WorkerExit.done
    }

    /// The start cost is paid before this, so that the pool pays it ahead of the recording; no byte of a recording is read before it.
    private static func lockIn(_ limits: WorkerLimits) -> Bool {
        // A crash ends the process at once: nobody starts a debugger in here.
        for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS] { signal(crash, SIG_DFL) }
        let inside = earshot_sandbox_limits(
            cpu_seconds: UInt64(limits.cpuSeconds), memory_bytes: UInt64(limits.memoryBytes))
        let failed = earshot_sandbox_enter(inside, getppid())
        guard failed != EARSHOT_SANDBOX_OK else { return true }
        _ = complain(
            WorkerExit.sandbox,
            "cannot enter the sandbox (step \(failed.rawValue)): it needs Linux with seccomp. It decodes nothing outside."
        )
        return false
    }

    private static func takeProbe(_ arguments: inout [String]) -> String? {
        guard arguments.first == "--probe", arguments.count > 1 else { return nil }
        defer { arguments.removeFirst(2) }
        return arguments[1]
    }

    /// Says on standard output what became of the attempt; most never come back from it.
    private static func tell(_ probe: String, _ output: WorkerOutput) -> Int32 {
        output.putText("inside\n")
        output.flush()
        let said = earshot_probe(probe)
        output.putText(said == 0 ? "allowed\n" : said > 0 ? "refused \(said)\n" : "unknown\n")
        output.flush()
        return WorkerExit.done
    }

    private static func complain(_ code: Int32, _ text: String) -> Int32 {
        let line = Array("EarshotMediaWorker: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        return code
    }
}
