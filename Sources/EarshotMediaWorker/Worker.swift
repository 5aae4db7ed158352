import CSandbox
import EarshotWorkerProtocol
import Glibc

/// The media worker: the only program that decodes untrusted bytes. It warms up, enters its sandbox, reads one
/// recording from standard input, writes its MP3, duration and waveform to standard output, and exits.
///
/// See SECURITY.md and docs/decisions/. `--probe NAME` tries to break out of the sandbox instead, for the tests.
@main
enum Worker {
    private static let niceness: Int32 = 10

    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        // Text delivery has priority over recordings in progress.
        _ = nice(niceness)
        var arguments = arguments
        let probe = takeProbe(&arguments)
        guard let limits = WorkerLimits(arguments: arguments) else {
            return complain(WorkerExit.usage, "invalid arguments")
        }
        let output = WorkerOutput()
        let input = RecordingInput(limit: limits.inputBytes, beforeWaiting: output.flush)
        guard let encoder = Codecs.warmUp() else {
            return complain(WorkerExit.codecs, "libav lacks a required decoder or encoder (libmp3lame, libopus, aac)")
        }
        switch enterSandbox(limits) {
        case .failure(let failure):
            output.put(.unconfined(failure))
            output.flush()
            return WorkerExit.sandbox
        case .success(let walls):
            if let probe { return attempt(probe, output) }
            output.put(.ready(walls))
            output.flush()
            return serve(input, output, encoder)
        }
    }

    private static func serve(_ input: RecordingInput, _ output: WorkerOutput, _ encoder: AudioEncoder) -> Int32 {
        guard let order = input.readOrder() else { return WorkerExit.done }
        do {
            switch order.work {
            case .transcode:
                try output.put(
                    .result(Transcoder(input: input, output: output, encoder: encoder, limitMs: order.limitMs).run()))
            case .ogg, .oggKeepingPackets, .m4a:
                try output.put(.rendition(RenditionMaker(input: input, output: output, order: order).run()))
            }
        } catch {
            output.put(.failure(error))
        }
        output.flush()
        return WorkerExit.done
    }

    /// Called after the warm-up, so that the pool pays the start cost before there is a recording. No byte of a
    /// recording is read before this.
    private static func enterSandbox(_ limits: WorkerLimits) -> Result<Confinement, ConfinementFailure> {
        // A crash ends the process at once: no handler and no debugger runs in the sandbox.
        for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS] { signal(crash, SIG_DFL) }
        let inside = earshot_sandbox_limits(
            cpu_seconds: UInt64(limits.cpuSeconds), memory_bytes: UInt64(limits.memoryBytes))
        var walls: UInt32 = 0
        let failed = earshot_sandbox_enter(inside, getppid(), &walls)
        let reason = errno
        guard failed != EARSHOT_SANDBOX_OK else { return .success(Confinement(rawValue: UInt16(walls))) }
        _ = complain(
            WorkerExit.sandbox,
            "cannot enter the sandbox (step \(failed.rawValue)); Linux with seccomp is required"
        )
        return .failure(ConfinementFailure(step: UInt8(failed.rawValue), errno: UInt32(reason)))
    }

    private static func takeProbe(_ arguments: inout [String]) -> String? {
        guard arguments.first == "--probe", arguments.count > 1 else { return nil }
        defer { arguments.removeFirst(2) }
        return arguments[1]
    }

    /// Attempts something that the sandbox forbids and writes the result to standard output; most attempts end the
    /// process.
    private static func attempt(_ probe: String, _ output: WorkerOutput) -> Int32 {
        output.putText("inside\n")
        output.flush()
        let status = earshot_probe(probe)
        output.putText(status == 0 ? "allowed\n" : status > 0 ? "refused \(status)\n" : "unknown\n")
        output.flush()
        return WorkerExit.done
    }

    private static func complain(_ code: Int32, _ text: String) -> Int32 {
        let line = Array("EarshotMediaWorker: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        return code
    }
}
