import CLoad
import Foundation

/// Bar 13: whether messages cost more, and conversations open slower, when millions of messages are stored.
enum HistoryBench {
    private static let rate = Scale.of(1_000.0, quick: 50)
    private static let seconds = Scale.of(15.0, quick: 1)
    private static let few = Scale.of(10_000, quick: 100)
    /// The bar asks for ten million: `EARSHOT_BENCH_HISTORY`.
    private static let many =
        ProcessInfo.processInfo.environment["EARSHOT_BENCH_HISTORY"].flatMap { Int($0) }
        ?? Scale.of(1_000_000, quick: 300)
    private static let opened = Scale.of(300, quick: 10)

    private struct Course {
        let cpuUs: Double
        let p99: Double
        let openCPUMs: Double
    }

    static func run() throws -> Figures {
        var figures = Figures("history")
        print(
            "history: \(Int(rate)) texts/s for \(Int(seconds)) s on \(few) stored messages and on \(many); then "
                + "\(opened) conversations are opened; load average \(loadAverage())"
        )
        let short = try course(few)
        let long = try course(many)
        figures.set("cpu_ratio", long.cpuUs / short.cpuUs, "times the server CPU of a message with few stored")
        figures.set("p99_ratio", long.p99 / short.p99, "times the p99 from send to delivered with few stored")
        figures.set("open_cpu_ms", long.openCPUMs, "ms of server CPU to open a conversation (last 50 events)")
        figures.set("open_cpu_ms_few", short.openCPUMs, "ms, with few stored")
        figures.set("cpu_us_per_message", long.cpuUs, "us of server CPU, all threads, with many stored")
        figures.set("stored_messages", Double(many), "with many stored")
        return figures
    }

    private static func course(_ messages: Int) throws -> Course {
        let data = try StoredMessages.copy(of: StoredMessages.folder(messages))
        let server = try ServerProcess(ServerProcess.Options(data: data))
        try server.waitUntilReady()
        let load = try MessageLoad(conversations: Scale.of(200, quick: 10), port: server.port, poller: Poller())
        var random = Random(seed: 6)
        load.offer(perSecond: rate, seconds: Scale.of(3, quick: 0.5), random: &random)
        let (first, cpu) = (load.count, server.cpu)
        load.offer(perSecond: rate, seconds: seconds, random: &random)
        let spent = server.cpu - cpu
        try load.settle()
        let took = load.latencies(from: first)
        print("  \(messages) stored: \(took.summary)")
        let open = try ConversationOpener(server).cpuMs(of: opened)
        return Course(
            cpuUs: Double(spent) / Double(load.count - first) / 1000, p99: took.percentile(0.99), openCPUMs: open)
    }
}

/// An agent who opens conversations one after another, as they are in the store: the last 50 events of each.
private final class ConversationOpener: SocketListener {
    private let server: ServerProcess
    private let poller = Poller()
    private let hello: String
    private var client: SocketClient?
    private var rows: [String] = []
    private var watching = 0

    init(_ server: ServerProcess) throws {
        self.server = server
        hello = try Agent(data: server.data, port: server.port).hello()
        client = try SocketClient(number: 0, port: server.port, poller: poller, listener: self)
        try poller.run(for: "the agent's inbox") { !rows.isEmpty }
    }

    /// - Returns: milliseconds of server CPU for one conversation.
    func cpuMs(of count: Int) throws -> Double {
        let before = server.cpu
        for index in 0..<count {
            let row = rows[index % rows.count]
            client?.send(#"{"watch":"\#(row)"}"#)
            try poller.run(for: "a conversation") { watching == index + 1 }
            client?.send(#"{"unwatch":"\#(row)"}"#)
        }
        return Double(server.cpu - before) / Double(count) / 1e6
    }

    func opened(_ client: SocketClient) { client.send(hello) }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        var scan = Scan(frame)
        if scan.begins(with: #"{"watching":"#) {
            watching += 1
        } else if scan.begins(with: #"{"ready":"#) {
            while let id = scan.string(after: #"{"c":""#) { rows.append(id) }
        }
    }

    func closed(_ client: SocketClient, code: Int?) { print("  the agent's socket closed: \(client.lastWords)") }
}
