import Foundation
import Glibc

/// Bar 7: how soon the server is there with a million messages on disk, what it keeps while nobody is there, and how
/// soon it is back after kill -9. Then the same with a million conversations, most of them closed.
enum StartBench {
    static let messages = Scale.of(1_000_000, quick: 300)
    static let starts = Scale.of(7, quick: 1)

    static func run() throws -> Figures {
        var figures = Figures("start")
        if ProcessInfo.processInfo.environment["EARSHOT_BENCH_ONLY"] != "conversations" { try withMessages(&figures) }
        try withConversations(&figures)
        return figures
    }

    private static func withMessages(_ figures: inout Figures) throws {
        let data = try StoredMessages.copy(of: StoredMessages.folder(messages))
        var (accepted, answered, cpu): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<starts {
            let server = try ServerProcess(ServerProcess.Options(data: data))
            let ready = try server.waitUntilReady()
            accepted.append(Double(ready.accepted - server.spawnedAt) / 1e6)
            answered.append(Double(ready.answered - server.spawnedAt) / 1e6)
            cpu.append(Double(server.cpu) / 1e6)
            server.end(SIGTERM)
        }
        print(
            "start: accepted after \(accepted.map(Figures.text).joined(separator: " ")) ms; answered after "
                + "\(answered.map(Figures.text).joined(separator: " ")) ms"
        )
        figures.set("cold_ms", median(accepted), "ms from spawn to the first accepted connection, median of \(starts)")
        figures.set("answered_ms", median(answered), "ms from spawn to the first answered request")
        figures.set("start_cpu_ms", median(cpu), "ms of server CPU until then")
        try idle(&figures, data)
        try recover(&figures, data)
        figures.set("stored_messages", Double(messages), "on disk")
    }

    private static func idle(_ figures: inout Figures, _ data: String) throws {
        let server = try ServerProcess(ServerProcess.Options(data: data))
        try server.waitUntilReady()
        pause(milliseconds: Scale.of(3000, quick: 100))
        figures.set("idle_rss_mib", server.rss / 1024, "MiB RSS, 3 s after the start")
        figures.set("idle_pss_mib", server.pss / 1024, "MiB PSS")
        figures.set("idle_workers_pss_mib", server.childrenPss / 1024, "MiB PSS of the media workers that wait")
        server.end(SIGTERM)
    }

    /// kill -9 under 1,000 messages a second; then from the new process's spawn to the first message delivered.
    private static func recover(_ figures: inout Figures, _ data: String) throws {
        var times: [Double] = []
        for _ in 0..<Scale.of(5, quick: 1) {
            let poller = Poller()
            var first: ServerProcess? = try ServerProcess(ServerProcess.Options(data: data))
            try first?.waitUntilReady()
            guard let port = first?.port else { return }
            let load = try MessageLoad(conversations: Scale.of(50, quick: 5), port: port, poller: poller)
            var random = Random(seed: 4)
            load.offer(perSecond: Scale.of(1000, quick: 50), seconds: 1, random: &random)
            first?.end(SIGKILL)
            first = nil
            let second = try ServerProcess(ServerProcess.Options(data: data))
            let talk = FirstDelivery(poller: poller, port: second.port, consumer: load.consumers[0])
            try times.append(Double(talk.time() - second.spawnedAt) / 1e6)
            second.end(SIGTERM)
        }
        print("start: after kill -9 under load, delivered after \(times.map(Figures.text).joined(separator: " ")) ms")
        figures.set("recover_ms", median(times), "ms from the restart to the first delivered message, median of 5")
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Retries without delay until a message of a consumer reaches its second device.
private final class FirstDelivery: SocketListener {
    private let poller: Poller
    private let port: UInt16
    private let consumer: Consumer
    private var clients: [SocketClient?] = [nil, nil]
    private var ready = 0
    private var delivered: Int64?
    private let key = "again\(now())"

    init(poller: Poller, port: UInt16, consumer: Consumer) {
        self.poller = poller
        self.port = port
        self.consumer = consumer
    }

    func time() throws -> Int64 {
        connect(0)
        connect(1)
        try poller.run(for: "a delivery after the restart") { delivered != nil }
        return delivered ?? 0
    }

    private func connect(_ index: Int) {
        clients[index] = try? SocketClient(number: index, port: port, poller: poller, listener: self)
    }

    func opened(_ client: SocketClient) { client.send(consumer.hello()) }

    func played(_ client: SocketClient, _ frame: UnsafeRawBufferPointer) {
        var scan = Scan(frame)
        if scan.begins(with: #"{"ready":"#) {
            ready += 1
            if ready == 2 { clients[0]?.send(#"{"send":"\#(key)","text":"\#(key)"}"#) }
        } else if client.number == 1, scan.begins(with: #"{"events":"#), scan.skip(to: #""text":"again"#) {
            delivered = now()
        }
    }

    func closed(_ client: SocketClient, code: Int?) {
        var short = timespec(tv_sec: 0, tv_nsec: 200_000)
        nanosleep(&short, nil)
        connect(client.number)
    }
}
