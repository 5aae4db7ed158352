import CLoad
import Foundation
import Synchronization

/// Bar 14: ten times the published peak load of a large installation for a long time on one core: 1,230 texts/s, 104
/// new conversations/s, a tenth of them with a voice message of 20 s. Does memory grow, is anything lost?
enum SoakBench {
    private static let rate = Scale.of(1_230.0, quick: 50)
    private static let newPerSecond = Scale.of(104.0, quick: 8)
    private static let voiceShare = Scale.of(10, quick: 4)
    /// The bar asks for 30 minutes: `EARSHOT_BENCH_SOAK`, in seconds.
    private static let seconds =
        ProcessInfo.processInfo.environment["EARSHOT_BENCH_SOAK"].flatMap { Double($0) } ?? Scale.of(60, quick: 2)

    static func run() throws -> Figures {
        var figures = Figures("soak")
        print(
            "soak: \(Int(seconds)) s; \(Int(rate)) texts/s in 400 conversations, \(Int(newPerSecond)) new ones/s that "
                + "their consumers close, every tenth with a voice message of 20 s; server on one core; "
                + "load average \(loadAverage())"
        )
        let note = try Note(seconds: Scale.of(20, quick: 2))
        let server = try ServerProcess(ServerProcess.Options(core: 0))
        defer { cload_pin(-1) }
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: Scale.of(400, quick: 10), port: server.port, poller: Poller())
        let newcomers = Newcomers(server.port, note, perSecond: newPerSecond, voiceShare: voiceShare)
        var random = Random(seed: 8)
        load.offer(perSecond: rate, seconds: min(10, seconds / 4), random: &random)
        let (first, start, cpu) = (load.count, now(), server.cpu + server.childrenCPU)
        var memory: [Double] = []
        while Double(now() - start) / 1e9 < seconds {
            load.offer(perSecond: rate, seconds: min(5, seconds / 8), random: &random)
            memory.append(server.rss / 1024)
        }
        let (spent, wall) = (server.cpu + server.childrenCPU - cpu, now() - start)
        let made = newcomers.finish()
        let lost = books(of: load)
        print("  send -> delivered: \(load.latencies(from: first).summary)")
        print("  RSS: \(memory.map { Figures.text($0.rounded()) }.joined(separator: " ")) MiB")
        if let fault = made.faults.first { print("  a newcomer failed: \(fault)") }
        figures.set("cpu_percent_of_core", Double(spent) / Double(wall) * 100, "% of a core, server and its workers")
        figures.set("rss_drift_percent", drift(memory), "% from the first quarter to the last")
        figures.set("lost", Double(lost + made.faults.count), "texts that were lost or doubled, newcomers that failed")
        figures.set("new_per_second", Double(made.conversations) * 1e9 / Double(now() - start), "conversations/s")
        figures.set("voice_messages", Double(made.voices), "sent")
        figures.set("p99_ms", load.latencies(from: first).percentile(0.99), "ms from send to delivered")
        figures.set("seconds", seconds, "s")
        return figures
    }

    /// How many texts are missing or wrong.
    private static func books(of load: MessageLoad) -> Int {
        do { try load.settle() } catch { print("  \(error)") }
        return load.faults.count + load.delivered.count { $0 == 0 }
    }

    private static func drift(_ memory: [Double]) -> Double {
        let size = max(1, memory.count / 4)
        func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(values.count) }
        return (mean(memory.suffix(size)) / mean(memory.prefix(size)) - 1) * 100
    }
}

/// Consumers who come, say one thing, and close their conversation; on threads of their own.
private final class Newcomers: Sendable {
    struct Made {
        var conversations = 0
        var voices = 0
        var faults: [String] = []
    }

    private static let threads = Scale.of(24, quick: 4)
    private let made = Mutex(Made())
    private let isEnding = Atomic(false)
    private let done = DispatchGroup()

    init(_ port: UInt16, _ note: Note, perSecond: Double, voiceShare: Int) {
        for thread in 0..<Self.threads {
            done.enter()
            Thread.detachNewThread { [self] in
                var number = thread
                var due = now()
                while !isEnding.load(ordering: .relaxed) {
                    due += Int64(Double(Self.threads) / perSecond * 1e9)
                    pause(milliseconds: max(0, (due - now()) / 1_000_000))
                    number += Self.threads
                    come(port, number, number % voiceShare == 0 ? note : nil)
                }
                done.leave()
            }
        }
    }

    func finish() -> Made {
        isEnding.store(true, ordering: .relaxed)
        done.wait()
        return made.withLock { $0 }
    }

    private func come(_ port: UInt16, _ number: Int, _ note: Note?) {
        do {
            // Four of one address, as the server allows: 127.2.0.0 and on.
            let web = try WebClient(port: port, source: UInt32(2 << 16 + number / 4))
            let consumer = try Consumer.make(over: web)
            let media = try note.map { note in
                let upload = try NoteUpload(over: web, to: consumer, draft: number)
                for piece in note.pieces { try upload.send(piece, of: note.bytes) }
                return try upload.finish(note)
            }
            try Visit(port, consumer, media).run()
            made.withLock {
                $0.conversations += 1
                if media != nil { $0.voices += 1 }
            }
        } catch { made.withLock { if $0.faults.count < 100 { $0.faults.append("\(error)") } } }
    }
}

/// One consumer's socket: hello, a text or a voice message, close.
private final class Visit: SocketListener {
    private let poller = Poller()
    private let consumer: Consumer
    private let media: String?
    private let port: UInt16
    private var answers = 0
    private var fault: String?

    init(_ port: UInt16, _ consumer: Consumer, _ media: String?) {
        (self.port, self.consumer, self.media) = (port, consumer, media)
    }

    func run() throws {
        let client = try SocketClient(number: 0, port: port, poller: poller, listener: self)
        try poller.run(for: "a newcomer") { answers == 2 || fault != nil }
        client.close()
        if let fault { throw Failure(fault) }
    }

    func opened(_ client: SocketClient) { client.send(consumer.hello()) }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        let scan = Scan(frame)
        if scan.begins(with: #"{"ready":"#) {
            let body = media.map { #""audio":"\#($0)""# } ?? #""text":"Hello, where is my order?""#
            client.send(#"{"send":"first",\#(body)}"#)
        } else if scan.begins(with: #"{"ok":"#) {
            answers += 1
            if answers == 1 { client.send(#"{"close":"last"}"#) }
        } else if scan.begins(with: #"{"no":"#) || scan.begins(with: #"{"bye":"#) {
            fault = scan.text
        }
    }

    func closed(_ client: SocketClient, code: Int?) { fault = fault ?? client.lastWords }
}
