import EarshotCore
import EarshotModel
import Foundation
import Logging
import Synchronization
import Testing

@testable import EarshotMedia

/// A real clamd with signatures of the test's own. A shell between us kills it when this process is gone, however it
/// ends.
final class Clamd {
    static let harm = "EARSHOT-TEST-HARM-5b7e1d"
    static let harmSignature = "Earshot.Test.Harm:0:*:" + harm.utf8.map { String($0, radix: 16) }.joined()

    let address: ScannerAddress
    private let configuration: String
    private let socket: String
    private var shell: Process?
    private var leash = Pipe()
    private(set) var pid: pid_t = 0

    init(signatures: [String] = [EarshotMedia.Scanner.signature, harmSignature], limits: [String: String] = [:]) throws
    {
        let folder = try Scratch.folder("clamd")
        socket = folder + "/clamd.ctl"
        address = try ScannerAddress("unix:" + socket)
        configuration = folder + "/clamd.conf"
        try FileManager.default.createDirectory(atPath: folder + "/signatures", withIntermediateDirectories: false)
        try Data(signatures.map { $0 + "\n" }.joined().utf8).write(
            to: URL(fileURLWithPath: folder + "/signatures/earshot.ndb"))
        var settings = [
            "StreamMaxLength": "25M", "MaxFileSize": "25M", "MaxScanSize": "100M", "AlertExceedsMax": "yes",
            "MaxThreads": "4",
        ]
        settings.merge(limits) { $1 }
        settings.merge([
            "DatabaseDirectory": folder + "/signatures", "LocalSocket": socket, "TemporaryDirectory": folder,
            "Foreground": "yes",
        ]) { $1 }
        try Data(settings.map { "\($0) \($1)\n" }.joined().utf8).write(to: URL(fileURLWithPath: configuration))
    }

    func start() throws {
        let (shell, output) = (Process(), Pipe())
        leash = Pipe()
        shell.executableURL = try Tool.locate("sh")
        // No `wait` in it: a child of ours may inherit a blocked SIGCHLD, and the shell would wait for ever.
        let command = "\"$1\" --config-file=\"$0\" >/dev/null 2>&1 & echo $!; read _; kill -9 $!"
        shell.arguments = ["-c", command, configuration, try Tool.locate("clamd").path]
        (shell.standardInput, shell.standardOutput) = (leash, output)
        try shell.run()
        self.shell = shell
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        pid = try #require(pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func stop() {
        try? leash.fileHandleForWriting.close()
        shell?.waitUntilExit()
        shell = nil
        unlink(socket)
    }

    func hold() { kill(pid, SIGSTOP) }
    func goOn() { kill(pid, SIGCONT) }

    deinit { stop() }
}

/// A running scanner, with the store and the backlog that use it.
struct ScannerLab: Sendable {
    let scanner: EarshotMedia.Scanner
    let log: ScannerLog
    let store: StoreLab
    let verdicts: Verdicts

    static func with(
        _ clamd: Clamd, isStarted: Bool = true, hasBacklog: Bool = true,
        _ change: (inout EarshotMedia.Scanner.Settings) -> Void = { _ in },
        _ body: (ScannerLab) async throws -> Void
    ) async throws {
        let log = ScannerLog()
        var settings = EarshotMedia.Scanner.Settings(address: clamd.address)
        settings.gateLimit = .seconds(60)
        change(&settings)
        let scanner = EarshotMedia.Scanner(settings, logger: Logger(label: "scanner") { _ in log })
        try await StoreLab.with(scanner: scanner) { store in
            let verdicts = Verdicts()
            let lab = ScannerLab(scanner: scanner, log: log, store: store, verdicts: verdicts)
            let backlog = ScanBacklog(
                store: store.store, scanner: scanner, logger: Logger(label: "backlog") { _ in log }
            ) { verdicts.settle($0, $2) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await scanner.run() }
                if hasBacklog { group.addTask { try await backlog.run() } }
                defer { group.cancelAll() }
                if isStarted { try await log.next("The scanner is verified: it looks into every container.") }
                try await body(lab)
            }
        }
    }
}

/// What was settled, in order.
final class Verdicts: Sendable {
    private let all = Mutex([(media: MediaID, verdict: Verdict)]())
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    func settle(_ media: MediaID, _ verdict: Verdict) {
        all.withLock { $0.append((media, verdict)) }
        arrival.yield()
    }

    var list: [(media: MediaID, verdict: Verdict)] { all.withLock { $0 } }

    func next() async throws {
        var waiting = arrivals.makeAsyncIterator()
        try #require(await waiting.next() != nil)
    }
}

/// Reads the scanner's log for changes of its state.
final class ScannerLog: LogHandler, Sendable {
    private let messages: AsyncStream<String>
    private let message: AsyncStream<String>.Continuation

    init() { (messages, message) = AsyncStream.makeStream() }

    /// Waits for this line; others before it are passed over.
    func next(_ wanted: String) async throws {
        var waiting = messages.makeAsyncIterator()
        while try #require(await waiting.next()) != wanted {}
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .debug }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { message.yield("\(event.message)") }
}
